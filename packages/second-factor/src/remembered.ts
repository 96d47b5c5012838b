import type { RequestTools, Tools } from "@cardea/core/extend";
import { listRows } from "./credentials.ts";

const COOKIE = "browser";
const DAY = 24 * 60 * 60;

/** The method in a session's facts that stands for a remembered browser. It proves less than a code, and is never a code. */
export const REMEMBERED = "browser";

/** Remembers the browser of a user who has just proven a second factor. Nothing is stored on the server. */
export async function rememberBrowser(t: RequestTools, userId: string, days: number): Promise<void> {
  const value = { user: await t.digest(userId), factors: await digestOfFactors(t, userId) };
  await t.cookies.write(COOKIE, value, days * DAY);
}

/**
 * Whether the browser is remembered for a user. Each change of what the user signs in with ends it: an app, a passkey or codes added or
 * removed, a password that was changed.
 *
 * @throws AdapterError.
 */
export async function isRemembered(t: RequestTools, userId: string): Promise<boolean> {
  const { user, factors } = (await t.cookies.read(COOKIE)) ?? {};
  if (user === undefined || user !== (await t.digest(userId))) return false;
  return factors === (await digestOfFactors(t, userId));
}

/**
 * What a user signs in with, as a hash. Secrets of apps are sealed again at each use and codes are used up one by one, so that their rows
 * count by id; a password counts by its hash.
 */
async function digestOfFactors(t: Tools, userId: string): Promise<string> {
  const rows = await listRows(t, userId);
  const parts = rows.map(({ id, type, secret }) =>
    type === "totp" || type === "recovery" ? [id] : [id, type, secret],
  );
  const passkeys = t.adapterHas("listAuthenticatorsByUserId")
    ? await t.callAdapter("listAuthenticatorsByUserId", userId)
    : [];
  const all = [...parts, ...passkeys.map(({ credentialID }) => ["passkey", credentialID])];
  return t.digest(JSON.stringify(all.map((part) => JSON.stringify(part)).sort()));
}
