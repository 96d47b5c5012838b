import type { EpochMilliseconds } from "../model/units.ts";
import { isFuture } from "./is-recent.ts";

/**
 * Tokens in e-mail links: how they are hashed and put into links, when links expire, and how strong tokens appear
 * (docs/email.md).
 */

/** What a token's hash is bound to. */
interface TokenBinding {
  readonly providerId: string;
  readonly secret: string;
  /** The application's own data in the link, encrypted; empty if there is none. Binding it prevents its removal from the link. */
  readonly own?: string;
}

/**
 * The input of the stored hash. The hash does not reveal the token and cannot be computed without the secret. A token of
 * one provider is not valid for another, and no other value hashed with the secret has the same input.
 */
export function hashInput(token: string, { providerId, secret, own = "" }: TokenBinding): string {
  return JSON.stringify(["e-mail link", providerId, token, secret, ...(own === "" ? [] : [own])]);
}

/** The link to send. */
export function buildEmailLink(
  callbackUrl: string,
  params: { callbackUrl: string; token: string; email: string; context?: string },
): string {
  const url = new URL(callbackUrl);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Tokens have 43 characters unless the provider generates them; longer ones than this are rejected. */
const MAX_LINK_TOKEN_LENGTH = 512;

/** Whether a value can be the token of a link: text that URLs and forms transmit unchanged. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_LINK_TOKEN_LENGTH && /^[^\p{C}\u2028\u2029]+$/u.test(value);
}

/** Tokens below this strength can be guessed (NIST SP 800-90A §8.6: security strengths). */
const STRONG_BITS = 128;

/** Alphabets of tokens, smallest first, with the bits per character. */
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
 * Whether a token appears weaker than 128 bits, judged by its length and alphabet. Repetitions count once; separators between
 * groups of digits or words do not count. A token that appears strong may still be predictable, depending on its generator.
 */
export function looksWeak(token: string): boolean {
  if (UUID.test(token)) return true;
  const bare = token.replace(/[-_.: ]/g, "");
  const text = /^(?:[0-9a-z]+|[0-9A-Z]+)$/.test(bare) ? bare : token;
  const characters = [...text.replace(/(.{1,4}?)\1{4,}/gsu, "$1")];
  const [, size] = ALPHABETS.find(([pattern]) => pattern.test(text)) ?? [null, 94];
  const seen = new Set(characters).size;
  // Text with few different characters has little entropy, whatever their alphabet.
  return characters.length * Math.log2(Math.min(size, 2 * seen)) < STRONG_BITS;
}

/** The parameters of a link. */
export interface EmailLink {
  readonly token: string;
  readonly email: string;
  /** The application's own data, encrypted. */
  readonly context?: string;
}

/**
 * Reads the parameters of a link; null if it is not one of ours. A space within the address, which has none, is a `+` that a mail program
 * or a click tracker no longer escaped.
 */
export function parseEmailLink(get: (name: string) => unknown): EmailLink | null {
  const token = get("token");
  const given = get("email");
  const context = get("context");
  if (!isToken(token) || typeof given !== "string" || given === "") return null;
  const email = given.trim().replaceAll(" ", "+");
  return typeof context === "string" && context !== "" ? { token, email, context } : { token, email };
}

/**
 * Whether a link is still valid.
 *
 * 1. It is invalid from its expiry on.
 * 2. It is invalid if it was sent before the link that last verified the address: using a newer link invalidates older
 *    ones. A time in the future, of a server whose clock is ahead, tells nothing: it would invalidate every new link.
 */
export function isLinkValid(facts: {
  readonly now: EpochMilliseconds;
  readonly sentAt: EpochMilliseconds;
  readonly expires: EpochMilliseconds;
  /** When the link that last verified the address was sent; null if none was. */
  readonly lastProven: EpochMilliseconds | null;
}): boolean {
  if (facts.now >= facts.expires) return false;
  const { now, sentAt, lastProven } = facts;
  return lastProven === null || sentAt >= lastProven || isFuture(lastProven / 1000, now / 1000);
}
