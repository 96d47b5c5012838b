import type { RequestTools, Tools } from "@cardea/extend";
import { listRows } from "./credentials.ts";

const COOKIE = "browser";
const DAY = 24 * 60 * 60;

/** Method in a session's facts: a remembered browser. It is weaker than a code and never counts as one. */
export const REMEMBERED = "browser";

/**
 * Remembers the browser of a user who has just proven a second factor. Nothing is stored on the server.
 *
 * @param epoch The user's epoch before the proof was accepted: the browser is forgotten with it.
 */
export async function rememberBrowser(t: RequestTools, userId: string, days: number, epoch = 0): Promise<void> {
  const value = { user: await t.digest(userId), factors: await digestOfFactors(t, userId), epoch: String(epoch) };
  await t.cookies.write(COOKIE, value, days * DAY);
}

/**
 * Whether the browser is remembered for a user. It stands for a proof: it ends with the user's epoch, and with the factors that the user
 * had, also if the application removed or added one itself.
 *
 * @throws AdapterError, and errors of the store.
 */
export async function isRemembered(t: RequestTools, userId: string): Promise<boolean> {
  const { user, factors, epoch = 0 } = (await t.cookies.read(COOKIE)) ?? {};
  if (user === undefined || user !== (await t.digest(userId))) return false;
  return Number(epoch) >= (await t.epoch(userId).read()) && factors === (await digestOfFactors(t, userId));
}

/** A hash of the ids of the user's factors. */
async function digestOfFactors(t: Tools, userId: string): Promise<string> {
  const factors = (await listRows(t, userId)).filter(({ type }) => type !== "password").map(({ id }) => [id]);
  const passkeys = t.adapterHas("listAuthenticatorsByUserId")
    ? await t.callAdapter("listAuthenticatorsByUserId", userId)
    : [];
  const all = [...factors, ...passkeys.map(({ credentialID }) => ["passkey", credentialID])];
  return t.digest(JSON.stringify(all.map((part) => JSON.stringify(part)).sort()));
}
