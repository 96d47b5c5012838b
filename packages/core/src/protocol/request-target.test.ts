import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { isPlainTarget, parseRequestPath, queryOf, readableEscapes, splitTarget } from "./request-target.ts";

describe("splitTarget()", () => {
  it.each([
    ["/a/b?c=/d?e#f", "/a/b", "?c=/d?e"],
    ["/a#b?c", "/a", ""],
    ["//a@b/c", "//a@b/c", ""],
    ["/a;b?c", "/a;b", "?c"],
    ["http://localhost/a?b", "/a", "?b"],
    ["HTTPS://[::1]:80", "/", ""],
    ["http://localhost?b", "/", "?b"],
  ])("splits %j by characters", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });

  it.each(["", "*", "a/b", "http:/a", "http://a@b/c", "http://a\\b/c", "ftp://a/b", "http://a:123456/"])(
    "refuses %j",
    (target) => expect(splitTarget(target)).toBeNull(),
  );

  it("lets a semicolon begin the query where the router does", () => {
    expect(splitTarget("/a;b?c", true)).toEqual({ path: "/a", query: "" });
    expect(splitTarget("/a?b;c", true)).toEqual({ path: "/a", query: "?b;c" });
  });
});

describe("isPlainTarget()", () => {
  it.each([
    ["/a/b?c=/d?e", true],
    ["http://localhost/", true],
    ["https://[::1]:80/a?b", true],
    ["http://localhost", false],
    ["http://localhost?a/b", false],
    ["HTTP://localhost/a", false],
    ["/a#b", false],
    ["/a?b#c", false],
    ["*", false],
    ["", false],
  ])("of %j is %j", (target, isPlain) => expect(isPlainTarget(target)).toBe(isPlain));
});

const refused = { kind: "refused" };

describe("parseRequestPath()", () => {
  it.each([
    ["/", true],
    ["/about", true],
    ["/about/", true],
    ["/.well-known/x", true],
    ["/caf%c3%a9/%7Bx%7D/a%2Fb/100%25", true],
    ["/caf\u00e9/{x}", true],
    ["//about", false],
    ["/about//", false],
    ["//", false],
    ["/%61bout", false],
    ["/%40me", false],
    ["/a%2Bb", false],
  ])("knows whether every router reads %s alike: %s", (sent, isPlain) => {
    expect(parseRequestPath(sent)).toMatchObject({ kind: "path", isPlain });
  });

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

  it("compares exactly only what has no empty segment, and no escape or those of the canonical spelling", () => {
    const exactOf = (sent: string) => {
      const path = parseRequestPath(sent);
      return path.kind === "path" ? path.exact : "refused";
    };
    const exact = ["/auth/signin", "/auth/signin/", "/", "/f%C3%BCr", "/log%7Bin%7D/", "/a%2Fb", "/100%25"];
    expect(exact.map(exactOf)).toEqual(exact);
    const others = ["/auth//signin", "//auth/signin", "/auth/signin//", "/%61uth/signin", "/f%c3%bcr", "/f%C3%bcr"];
    for (const sent of [...others, "/für/%C3%BC", "/f%C3%BCr//", "//f%C3%BCr", "/a%2fb", "/a%2Eb"])
      expect([sent, exactOf(sent)]).toEqual([sent, undefined]);
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

const urlWith = (query: string) => new URL(`https://app.example.com/auth/session?${query}`);

/** Pieces of queries, as browsers write them and as no browser would. */
const piece = fc.constantFrom(
  ..."&=+?%aé",
  "%41",
  "%26",
  "%3d",
  "%25",
  "%c3%a9",
  "%ff",
  "%c3",
  "%zz",
  "%4",
  "%EF%BB%BF",
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

/** The same without what is not decoded alike: every character above ASCII. */
const asciiOf = (params: URLSearchParams) =>
  [...params].map((pair) => pair.map((value) => value.replace(/[^\0-\x7f]+/g, "")).join("="));

describe("queryOf()", () => {
  it("reads a query as URLSearchParams does, if its escapes are UTF-8", () => {
    fc.assert(
      fc.property(text, (query) => {
        fc.pre(readableEscapes(query) === query);
        const url = urlWith(query);
        expect([...queryOf(url)]).toEqual([...url.searchParams]);
      }),
    );
  });

  it("reads what is ASCII in any other query as URLSearchParams does, except a % that begins no escape", () => {
    fc.assert(
      fc.property(text, (query) => {
        const url = urlWith(query.replace(/%(?![\da-f]{2})/gi, ""));
        expect(asciiOf(queryOf(url))).toEqual(asciiOf(url.searchParams));
      }),
    );
  });

  it.each([
    [
      "%ff%fe=1&a=%41%C3",
      [
        ["\ufffd", "1"],
        ["a", "A\ufffd"],
      ],
    ],
    [
      "a=100%&b=1",
      [
        ["a", "100\ufffd"],
        ["b", "1"],
      ],
    ],
    [
      "error=access_denied&error_description=refus%E9",
      [
        ["error", "access_denied"],
        ["error_description", "refus\ufffd"],
      ],
    ],
  ])("reads %j, whose escapes are not UTF-8", (query, expected) => {
    expect([...queryOf(urlWith(query))]).toEqual(expected);
  });

  it.each([
    [199, 199],
    [200, 200],
    [201, 200],
  ])("of %i parameters reads %i", (sent, read) => {
    expect(queryOf(urlWith(Array.from({ length: sent }, (_, n) => `p${n}=1`).join("&"))).size).toBe(read);
  });

  it.each([256, 257])("reads a name of %i characters up to the limit, whatever it holds", (length) => {
    for (const value of ["", "=", "=1"])
      expect([...queryOf(urlWith(`a=1&${"n".repeat(length)}${value}&b=2`)).keys()]).toEqual(
        length === 256 ? ["a", "n".repeat(256), "b"] : ["a", "b"],
      );
  });

  it("decodes once for a query whose every escape is malformed, because each failure takes microseconds", () => {
    const decode = vi.spyOn(globalThis, "decodeURIComponent");
    expect(readableEscapes("%ff=%ff&".repeat(1_700))).not.toContain("%");
    expect(decode).toHaveBeenCalledTimes(1);
    decode.mockRestore();
  });
});
