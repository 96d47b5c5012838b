import type { EmailClaim } from "../model/identity.ts";
import { parseUrl } from "./parse-url.ts";
import { isRemovedAddress } from "./removed-address.ts";

/** E-mail addresses: in which form they are accepted and compared, and what a provider claims about one. */

/** RFC 5321 §4.5.3.1: 64 octets before the `@`, 254 in all (RFC 3696 erratum 1690). */
const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;

// An unquoted local part: no quotes, spaces, brackets, comma, semicolon or colon (RFC 5322 §3.2.3, RFC 6531 §3.3). Dots may
// stand anywhere, unlike in a dot-atom: carriers have assigned mailboxes such as `ann..b` and `ann.`.
const LOCAL = /^\.*[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]*$/u;
// Letters, digits and hyphens, after conversion to A-labels (RFC 5890 §2.3.1).
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Characters that are not visible on a screen: joiners, soft hyphens, fillers, variation selectors, tags (Unicode, UAX #44
 * Default_Ignorable_Code_Point), and the blanks that Unicode counts as letters, marks and symbols. IDNA would drop some of
 * them.
 */
const INVISIBLE =
  /\p{Default_Ignorable_Code_Point}|[\p{Cf}\u{2800}\u{1107F}\u{13441}\u{13442}\u{16FE4}\u{1D159}\u{FFFC}]/u;

/** Rules for accepted addresses. */
export interface AddressRules {
  /** Accepts a domain without a dot, such as `localhost` or a host of an intranet; default false. */
  readonly allowLocalDomains?: boolean | undefined;
}

/**
 * Reads one e-mail address and returns it in the form in which it is stored, compared and used (docs/email.md). Never
 * throws.
 *
 * 1. No invisible character on either side of the `@`: two addresses that look the same would be two users.
 * 2. Trimmed and NFKC-normalised before all other checks, so that no look-alike becomes a separator later.
 * 3. Exactly one `@`, an unquoted local part, a domain; no list, no control character.
 * 4. A domain with a dot, unless the rules allow local domains.
 * 5. Within the lengths of RFC 5321, and not the placeholder of a removed address.
 *
 * ASCII letters become lower case, and the domain is converted to A-labels. Reading the result again returns the same.
 *
 * @returns null for anything other than one address.
 */
export function parseEmailAddress(text: string, rules: AddressRules = {}): string | null {
  if (text.length > 2 * MAX_OCTETS || INVISIBLE.test(text)) return null;
  const [local, domain, ...more] = toOneSpelling(text.trim()).split("@");
  if (local === undefined || domain === undefined || more.length > 0 || !LOCAL.test(local)) return null;
  const host = toAsciiDomain(domain);
  if (host === null || !(rules.allowLocalDomains === true || host.includes("."))) return null;
  const address = `${local}@${host}`;
  if (isRemovedAddress(address)) return null;
  return octets(local) > MAX_LOCAL_OCTETS || octets(address) > MAX_OCTETS ? null : address;
}

/** An address as it was spelled, with its capitals: trimmed and NFKC-normalised. Applications may have stored it so. */
export function spellingOf(text: string): string {
  return text.trim().normalize("NFKC");
}

/**
 * Whether two spellings are the same address: they may differ in the case of ASCII letters, the form of the domain and the
 * composition of characters. NFKC normalisation maps further letters to ASCII ones, and the owner of one such mailbox does
 * not own the other (UTS #39, CVE-2019-19844).
 */
export function isSameAddress(one: string, other: string): boolean {
  return toComparable(one) === toComparable(other);
}

function toComparable(text: string): string {
  const [local = "", domain = "", ...more] = text.trim().split("@");
  const host = toAsciiDomain(toOneSpelling(domain)) ?? domain;
  return [lowerAscii(local).normalize("NFC"), host, ...more].join("@");
}

/**
 * The presumed mailbox of an address: `ann+news@x.io` becomes `ann@x.io` (RFC 5233). For rate limits only; addresses are
 * compared and stored in full.
 */
export function mailboxOf(address: string): string {
  const [local = "", domain = ""] = address.split("@");
  const [name = ""] = local.split("+");
  return `${name === "" ? local : name}@${domain}`.toLowerCase();
}

/** Composed again after conversion to lower case: `H̱` has no precomposed form, `ẖ` has one. */
function toOneSpelling(text: string): string {
  return lowerAscii(text.normalize("NFKC")).normalize("NFKC");
}

/** The text with its ASCII letters in lower case, and no others. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The URL standard's host parser performs IDNA; input that it would read as more than a host name is rejected first. */
function toAsciiDomain(domain: string): string | null {
  const url = /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? parseUrl(`https://${domain}`) : null;
  if (url === null) return null;
  const { hostname } = url;
  // A numeric host would be parsed as an IP address and change: `1.2` becomes `1.0.0.2`.
  return DOMAIN.test(hostname) && !/^[\d.]+$/.test(hostname) ? hostname : null;
}

