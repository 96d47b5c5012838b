/** RFC 5321 §4.5.3.1: 64 octets before the `@`, 254 in all (RFC 3696 erratum 1690). */
const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;

// An unquoted local part (RFC 5322 §3.2.3 dot-atom, RFC 6531 §3.3): no quotes, spaces, brackets, comma, semicolon or colon.
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
// Letters, digits and hyphens, after conversion to A-labels (RFC 5890 §2.3.1).
const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Reads one e-mail address and gives the one form in which it is stored, compared and written to (contract 8). Never throws.
 *
 * 1. Trimmed and NFKC-normalised before anything is checked, so that no look-alike turns into a separator later (safety H192).
 * 2. Exactly one `@`, an unquoted local part, a domain; no list, no control character (safety H193, H194).
 * 3. Within the lengths of RFC 5321.
 * 4. ASCII letters in lower case; the domain as A-labels, so that no look-alike domain equals another (safety H196, H198).
 *
 * @returns null for what is not one address.
 */
export function parseEmailAddress(text: string): string | null {
  if (text.length > 2 * MAX_OCTETS) return null;
  const [local, domain, ...more] = text.trim().normalize("NFKC").split("@");
  if (local === undefined || domain === undefined || more.length > 0 || !LOCAL.test(local)) return null;
  const host = toAsciiDomain(domain);
  const address = `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${host ?? ""}`;
  if (host === null || octets(local) > MAX_LOCAL_OCTETS || octets(address) > MAX_OCTETS) return null;
  return address;
}

/** The URL standard's host parser does IDNA; whatever it would take for more than a host name is refused before. */
function toAsciiDomain(domain: string): string | null {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !URL.canParse(`https://${domain}`)) return null;
  const { hostname } = new URL(`https://${domain}`);
  // A numeric host would be read as an address and change: `1.2` becomes `1.0.0.2`.
  return DOMAIN.test(hostname) && !/^[\d.]+$/.test(hostname) ? hostname : null;
}

function octets(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
