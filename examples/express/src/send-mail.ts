import nodemailer from "nodemailer";

/** A message to a member. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends the messages of `Password()` and `account()` by the server that sends the links. */
export function sendWith(server: string): (mail: Mail) => Promise<void> {
  const transport = nodemailer.createTransport(server);
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from: "The Green Room <door@green-room.example>", to, subject, text });
  };
}
