import { createHash, randomBytes } from "node:crypto";
import { adapter } from "./auth.ts";
import { sendMail } from "./send-mail.ts";

const HOUR_MS = 60 * 60 * 1000;
const ADDRESS = /^[^\s@"<>(),;:]+@[^\s@"<>(),;:]+\.[^\s@"<>(),;:]+$/;

const normalize = (address: string) => address.trim().normalize("NFKC").toLowerCase();
/** The prefix keeps these tokens apart from those of sign-in links. */
const identifierOf = (userId: string, address: string) => `change-address:${userId}:${address}`;
const hash = (token: string) => createHash("sha256").update(token).digest("hex");

/** Sends a link to the new address. Nothing changes until its user opens it. */
export async function requestChange(userId: string, submitted: string): Promise<void> {
  const address = normalize(submitted);
  if (!ADDRESS.test(address)) throw new TypeError("Not an e-mail address.");
  const token = randomBytes(32).toString("base64url");
  const expires = new Date(Date.now() + HOUR_MS);
  await adapter.createVerificationToken?.({ identifier: identifierOf(userId, address), token: hash(token), expires });
  const query = new URLSearchParams({ address, token });
  await sendMail(address, `Confirm your new address: ${process.env.AUTH_URL}/account/address?${query}`);
}

/**
 * Changes the address if the link is valid.
 *
 * @param userId the user of the session in which the link was opened.
 */
export async function confirmChange(userId: string, submitted: string, token: string): Promise<boolean> {
  const address = normalize(submitted);
  const key = { identifier: identifierOf(userId, address), token: hash(token) };
  const link = await adapter.useVerificationToken?.(key);
  if (!link || link.expires < new Date()) return false;
  const [user, owner] = await Promise.all([adapter.getUser?.(userId), adapter.getUserByEmail?.(address)]);
  if (!user || (owner && owner.id !== userId)) return false;
  await adapter.updateUser?.({ id: userId, email: address, emailVerified: new Date() });
  if (user.email) await sendMail(user.email, "The e-mail address of your account was changed.");
  return true;
}
