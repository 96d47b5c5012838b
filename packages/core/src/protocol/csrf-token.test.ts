import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { webUrl } from "../../../testing/src/arbitrary-text.ts";
import { checkRequestSource, isEqualInConstantTime } from "./csrf-token.ts";

const OWN = "https://app.example.com";

describe("isEqualInConstantTime()", () => {
  it("H002 says what === says", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\u0000"), maxLength: 4 });
    fc.assert(fc.property(text, text, (a, b) => isEqualInConstantTime(a, b) === (a === b)));
    fc.assert(fc.property(text, (a) => isEqualInConstantTime(a, `${a}`)));
  });

  it("H002 looks at every character of two strings of one length, wherever they differ", () => {
    const reads: number[] = [];
    const watch = (text: string) => (at: number) => {
      reads.push(at);
      return text.charCodeAt(at);
    };
    const watched = (text: string) => Object.assign(Object(text), { charCodeAt: watch(text) });
    for (const other of ["abcd", "xbcd", "abcx", "wxyz"]) isEqualInConstantTime(watched("abcd"), other);
    expect(reads).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  });
});

describe("checkRequestSource()", () => {
  const headersOf = (site: string | null, origin: string | null) => ({
    get: (name: string) => (name === "origin" ? origin : name === "sec-fetch-site" ? site : null),
  });

  it.each([
    ["rule 1: our own form that hides its origin", "same-origin", "null", "same-origin"],
    ["rule 1: our own form under another name of ours", "Same-Origin", "https://www.example.com", "same-origin"],
    ["rule 2: says so itself", "cross-site", null, "cross-site"],
    ["rule 2: in any case", "Cross-Site", OWN, "cross-site"],
    ["rule 3: another scheme", null, "http://app.example.com", "cross-site"],
    ["rule 3: another port", null, `${OWN}:8443`, "cross-site"],
    ["rule 3: a longer name", null, `${OWN}.evil.example`, "cross-site"],
    ["rule 3: nonsense", null, "x", "cross-site"],
    ["rule 3: the empty string", null, "", "cross-site"],
    ["rule 3: another origin, typed", "none", "https://evil.example", "cross-site"],
    ["rule 3: our origin", null, OWN, "same-origin"],
    ["rule 3: our origin in capitals", "same-site", OWN.toUpperCase(), "same-origin"],
    ["rule 3: an opaque origin", null, "null", "cross-site"],
    ["rule 3: an opaque origin in capitals", null, "NULL", "cross-site"],
    ["rule 3: an opaque origin, typed", "none", "null", "cross-site"],
    ["rule 3: an opaque origin and an unknown word", "something-new", "null", "cross-site"],
    ["rule 3: a sibling that hides its origin", "same-site", "null", "cross-site"],
    ["rule 5: a sibling without origin", "same-site", null, "cross-site"],
    ["rule 6: nothing", null, null, "unknown"],
    ["rule 6: an unknown word", "something-new", null, "unknown"],
    ["typed into the address bar", "none", null, "same-origin"],
  ])("%s", (_, site, origin, expected) => {
    expect(checkRequestSource(headersOf(site, origin), OWN)).toBe(expected);
  });

  const HTTP = "http://intranet.example";
  it.each([
    ["an opaque origin says nothing", null, "null", "unknown"],
    ["an opaque origin with Fetch Metadata", "none", "null", "cross-site"],
    ["an opaque origin with Fetch Metadata of a sibling", "same-site", "null", "cross-site"],
    ["another origin", null, "http://evil.example", "cross-site"],
    ["our origin", null, HTTP, "same-origin"],
  ])("rule 4, on plain http: %s", (_, site, origin, expected) => {
    expect(checkRequestSource(headersOf(site, origin), HTTP)).toBe(expected);
  });

  it("only our origin, or none at all, is ever taken for ours, unless the browser itself vouches for the page", () => {
    const origin = fc.option(fc.oneof(fc.constantFrom(OWN, "null", ""), webUrl, fc.string()));
    const site = fc.option(fc.constantFrom("same-site", "cross-site", "none", "x"));
    fc.assert(
      fc.property(origin, site, (given, sent) => {
        const judged = checkRequestSource(headersOf(sent, given), OWN);
        if (judged !== "cross-site") expect([OWN, null]).toContain(given?.toLowerCase() ?? null);
        if (sent === "cross-site") expect(judged).toBe("cross-site");
      }),
    );
  });
});
