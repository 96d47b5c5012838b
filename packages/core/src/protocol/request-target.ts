import { FIELD_LIMIT, NAME_LIMIT } from "./form-fields.ts";

/** A request target (RFC 9112 §3.2): its parts, its path and its query, read so that a guard and a router read the same. */

/** An absolute form (RFC 9112 §3.2.2) that all URL parsers split in the same way. */
const ABSOLUTE = /^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)/i;

/** Path and query of a request target. */
export interface TargetParts {
  /** At least `/`. */
  readonly path: string;
  /** With its delimiter; empty for none. */
  readonly query: string;
}

/**
 * Splits a request target by characters only. The host of an absolute form is ignored: the `Host` header contains it.
 *
 * @param hasSemicolons whether the router lets `;` begin the query as well.
 * @returns null if the target is not a path (RFC 9112 §3.2), or parsers could split it differently.
 */
export function splitTarget(target: string, hasSemicolons = false): TargetParts | null {
  const rest = target.replace(ABSOLUTE, "");
  if (rest === target ? !target.startsWith("/") : !/^(?:[/?#]|$)/.test(rest)) return null;
  const [, path = "", query = ""] = (hasSemicolons ? /^([^?#;]*)(\?[^#]*)?/ : /^([^?#]*)(\?[^#]*)?/).exec(rest) ?? [];
  return { path: path === "" ? "/" : path, query };
}

const PLAIN_TARGET = /^(?:https?:\/\/[^/?#]+)?\/[^#]*$/;

/**
 * Whether routers and query parsers split a target in the same way: a path, possibly after a host (RFC 9112 §3.2). Some routers search
 * for the first slash after the host, even in the query, and for `http` in lower case; some parsers read a fragment, which a target
 * does not have, as a part of the query.
 */
export function isPlainTarget(target: string): boolean {
  return PLAIN_TARGET.test(target);
}

/** The path of a request target, as guards and routers may read it. */
type RequestPath =
  | { readonly kind: "refused" }
  | {
      readonly kind: "path";
      /** The one spelling used for decisions; `new URL()` leaves it unchanged. */
      readonly canonical: string;
      /** The path as it was sent, if that is `canonical`, with or without a slash at the end: only then can it be compared exactly. */
      readonly exact: string | undefined;
      /**
       * Whether every router matches it as it matches `canonical`: no segment is empty but the last, and what needs no escape has none.
       * Routers decode such escapes before they match a path, afterwards, or in part.
       */
      readonly isPlain: boolean;
      /** Whether it contains `%2F`, which some routers treat as a slash and others as part of a name. */
      readonly hasEncodedSlash: boolean;
    };

const MALFORMED_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const ESCAPE = /%([0-9A-Fa-f]{2})/g;
/**
 * Control characters, and characters that URL parsers treat as a slash while routers and file systems may not (WHATWG URL
 * §4.4).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const FORBIDDEN = /[\x00-\x1f\x7f\\]/;
/** Includes dot segments before a decoded `?` or `#`, and before trailing spaces, which URL parsers trim (WHATWG URL §4.4). */
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:[/?#]| *$)/;
/**
 * Characters that must stay escaped: the path percent-encode set (WHATWG URL §1.3), and those that would change the path's
 * meaning.
 */
const ENCODED = /[^\x21\x24\x26-\x2e\x30-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7c\x7e]/gu;

/** Non-empty segments of unreserved characters (RFC 3986 §2.3) that do not start with a dot, like those of most paths. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;

/**
 * Decides which path a request target names, so that guard and router use the same string. Never throws.
 *
 * 1. Rejected: a malformed escape; a control character, a backslash or a dot segment in any reading: as sent, after one
 *    percent-decoding, after two. A URL parser removes dot segments (RFC 3986 §5.2.4), a router does not.
 * 2. Everything else has one canonical spelling (RFC 3986 §6.2.2): characters that a URL parser does not encode are
 *    decoded, the rest is upper-case hexadecimal, and empty segments are dropped. `%2F` and `%25` stay: decoded, they would
 *    mean another path.
 *
 * @param sent the path of the target without its query, as close to the original as the caller can see.
 */
export function parseRequestPath(sent: string): RequestPath {
  // All readings of such a path are equal.
  if (PLAIN_PATH.test(sent))
    return { kind: "path", canonical: sent, exact: sent, isPlain: true, hasEncodedSlash: false };
  if (!sent.startsWith("/") || MALFORMED_ESCAPE.test(sent)) return { kind: "refused" };
  const once = decodeOctets(sent);
  const readings = [sent, once, decodeOctets(once)];
  if (readings.some((reading) => FORBIDDEN.test(reading) || DOT_SEGMENT.test(reading))) return { kind: "refused" };
  const segments = sent.split("/").filter((segment) => segment !== "");
  const canonical = `/${segments.map(canonicalSegment).join("/")}`;
  return {
    kind: "path",
    canonical,
    exact: withoutLastSlash(sent) === canonical ? sent : undefined,
    isPlain: withoutLastSlash(encodeRaw(sent)) === canonical,
    hasEncodedSlash: /%2f/i.test(sent),
  };
}

/**
 * The path of a URL as it was sent, if the URL still has it: a server may create request objects whose `url` is the
 * original target, and `new URL()` would remove its dot segments before they are checked.
 *
 * @throws TypeError if it is not a URL.
 */
export function pathOfUrl(url: string): string {
  const [, path = ""] = /^https?:\/\/[^/?#\\]*([^?#]*)/i.exec(url) ?? [];
  return path.includes("/") || path.includes("\\") ? path : new URL(url).pathname;
}

/** Octets as characters; a malformed escape stays. Only ASCII is searched for in the result. */
function decodeOctets(text: string): string {
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function canonicalSegment(segment: string): string {
  return mapEscapes(segment, canonicalOctet);
}

/** The path with its escapes as they were sent, except for their case, and with what needs an escape escaped. */
function encodeRaw(path: string): string {
  const encodeSegment = (segment: string) => mapEscapes(segment, (escaped) => escaped.toUpperCase());
  return path.split("/").map(encodeSegment).join("/");
}

function mapEscapes(text: string, map: (escaped: string) => string): string {
  const parts = text.split(/(%[0-9A-Fa-f]{2})/);
  return parts.map((part, index) => (index % 2 === 1 ? map(part) : part.replace(ENCODED, encodeCharacter))).join("");
}

const withoutLastSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, "");

function canonicalOctet(escaped: string): string {
  const decoded = decodeOctets(escaped);
  return decoded.replace(ENCODED, "") === "" ? escaped.toUpperCase() : decoded;
}

/** One character in UTF-8; a lone surrogate as a URL parser writes it. */
function encodeCharacter(character: string): string {
  return /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);
}

/** Escapes, or what looks like one, of anything but ASCII characters. */
const NOT_ASCII = /(?:%(?![0-7][\da-f])(?:[\da-f]{2})?)+/gi;

/**
 * The first 200 parameters in the query of a URL, with the limits of a body: no link or provider has as many. Those with a name of more
 * than 256 characters as sent are left out. Escapes as in {@link readableEscapes}. Never throws.
 */
export function queryOf({ search }: URL): URLSearchParams {
  const parameters = search.slice(1).split("&", FIELD_LIMIT);
  const named = parameters.filter((one) => one.slice(0, NAME_LIMIT + 1).includes("=") || one.length <= NAME_LIMIT);
  return new URLSearchParams(readableEscapes(`?${named.join("&")}`));
}

/**
 * A query without escapes that are malformed or not UTF-8. With one of them, all that are not of ASCII characters become U+FFFD.
 * Node.js takes several microseconds for each parameter with such an escape: a header has room for twenty milliseconds of them. Never throws.
 */
export function readableEscapes(text: string): string {
  try {
    // The result is used, because bundlers remove a call whose result is not.
    return decodeURIComponent(text) === "" ? "" : text;
  } catch {
    return text.replace(NOT_ASCII, "\ufffd");
  }
}
