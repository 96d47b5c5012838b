import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint, webUrl } from "../../../testing/src/arbitrary-text.ts";
import { parseUrl } from "./parse-url.ts";
import { canonicalLocation, parseApplicationUrl, parseSameOriginUrl } from "./redirect-target.ts";

const ORIGIN = "https://app.example.com";

/** What parsers disagree about, and text that looks like ours. */
const fragment = fc.constantFrom(
  ...[
    "/",
    "//",
    "\\",
    "/\\",
    "..",
    "/../",
    "/./",
    ".",
    "@",
    ":",
    "?",
    "#",
    "%2f",
    "%5c",
    "%00",
    "%0d%0a",
    "\t",
    "\n",
    "\r",
  ],
  ...[" ", "\u0000", "\u00a0", "\u2028", "\u3002", "\uff0f", "\ufeff", "é", "日", "😀", "\ud800"],
  ...[ORIGIN, "https:", "http://", "HTTPS://", "javascript:", "data:", "blob:", "app.example.com", "evil.example", "x"],
);
const location = fc.oneof(
  fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ unit: codePoint }),
  webUrl,
);

describe("parseSameOriginUrl()", () => {
  it.each([
    ["/", `${ORIGIN}/`],
    ["/a/b?c=d#e", `${ORIGIN}/a/b?c=d#e`],
    ["/a?next=//x", `${ORIGIN}/a?next=//x`],
    ["/a/../b", `${ORIGIN}/b`],
    ["/日本?q=ü", `${ORIGIN}/%E6%97%A5%E6%9C%AC?q=%C3%BC`],
  ])("rule 1: resolves the path %j", (path, expected) => {
    expect(parseSameOriginUrl(path, ORIGIN)).toBe(expected);
  });

  it.each(["", "a", "./a", "../a", "?a", "#a", "a/b", "//app.example.com/", "///a", "/\\a", "\\a", "/\t/a"])(
    "rule 1: refuses %j, which is no path with exactly one slash at its start",
    (path) => {
      expect(parseSameOriginUrl(path, ORIGIN)).toBe(null);
    },
  );

  it.each([
    [`${ORIGIN}/a`, `${ORIGIN}/a`],
    [ORIGIN, `${ORIGIN}/`],
    ["HTTPS://APP.example.com:443/a", `${ORIGIN}/a`],
  ])("rule 2: takes the absolute URL %j", (url, expected) => {
    expect(parseSameOriginUrl(url, ORIGIN)).toBe(expected);
  });

  it.each([
    ...[
      "http://app.example.com/",
      `${ORIGIN}:444/`,
      `${ORIGIN}.evil.example/`,
      "https://evil.example/",
      "https:/a",
      "https:a",
    ],
    ...[`blob:${ORIGIN}/x`, `view-source:${ORIGIN}/`, "javascript:x", "data:,x", "ftp://app.example.com/", "https://"],
  ])("rule 2: refuses the absolute URL %j", (url) => {
    expect(parseSameOriginUrl(url, ORIGIN)).toBe(null);
  });

  it.each([
    ...["/a\u0000", "/a\u001f", "/a\u007f", "/a\r\nb", "/\\a", `${ORIGIN}/a\\b`, "/a\tb"],
    ...["https://user@app.example.com/", "https://user:pw@app.example.com/", "https://:pw@app.example.com/"],
    ...["/a//b", "/a//", `${ORIGIN}//a`, "/..//a", "/.//a", " /a", "/a "].filter(
      (path) => !path.includes("./") || path.includes("//"),
    ),
  ])("rule 3: refuses %j", (location) => {
    expect(parseSameOriginUrl(location, ORIGIN)).toBe(null);
  });

  it("rule 3: knows no empty segment behind the path", () => {
    expect(parseSameOriginUrl("/a?b=//c#//d", ORIGIN)).toBe(`${ORIGIN}/a?b=//c#//d`);
  });

  it("whatever the input, the result is null or a clean URL of the same origin, and stays itself", () => {
    fc.assert(
      fc.property(location, fc.constantFrom(ORIGIN, "http://localhost:3000"), (text, origin) => {
        const result = parseSameOriginUrl(text, origin);
        if (result === null) return;
        const url = new URL(result);
        expect(url.origin).toBe(origin);
        expect(result).toMatch(/^https?:\/\/[!-[\]-~]+$/);
        expect(url.pathname).not.toContain("//");
        expect(url.username + url.password).toBe("");
        expect(parseSameOriginUrl(result, origin)).toBe(result);
        // However the next parser takes it, as a path or as a whole, it leads to the same place.
        expect(new URL(result.slice(origin.length) || "/", origin).href).toBe(result);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes every plain path", () => {
    const segment = fc.stringMatching(/^[\w~-]{1,12}$/);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), fc.stringMatching(/^[\w=&]{0,20}$/), (segments, query) => {
        const path = `/${segments.join("/")}?${query}`;
        expect(parseSameOriginUrl(path, ORIGIN)).toBe(`${ORIGIN}${path}`);
      }),
    );
  });
});

