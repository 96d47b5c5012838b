import { isSameAddress, parseEmailAddress } from "./email-address.ts";

/** Whether a provider reports a user's e-mail address as verified, as unverified, or has no such claim. */
export type EmailClaim = "verified" | "unverified" | "none";

/** What one document of a provider (an ID token, a userinfo response) states about e-mail addresses. */
export interface EmailFacts {
  /**
   * Whether the provider has a claim for it: OpenID Connect always (OIDC Core §5.1), OAuth 2 if the document contains one.
   */
  readonly hasClaim: boolean;
  /** The addresses that the document marks as verified, in its spelling. */
  readonly verified: readonly string[];
  /** Every address in the document, for a provider whose own claim only `profile()` understands. */
  readonly mentioned: readonly Mention[];
}

/** An address in a document, in its spelling, and whether a member beside it states that it is not verified. */
interface Mention {
  readonly spelling: string;
  readonly isDenied: boolean;
}

/** Other names of the claim, such as `verified` (Discord, Zoom) and `is_email_verified` (Kakao, Patreon). */
const OTHER_CLAIM = /^(?:is|has)?_?(?:e?mail)?_?(?:verified|confirmed)_?(?:e?mail)?$/i;

const DENIALS: readonly unknown[] = [false, "false", 0, "0", null];

/** How deep a document is searched for addresses. */
const MAX_DEPTH = 8;

/**
 * Reads what a document states about e-mail addresses. Must be called before `profile()`, which may change the document.
 *
 * @param vouched the result of the provider's `verifiedEmail(document)`; undefined if it has no such function.
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
 * Whether the provider vouches for the user's address. The first matching rule applies:
 *
 * 1. There is no address, or `profile()` returned `emailVerified: false` or `null`: it may weaken the provider's claim.
 * 2. The document marks exactly this address as verified. A claim about one address does not apply to another.
 * 3. The provider has a claim that does not confirm the address: `profile()` cannot strengthen it.
 * 4. OAuth 2 without a known claim: `profile()` reads the provider's own, and its `true` applies to an address that the
 *    document contains. A date is not a claim.
 * 5. The document states beside this address, under another name, that it is not verified. Its `true` under such a name may
 *    concern something else, such as the person.
 * 6. The provider has no claim.
 *
 * @param address in its stored form.
 * @param mapped `emailVerified` as `profile()` returned it.
 */
export function decideEmailClaim(facts: EmailFacts, address: string | null, mapped: unknown): EmailClaim {
  if (address === null || mapped === false || mapped === null || mapped === "false") return "unverified";
  const isAddress = (spelling: string) => isSpellingOf(spelling, address);
  if (facts.verified.some(isAddress)) return "verified";
  if (facts.hasClaim) return "unverified";
  if (mapped === true || mapped === "true") {
    return facts.mentioned.some(({ spelling }) => isAddress(spelling)) ? "verified" : "unverified";
  }
  const isDenied = facts.mentioned.some((mention) => mention.isDenied && normalized(mention.spelling) === address);
  return isDenied ? "unverified" : "none";
}

/**
 * Whether a spelling equals the address except for the case of ASCII letters and the form of the domain. Normalisation maps
 * other letters to ASCII ones, and the owner of one such mailbox does not own the other (UTS #39, Unicode case mapping
 * attacks).
 */
function isSpellingOf(spelling: string, address: string): boolean {
  return normalized(spelling) === address && isSameAddress(spelling, address);
}

function normalized(spelling: string): string | null {
  return parseEmailAddress(spelling, { allowLocalDomains: true });
}

/** @param isDenied of a text or list: whether a member beside it states that the address is not verified. */
function addressesIn(value: unknown, depth: number, isDenied = false): Mention[] {
  if (typeof value === "string") return value.includes("@") ? [{ spelling: value, isDenied }] : [];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  const denies = Array.isArray(value)
    ? isDenied
    : Object.entries(value).some(([name, member]) => OTHER_CLAIM.test(name) && DENIALS.includes(member));
  return Object.values(value).flatMap((member) => addressesIn(member, depth - 1, denies));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
