import { constantFrom, domain, integer, option, string, tuple } from "fast-check";

/** How many code points are halves of surrogate pairs, and the first of them. */
const HALVES = 0x800;
const FIRST_HALF = 0xd800;

/**
 * Every Unicode character, as a unit of fast-check's `string()`. The same as its `"binary"`, but this has no table of a million entries,
 * which each thread would take seconds to fill.
 */
export const codePoint = integer({ min: 0, max: 0x10ffff - HALVES }).map(
  (index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES),
  (character) => {
    const code = typeof character === "string" ? character.codePointAt(0) : undefined;
    if (code === undefined || character !== String.fromCodePoint(code)) throw new Error("This is not one character.");
    return code < FIRST_HALF ? code : code - HALVES;
  },
);

/** What a URL contains after its host: RFC 3986 §3.3. Percent-encoded characters come from the one above. */
const inPath = integer({ min: 0, max: 9 }).chain((n) =>
  n > 0 ? constantFrom(..."abzABZ09-._~!$&'()*+,;=:@") : codePoint.map(encodeURIComponent),
);
const inQuery = integer({ min: 0, max: 9 }).chain((n) => (n > 0 ? inPath : constantFrom("/", "?")));

/** A path, like fast-check's `webPath()`, which fills such a table. */
export const urlPath = string({
  unit: integer({ min: 0, max: 5 }).chain((n) => (n > 0 ? inPath : constantFrom("/"))),
}).map((path) => `/${path}`);

/** An http(s) URL, like fast-check's `webUrl()`, which fills such a table. */
export const webUrl = tuple(
  constantFrom("http://", "https://"),
  domain(),
  option(urlPath, { nil: "" }),
  option(
    string({ unit: inQuery }).map((query) => `?${query}`),
    { nil: "" },
  ),
  option(
    string({ unit: inQuery }).map((fragment) => `#${fragment}`),
    { nil: "" },
  ),
).map((parts) => parts.join(""));