function octets(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

type Claims = Readonly<Record<string, unknown>>;

/** What the documents of a provider (an ID token, a userinfo response) state about e-mail addresses. */
interface EmailFacts {
  /**
   * Whether the provider has a claim for it: OpenID Connect always (OIDC Core §5.1), OAuth 2 if the document contains one.
   */
  readonly hasClaim: boolean;
  /** The addresses that the document marks as verified, in its spelling. */
  readonly verified: readonly string[];
  /** Every address in the document, for a provider whose own claim only `profile()` understands. */
  readonly mentioned: readonly Mention[];
  /** The addresses with a final denial beside them, in any document. */
  readonly denied: readonly string[];
}

/** What is stated beside an address: `email_verified: false`, which is final, or a denial under another name. */
type Denial = "final" | "other" | undefined;

/** An address in a document, in its spelling. */
interface Mention {
  readonly spelling: string;
  readonly denial: Denial;
}

/** Other names of the claim, such as `verified` (Discord, Zoom) and `is_email_verified` (Kakao, Patreon). */
const OTHER_CLAIM = /^(?:is|has)?_?(?:e?mail)?_?(?:verified|confirmed)_?(?:e?mail)?$/i;

const DENIALS: readonly unknown[] = [false, "false", 0, "0", null];

/** How deep a document is searched for addresses. */
const MAX_DEPTH = 8;

/**
 * Reads what documents state about e-mail addresses. Must be called before `profile()`, which may change them.
 *
 * @param sources first the document that contains the address; any other can only deny that it is verified.
 * @param vouched the result of the provider's `verifiedEmail(document)`; undefined if it has no such function.
 */
export function readEmailFacts(
  type: "oauth" | "oidc",
  sources: readonly [Claims, ...Claims[]],
  vouched?: { readonly address: unknown },
): EmailFacts {
  const [document] = sources;
  const claim = Object.hasOwn(document, "email_verified") ? document.email_verified : undefined;
  const ownAddress = claim === true || claim === "true" ? document.email : undefined;
  const hasClaim = type === "oidc" || claim !== undefined || vouched !== undefined;
  const verified = [vouched === undefined ? ownAddress : vouched.address];
  const [mentioned = [], ...others] = sources.map((source) => addressesIn(source, MAX_DEPTH));
  const denied = [mentioned, ...others].flat().filter(({ denial }) => denial === "final");
  return { hasClaim, verified: verified.filter(isText), mentioned, denied: denied.map(({ spelling }) => spelling) };
}

/**
 * Whether the provider vouches for the user's address. The first matching rule applies:
 *
 * 1. There is no address, or `profile()` returned `emailVerified: false` or `null`: it may weaken the provider's claim.
 * 2. `email_verified: false` is stated beside the address, at any depth of any document: nothing overrules it.
 * 3. The document marks exactly this address as verified. A claim about one address does not apply to another.
 * 4. The provider has a claim that does not confirm the address: `profile()` cannot strengthen it.
 * 5. OAuth 2 without a known claim: `profile()` reads the provider's own, and its `true` applies to an address that the
 *    document contains. A date is not a claim.
 * 6. The document states beside this address, under another name, that it is not verified. Its `true` under such a name may
 *    concern something else, such as the person.
 * 7. The provider has no claim.
 *
 * @param address in its stored form.
 * @param mapped `emailVerified` as `profile()` returned it.
 */
export function decideEmailClaim(facts: EmailFacts, address: string | null, mapped: unknown): EmailClaim {
  if (address === null || mapped === false || mapped === null || mapped === "false") return "unverified";
  const isAddress = (spelling: string) => isSpellingOf(spelling, address);
  if (facts.denied.some((spelling) => normalized(spelling) === address)) return "unverified";
  if (facts.verified.some(isAddress)) return "verified";
  if (facts.hasClaim) return "unverified";
  if (mapped === true || mapped === "true") {
    return facts.mentioned.some(({ spelling }) => isAddress(spelling)) ? "verified" : "unverified";
  }
  const isDenied = facts.mentioned.some(({ denial, spelling }) => denial && normalized(spelling) === address);
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

/** @param denial of a text or list: what is stated beside it. */
function addressesIn(value: unknown, depth: number, denial?: Denial): Mention[] {
  if (typeof value === "string") return value.includes("@") ? [{ spelling: value, denial }] : [];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  const stated = Array.isArray(value) ? denial : denialIn(value);
  return Object.values(value).flatMap((member) => addressesIn(member, depth - 1, stated));
}

/** `null` states nothing, and so is not final. */
function denialIn(value: object): Denial {
  const denials = Object.entries(value).filter(([name, member]) => OTHER_CLAIM.test(name) && DENIALS.includes(member));
  if (denials.some(([name, member]) => name === "email_verified" && member !== null)) return "final";
  return denials.length > 0 ? "other" : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
