import type { PasswordMail } from "@cardea/providers-password";
import nodemailer from "nodemailer";

/** Sends the messages of `Password()` by the server that sends the links. */
export function sendWith(server: string): (mail: PasswordMail) => Promise<void> {
  const transport = nodemailer.createTransport(server);
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from: "The Green Room <door@green-room.example>", to, subject, text });
  };
}
