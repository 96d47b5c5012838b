import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { parseRequestPath } from "./request-path.ts";

const refused = { kind: "refused" };

describe("parseRequestPath()", () => {
  it.each([
    ["/admin/../auth/x"],
    ["/admin/.."],
    ["/.."],
    ["/./admin"],
    ["/admin/."],
    ["/admin/%2e%2e/auth/x"],
    ["/admin/%2E./auth/x"],
    ["/admin/.%2e/auth/x"],
    ["/auth/..%2fadmin/secret.txt"],
    ["/auth/%2e%2e%2fadmin"],
    ["/admin/%252e%252e/auth/x"],
    ["/admin/%252e%252e%252fauth"],
    ["/admin/%25%32%65%25%32%65/auth"],
    ["/a\\..\\auth/x"],
    ["/a\\b"],
    ["/a%5cb"],
    ["/a%5Cb"],
    ["/a%255cb"],
    ["/100%"],
    ["/a%2"],
    ["/a%zz"],
    ["/a%00"],
    ["/a%2500"],
    ["/a\tb"],
    ["/a\0"],
    ["/a%0d%0ab"],
    ["/a%7f"],
    ["/a\x7f"],
    ["auth/signin"],
    ["*"],
    [""],
  ])("refuses %j", (sent) => {
    expect(parseRequestPath(sent)).toEqual(refused);
  });

  it.each([
    ["/", "/"],
    ["/admin", "/admin"],
    ["/admin/", "/admin"],
    ["//admin///x//", "/admin/x"],
    ["///", "/"],
    ["/%61dmin", "/admin"],
    ["/a%2Db%7e", "/a-b~"],
    ["/a.b/..c/d../...", "/a.b/..c/d../..."],
    ["/a%2eb", "/a.b"],
    ["/projects/group%2fname", "/projects/group%2Fname"],
    ["/100%25", "/100%25"],
    ["/100%2525", "/100%2525"],
    ["/a%3fb%23c", "/a%3Fb%23c"],
    ["/a b/{x}", "/a%20b/%7Bx%7D"],
    ["/a%20b/%7bx%7d", "/a%20b/%7Bx%7D"],
    ["/a[1]|'();,@:!$&*+=", "/a[1]|'();,@:!$&*+="],
    ["/a%5b1%5d%7c%27%3b", "/a[1]|';"],
    ["/日本", "/%E6%97%A5%E6%9C%AC"],
    ["/%e6%97%a5", "/%E6%97%A5"],
    ["/%ff", "/%FF"],
    ["/🦉\ud800", "/%F0%9F%A6%89%EF%BF%BD"],
  ])("gives %j the one spelling %s", (sent, canonical) => {
    expect(parseRequestPath(sent)).toMatchObject({ kind: "path", canonical });
  });

  it("compares exactly only what has neither an escape nor an empty segment", () => {
    const exactOf = (sent: string) => {
      const path = parseRequestPath(sent);
      return path.kind === "path" ? path.exact : "refused";
    };
    expect(["/auth/signin", "/auth/signin/", "/"].map(exactOf)).toEqual(["/auth/signin", "/auth/signin/", "/"]);
    expect(["/auth//signin", "//auth/signin", "/auth/signin//", "/%61uth/signin"].map(exactOf)).toEqual(
      Array.from({ length: 4 }),
    );
  });

  it("knows an encoded slash in either case, and no other", () => {
    const has = (sent: string) => {
      const path = parseRequestPath(sent);
      return path.kind === "path" && path.hasEncodedSlash;
    };
    expect(["/a%2Fb", "/a%2fb", "/a%252Fb", "/a/b"].map(has)).toEqual([true, true, false, false]);
  });

  const piece = fc.oneof(
    fc.constantFrom("..", ".", "%2e", "%2E", "%2f", "%5c", "\\", "%25", "%", "/", "//", "%00", "é", " ", "{", "admin"),
    fc.string({ unit: codePoint, maxLength: 3 }),
    fc.integer({ min: 0, max: 255 }).map((octet) => `%${octet.toString(16).padStart(2, "0")}`),
  );
  const target = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`);

  it.each([
    "/admin/..%20",
    "/admin/%2e%2e%20%20",
    "/admin/.%2520",
    "/%2f..%20",
    "/a/..%3fx",
    "/a/..%23x",
    "/a/%252e%252e%253f",
  ])("refuses %s, in which a reading ends in a dot segment once it is parsed", (sent) =>
    expect(parseRequestPath(sent)).toEqual({ kind: "refused" }),
  );

  it.each(["/admin/..%20x", "/a/..b", "/a%20", "/a.%20", "/a%3f..b"])("accepts %s, which has none", (sent) =>
    expect(parseRequestPath(sent)).toMatchObject({ kind: "path" }),
  );

  it("leaves nothing for a URL parser to change, and is its own canonical spelling", () => {
    fc.assert(
      fc.property(target, (sent) => {
        const path = parseRequestPath(sent);
        if (path.kind === "refused") return;
        expect(new URL(`http://localhost${path.canonical}`).pathname).toBe(path.canonical);
        expect(parseRequestPath(path.canonical)).toMatchObject({ canonical: path.canonical });
      }),
      { numRuns: 3000 },
    );
  });

  it("accepts no path that becomes another by decoding it, once or twice, and parsing it as a URL", () => {
    const segments = (path: string) => new URL(`http://localhost${path}`).pathname.split(/\/|%2f/i).length;
    fc.assert(
      fc.property(target, (sent) => {
        const path = parseRequestPath(sent);
        if (path.kind === "refused") return;
        const octets = (text: string) =>
          text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        const once = octets(sent);
        for (const reading of [sent, once, octets(once)]) {
          const literal = reading.replace(/[?#]/g, "-").replace(/%(?![0-9a-f]{2})/gi, "-");
          expect(segments(literal)).toBe(literal.split(/\/|%2f/i).length);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
