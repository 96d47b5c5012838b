import type { Cookie } from "../model/result.ts";

/** RFC 6265 §4.1.1: a cookie name is a token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII without `;`, so that a value cannot begin an attribute. Values are sealed, or percent-encoded by who set them. */
const VALUE = /^[\x21-\x3a\x3c-\x7e]*$/;

/** Labels of letters, digits and inner hyphens (RFC 1034 §3.5); a leading dot is ignored by browsers (RFC 6265 §5.2.3). */
const DOMAIN = /^\.?[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const PATH = /^[\x20-\x3a\x3c-\x7e]*$/;
const SAME_SITE = /^(?:strict|lax|none)$/i;
const PRIORITY = /^(?:low|medium|high)$/i;

/**
 * Writes one `Set-Cookie` value (RFC 6265 §4.1.1).
 *
 * @throws TypeError for a name, value or attribute that cannot be written: nothing that a client sent becomes an attribute.
 */
export function serializeCookie({ name, value, options }: Cookie): string {
  if (!NAME.test(name)) throw new TypeError("The name of a cookie must be a token (RFC 6265 §4.1.1).");
  let line = `${name}=${matching(VALUE, value, "value")}`;
  const { maxAge, domain, path, expires, sameSite, priority } = options;
  if (maxAge !== undefined) line += `; Max-Age=${matching(/^-?\d+$/, String(maxAge), "maxAge")}`;
  if (domain) line += `; Domain=${matching(DOMAIN, domain, "domain")}`;
  if (path) line += `; Path=${matching(PATH, path, "path")}`;
  // `toUTCString()` of no valid date is "Invalid Date".
  if (expires) line += `; Expires=${matching(/GMT$/, expires.toUTCString(), "expires")}`;
  if (options.httpOnly) line += "; HttpOnly";
  if (options.secure) line += "; Secure";
  if (options.partitioned) line += "; Partitioned";
  if (priority) line += `; Priority=${capitalized(matching(PRIORITY, priority, "priority"))}`;
  if (sameSite) {
    line += `; SameSite=${sameSite === true ? "Strict" : capitalized(matching(SAME_SITE, sameSite, "sameSite"))}`;
  }
  return line;
}

function matching(pattern: RegExp, text: string, what: string): string {
  if (pattern.test(text)) return text;
  throw new TypeError(`The ${what} of a cookie cannot be written.`);
}

const capitalized = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
