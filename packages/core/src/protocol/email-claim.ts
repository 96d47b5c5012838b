import { isSameAddress, parseEmailAddress } from "./email-address.ts";

/** Whether a provider vouches for the e-mail address of a user: it says so, it does not, or it has no claim for it. */
export type EmailClaim = "verified" | "unverified" | "none";

/** What one document of a provider (an ID token, a userinfo answer) says of e-mail addresses. */
export interface EmailFacts {
  /** Whether the provider has a claim for it: OpenID Connect always (OIDC Core §5.1), OAuth 2 where the document has one. */
  readonly hasClaim: boolean;
  /** The addresses that the document says are verified, as it spells them. */
  readonly verified: readonly string[];
  /** Every address in the document, for a provider whose own claim only `profile()` understands. */
  readonly mentioned: readonly string[];
}

/** How deep a document is searched for addresses. */
const MAX_DEPTH = 8;

/**
 * Reads what a document says of e-mail addresses. Call it before `profile()`, which may change the document.
 *
 * @param vouched what the provider object's `verifiedEmail(document)` returned; undefined when it has no such function.
 */
export function readEmailFacts(
  type: "oauth" | "oidc",
  document: Readonly<Record<string, unknown>>,
  vouched?: { readonly address: unknown },
): EmailFacts {
  const claim = Object.hasOwn(document, "email_verified") ? document.email_verified : undefined;
  const ownAddress = claim === true || claim === "true" ? document.email : undefined;
  const hasClaim = type === "oidc" || claim !== undefined || vouched !== undefined;
  const verified = [vouched === undefined ? ownAddress : vouched.address];
  return { hasClaim, verified: verified.filter(isText), mentioned: addressesIn(document, MAX_DEPTH) };
}

/**
 * Whether the provider vouches for the address that a user gets. First row that fits:
 *
 * 1. There is no address, or `profile()` returned `emailVerified: false` or `null`: it may be weaker than the provider.
 * 2. The document says beside that very address that it is verified. A claim about one address says nothing of another.
 * 3. The provider has a claim, and it does not say so: `profile()` cannot make it stronger.
 * 4. OAuth 2 without a known claim: `profile()` reads the provider's own, and its `true` counts for an address that the document
 *    holds. A date is not a claim.
 * 5. The provider has no claim.
 *
 * @param address in its stored form.
 * @param mapped `emailVerified` as `profile()` returned it.
 */
export function decideEmailClaim(facts: EmailFacts, address: string | null, mapped: unknown): EmailClaim {
  if (address === null || mapped === false || mapped === null || mapped === "false") return "unverified";
  const isAddress = (spelling: string) => isSpellingOf(spelling, address);
  if (facts.verified.some(isAddress)) return "verified";
  if (facts.hasClaim) return "unverified";
  if (mapped === true || mapped === "true") return facts.mentioned.some(isAddress) ? "verified" : "unverified";
  return "none";
}

/**
 * Whether a spelling is the address but for the case of ASCII letters and the form of the domain. Normalisation maps other
 * letters to ASCII ones, and whoever owns the one mailbox does not own the other (UTS #39, Unicode case mapping attacks).
 */
function isSpellingOf(spelling: string, address: string): boolean {
  return parseEmailAddress(spelling, { allowLocalDomains: true }) === address && isSameAddress(spelling, address);
}

function addressesIn(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value.includes("@") ? [value] : [];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.values(value).flatMap((member) => addressesIn(member, depth - 1));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
