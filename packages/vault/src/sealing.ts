import type { Tools } from "@cardea/extend";

/** Forty years, because stored tokens do not expire by themselves. Rotating the secret invalidates them. */
const LIFETIME = 40 * 365 * 24 * 60 * 60;

const PREFIX = "v1.";

/**
 * The prefix of encrypted texts: a JWE header is JSON. `v1.` alone is ambiguous, because provider tokens, such as those
 * of Auth0, may begin with it.
 */
const SEALED = `${PREFIX}eyJ`;

const USE = "tokens";

/**
 * The location that an encrypted text is bound to, so that write access to the table does not allow moving a token to
 * the row of another user.
 */
export interface Place {
  readonly provider: string;
  readonly account: string;
  readonly column: string;
}

/** Encrypts a text for one location: `v1.` followed by a JWE whose header names the key. */
export async function sealText(t: Tools, text: string, { provider, account, column }: Place): Promise<string> {
  return `${PREFIX}${await t.seal({ text, provider, account, column }, USE, LIFETIME)}`;
}

/** Whether a stored text was created by {@link sealText}. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(SEALED);
}

/**
 * Decrypts a text from {@link sealText}; other text is returned unchanged. Undefined if the text cannot be decrypted
 * for this location.
 */
export async function openText(t: Tools, stored: string, place: Place): Promise<string | undefined> {
  if (!isSealed(stored)) return stored;
  const opened = await t.open(stored.slice(PREFIX.length), USE);
  const isHere =
    opened !== null &&
    opened.provider === place.provider &&
    opened.account === place.account &&
    opened.column === place.column;
  return isHere ? opened.text : undefined;
}
