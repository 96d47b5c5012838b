import type { RequestTools, Tools } from "@cardea/core/extend";
import { listRows } from "./credentials.ts";

const COOKIE = "browser";
const DAY = 24 * 60 * 60;

/** Method in a session's facts: a remembered browser. It is weaker than a code and never counts as one. */
export const REMEMBERED = "browser";

/** Remembers the browser of a user who has just proven a second factor. Nothing is stored on the server. */
export async function rememberBrowser(t: RequestTools, userId: string, days: number): Promise<void> {
  const value = { user: await t.digest(userId), factors: await digestOfFactors(t, userId) };
  await t.cookies.write(COOKIE, value, days * DAY);
}

/**
 * Whether the browser is remembered for a user. Any change of credentials ends this: an app, passkey or recovery codes
 * added or removed, or a changed password.
 *
 * @throws AdapterError.
 */
export async function isRemembered(t: RequestTools, userId: string): Promise<boolean> {
  const { user, factors } = (await t.cookies.read(COOKIE)) ?? {};
  if (user === undefined || user !== (await t.digest(userId))) return false;
  return factors === (await digestOfFactors(t, userId));
}

/**
 * A hash of the user's credentials. Apps and recovery codes are included by row id, because their rows change with each
 * use; a password is included by its hash.
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
