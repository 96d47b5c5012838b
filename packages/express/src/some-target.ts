/** For tests: request targets that URL parsers, routers and file systems could interpret differently. */
import fc from "fast-check";

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("admin", "auth", "session", "signin", "login", "files", "api", "secret.txt", "app"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("..", "%2e%2e", ".%2E", "%252e%252e", ".", "%2e", "..%2f", "..%5c", "..\\", "%2F", ""),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "%61dmin",
      "ADMIN",
      "Auth",
      "%",
      "%00",
      "a%20b",
      "{x}",
      "%zz",
      "x@y",
      "#",
      "?x",
      ";",
      "a",
      "b",
      "[::1]",
      "javascript:",
      "\t",
      "\f",
      "\u00ad",
      '"',
      "*",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(..."abc.%2/\\#?@:{}~e5f0\t\f\u00a0\u00ff^|<>`';=&"), maxLength: 4 }),
  },
);
const joint = fc.constantFrom("/", "/", "/", "/", "/", "//", "\\", "%2f", "%5C", "");
/** The target of a request line, one byte per character. */
export const target: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      "/",
      "/",
      "/",
      "/",
      "/",
      "//",
      "//a@b/",
      "///",
      "/\\",
      "/\t/",
      "/http://a/",
      "http://localhost/",
      "HTTPS://localhost:80",
      "http://a;b/",
      "http:/",
      "",
      "/%2f",
    ),
    fc.array(fc.tuple(piece, joint), { minLength: 0, maxLength: 6 }),
    fc.constantFrom("", "", "", "?x=1", "#", "?a=/../b", "#/../x", "\u00a0", "?x\u00a0"),
  )
  .map(([start, parts, end]) => `${start}${parts.flat().join("")}${end}`);
