import nodemailer from "nodemailer";

/** Where mails are handed in, and whom they come from. */
export const MAIL = {
  server: process.env.SMTP_URL ?? "smtp://127.0.0.1:25",
  from: "The Blue Room <door@blue-room.example>",
};

const transport = nodemailer.createTransport(MAIL.server);

/** A message to a member. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends the messages about passphrases and accounts by the server that sends the links. */
export async function sendMail({ to, subject, text }: Mail): Promise<void> {
  await transport.sendMail({ from: MAIL.from, to, subject, text });
}
