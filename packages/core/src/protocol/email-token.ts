import type { EpochMilliseconds } from "../model/units.ts";

/** Tokens in e-mail links: what is hashed, what a link looks like, when one is void, and how strong one looks (docs/email.md). */

/** What the hash of a token is bound to. */
export interface TokenBinding {
  readonly providerId: string;
  readonly secret: string;
}

/**
 * What is hashed for storage. The hash reveals no token and cannot be made without the secret; a token of one provider is no token
 * of another, and nothing else that is hashed with the secret equals it.
 */
export function hashInput(token: string, { providerId, secret }: TokenBinding): string {
  return JSON.stringify(["e-mail link", providerId, token, secret]);
}

/** The link to send. */
export function buildEmailLink(
  callbackUrl: string,
  params: { callbackUrl: string; token: string; email: string },
): string {
  const url = new URL(callbackUrl);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Tokens are 43 characters unless the provider generates them; longer ones than this are refused. */
const MAX_TOKEN_LENGTH = 512;

/** Whether a value can be the token of a link: text that comes back from a URL or a form as it was sent. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && /^[^\p{C}\u2028\u2029]+$/u.test(value);
}

/** Below this a token can be guessed by trying (NIST SP 800-90A §8.6: security strengths). */
const STRONG_BITS = 128;

/** Alphabets that tokens are written in, smallest first, with the bits of one character. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]+$/, 10],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 16],
  [/^(?:[a-z]+|[A-Z]+)$/, 26],
  [/^(?:[a-z0-9]+|[A-Z0-9]+)$/, 36],
  [/^[A-Za-z]+$/, 52],
  [/^[A-Za-z0-9]+$/, 62],
  [/^[A-Za-z0-9+/=_-]+$/, 64],
];

/** Version 4 has 122 random bits, other versions fewer (RFC 9562 §5). */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Whether a token looks weaker than 128 bits, by its length and alphabet. Repetitions count once;
 * separators between groups of digits or words do not count. A token that looks strong may still be predictable: only the generator decides that.
 */
export function looksWeak(token: string): boolean {
  if (UUID.test(token)) return true;
  const bare = token.replace(/[-_.: ]/g, "");
  const text = /^(?:[0-9a-z]+|[0-9A-Z]+)$/.test(bare) ? bare : token;
  const characters = [...text.replace(/(.{1,4}?)\1{4,}/gsu, "$1")];
  const [, size] = ALPHABETS.find(([pattern]) => pattern.test(text)) ?? [null, 94];
  const seen = new Set(characters).size;
  // Text made of few different characters says little, whatever alphabet they are from.
  return characters.length * Math.log2(Math.min(size, 2 * seen)) < STRONG_BITS;
}

/** What a link carries; null when it is not one of ours. */
export function parseEmailLink(
  get: (name: string) => unknown,
): { readonly token: string; readonly email: string } | null {
  const token = get("token");
  const email = get("email");
  if (!isToken(token)) return null;
  return typeof email === "string" && email !== "" ? { token, email } : null;
}

/**
 * Whether a link still counts.
 *
 * 1. At its expiry and after it, it does not.
 * 2. Sent before the link by which the address was last proven, it does not: an older link is void once a newer one was
 *    used.
 */
export function isLinkValid(facts: {
  readonly now: EpochMilliseconds;
  readonly sentAt: EpochMilliseconds;
  readonly expires: EpochMilliseconds;
  /** When the link was sent that proved the address last; null when it never was. */
  readonly lastProven: EpochMilliseconds | null;
}): boolean {
  if (facts.now >= facts.expires) return false;
  return facts.lastProven === null || facts.sentAt >= facts.lastProven;
}
