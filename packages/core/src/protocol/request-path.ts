/** What a guard and a router may make of the path of a request target. */
export type RequestPath =
  | { readonly kind: "refused" }
  | {
      readonly kind: "path";
      /** The one spelling under which the path is judged; `new URL()` leaves it as it is. */
      readonly canonical: string;
      /** The path as it was sent, where it has no `%` and no empty segment: only then can it be compared exactly. */
      readonly exact: string | undefined;
      /** Whether it holds `%2F`: to some routers a slash, to others a character of a name. */
      readonly hasEncodedSlash: boolean;
    };

const MALFORMED_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
const ESCAPE = /%([0-9A-Fa-f]{2})/g;
/** Control characters, and what URL parsers take for a slash while routers and file systems may not (WHATWG URL §4.4). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const FORBIDDEN = /[\x00-\x1f\x7f\\]/;
const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/;
/** What has to stay escaped: the path percent-encode set (WHATWG URL §1.3), and what would change the path's meaning. */
const ENCODED = /[^\x21\x24\x26-\x2e\x30-\x3b\x3d\x40-\x5b\x5d\x5f\x61-\x7a\x7c\x7e]/gu;
const EMPTY_SEGMENT = /\/\//;

/**
 * Decides what path a request target names, so that a guard and a router judge the same string. Never throws.
 *
 * 1. Refused: a malformed escape; a control character, a backslash or a dot segment in any reading: as sent, after one
 *    percent-decoding, after two. A URL parser removes dot segments (RFC 3986 §5.2.4), a router does not.
 * 2. Everything else has one canonical spelling (RFC 3986 §6.2.2): what a URL parser does not itself encode is decoded, the
 *    rest is in upper-case hexadecimal, empty segments are dropped. `%2F` and `%25` stay: decoded, they would mean another path.
 *
 * @param sent the path of the target without its query, as near to what was sent as the caller can see.
 */
export function parseRequestPath(sent: string): RequestPath {
  if (!sent.startsWith("/") || MALFORMED_ESCAPE.test(sent)) return { kind: "refused" };
  const once = decode(sent);
  const readings = [sent, once, decode(once)];
  if (readings.some((reading) => FORBIDDEN.test(reading) || DOT_SEGMENT.test(reading))) return { kind: "refused" };
  const isExact = !sent.includes("%") && !EMPTY_SEGMENT.test(sent);
  const segments = sent.split("/").filter((segment) => segment !== "");
  return {
    kind: "path",
    canonical: `/${segments.map(canonicalSegment).join("/")}`,
    exact: isExact ? sent : undefined,
    hasEncodedSlash: /%2f/i.test(sent),
  };
}

/**
 * The path of a URL as it was sent, where the URL has it still: a server may make request objects whose `url` is the target as it
 * came, and `new URL()` would take its dot segments away before anyone has judged them.
 *
 * @throws TypeError when it is no URL.
 */
export function pathOfUrl(url: string): string {
  const [, path = ""] = /^https?:\/\/[^/?#\\]*([^?#]*)/i.exec(url) ?? [];
  return path.includes("/") || path.includes("\\") ? path : new URL(url).pathname;
}

/** Octets as characters; an escape that is malformed stays. What is looked for in the result is ASCII. */
function decode(text: string): string {
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function canonicalSegment(segment: string): string {
  const parts = segment.split(/(%[0-9A-Fa-f]{2})/);
  return parts.map((part, index) => (index % 2 === 1 ? canonicalOctet(part) : part.replace(ENCODED, encode))).join("");
}

function canonicalOctet(escaped: string): string {
  const decoded = decode(escaped);
  return decoded.replace(ENCODED, "") === "" ? escaped.toUpperCase() : decoded;
}

/** One character in UTF-8; a lone surrogate as a URL parser writes it. */
function encode(character: string): string {
  return /\p{Surrogate}/u.test(character) ? "%EF%BF%BD" : encodeURIComponent(character);
}
