import type { EpochMilliseconds } from "../model/units.ts";

/** Tokens in e-mail links: what is hashed, what a link looks like, when one is void (contract 8). */

/** What is hashed for storage: whoever reads the database learns no token, and without the secret cannot make one. */
export function hashInput(token: string, secret: string): string {
  return `${token}${secret}`;
}

/** The link to send (contract 8). */
export function buildEmailLink(
  callbackUrl: string,
  params: { callbackUrl: string; token: string; email: string },
): string {
  const url = new URL(callbackUrl);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Tokens are 43 characters unless an application makes its own; nobody's are longer than this. */
const MAX_TOKEN_LENGTH = 512;

/** What a link carries; null when it is not one of ours. */
export function parseEmailLink(
  get: (name: string) => unknown,
): { readonly token: string; readonly email: string } | null {
  const token = get("token");
  const email = get("email");
  if (typeof token !== "string" || token === "" || token.length > MAX_TOKEN_LENGTH) return null;
  return typeof email === "string" && email !== "" ? { token, email } : null;
}

/**
 * Whether a link still counts.
 *
 * 1. At its expiry and after it, it does not (safety H174).
 * 2. Sent before the link by which the address was last proven, it does not: an older link is void once a newer one was
 *    used (safety H175).
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
