import type { Tools } from "@cardea/core/extend";

/** Forty years: at rest, tokens have no end of their own. A rotation of the secret ends them. */
const LIFETIME = 40 * 365 * 24 * 60 * 60;

const PREFIX = "v1.";

/** How each sealed text begins: the header of a JWE is JSON. Tokens of providers may begin with `v1.` as well, such as those of Auth0. */
const SEALED = `${PREFIX}eyJ`;

const USE = "tokens";

/** What a sealed text is about. It opens nowhere else: who can write to the table cannot move a token to the row of another user. */
export interface Place {
  readonly provider: string;
  readonly account: string;
  readonly column: string;
}

/** Seals a text for one place: `v1.`, and a JWE whose header names the key. */
export async function sealText(t: Tools, text: string, { provider, account, column }: Place): Promise<string> {
  return `${PREFIX}${await t.seal({ text, provider, account, column }, USE, LIFETIME)}`;
}

/** Whether a stored text was made by {@link sealText}. */
export function isSealed(stored: string): boolean {
  return stored.startsWith(SEALED);
}

/** Opens what {@link sealText} made; a text that is not sealed is plain. Undefined for one that does not open here. */
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