describe("parseApplicationUrl()", () => {
  it.each([
    ["/a", `${ORIGIN}/a`],
    ["https://docs.example.org/x?y#z", "https://docs.example.org/x?y#z"],
    ["http://localhost:3000", "http://localhost:3000/"],
  ])("takes %j", (url, expected) => {
    expect(parseApplicationUrl(url, ORIGIN)).toBe(expected);
  });

  it.each([
    ...[
      "",
      "a",
      "//evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "data:,x",
      "mailto:a@b",
      "https://a@b.example/",
    ],
    ...[
      "https://a.example//b",
      "https://a.example/\\b",
      "https://a.example/\n",
      "https:a.example",
      " https://a.example",
    ],
  ])("refuses %j", (url) => {
    expect(parseApplicationUrl(url, ORIGIN)).toBe(null);
  });

  it.each([
    ["myapp://callback?x=1", "myapp://callback?x=1"],
    ["MYAPP:callback", "myapp:callback"],
    ["com.example.app:/a", "com.example.app:/a"],
  ])("takes %j where its scheme is allowed", (url, expected) => {
    expect(parseApplicationUrl(url, ORIGIN, ["myapp", "com.example.app"])).toBe(expected);
    expect(parseApplicationUrl(url, ORIGIN, ["myapp2"])).toBe(null);
    for (const bad of [`${url}\n`, ` ${url}`, `${url}\\`, `x${url}`]) {
      expect(parseApplicationUrl(bad, ORIGIN, ["myapp", "com.example.app"])).toBe(null);
    }
  });

  it("refuses with an allowed scheme what it refuses of http(s)", () => {
    for (const url of ["https://a@b.example/", "https:a.example", "https://a.example//b"]) {
      expect(parseApplicationUrl(url, ORIGIN, ["https", "myapp"])).toBe(null);
    }
  });

  it("whatever the input, the result is null or a clean http(s) URL", () => {
    fc.assert(
      fc.property(location, (text) => {
        const result = parseApplicationUrl(text, ORIGIN);
        if (result === null) return;
        expect(result).toMatch(/^https?:\/\/[!-[\]-~]+$/);
        if (text.startsWith("/")) expect(new URL(result).origin).toBe(ORIGIN);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("canonicalLocation()", () => {
  it.each([
    ["/a?b#c", "/a?b#c"],
    ["/a/../b", "/b"],
    ["/a b", "/a%20b"],
    ["//evil.example", "https://evil.example/"],
    ["/\\evil.example", "https://evil.example/"],
    ["\\\\evil.example", "https://evil.example/"],
    ["/\t/evil.example", "https://evil.example/"],
    ["/a\nb", `${ORIGIN}/ab`],
    [" /a", `${ORIGIN}/a`],
    ["/..//evil.example", `${ORIGIN}//evil.example`],
    ["dashboard", `${ORIGIN}/dashboard`],
    ["https:/\\evil.example", "https://evil.example/"],
    ["HTTPS://Evil.example", "https://evil.example/"],
    [`${ORIGIN}@evil.example`, "https://app.example.com@evil.example/"],
    ["java\nscript:alert(1)", "javascript:alert(1)"],
    ["myapp://x", "myapp://x"],
    ["https://[::1", null],
  ])("of %j is %j", (given, expected) => {
    expect(canonicalLocation(given, ORIGIN)).toBe(expected);
  });

  it("leads where a browser is led, and is a path with one slash or an absolute URL", () => {
    fc.assert(
      fc.property(location, (text) => {
        const result = canonicalLocation(text, ORIGIN);
        const opened = parseUrl(text, ORIGIN);
        expect(result === null).toBe(opened === null);
        if (result === null) return;
        expect(new URL(result, ORIGIN).href).toBe(opened?.href);
        if (!result.startsWith("/")) expect(new URL(result).href).toBe(result);
        expect(result).toMatch(/^(?:\/(?![/\\])|[a-z][a-z\d+.-]*:)\P{Cc}*$/u);
        expect(canonicalLocation(result, ORIGIN)).toBe(result);
      }),
      { numRuns: 2_000 },
    );
  });
});
