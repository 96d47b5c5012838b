import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { queryOf, readableEscapes } from "./query-of.ts";

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

  it("CARDEA-2026-69 decodes once for a query whose every escape is malformed, because each failure takes microseconds", () => {
    const decode = vi.spyOn(globalThis, "decodeURIComponent");
    expect(readableEscapes("%ff=%ff&".repeat(1_700))).not.toContain("%");
    expect(decode).toHaveBeenCalledTimes(1);
    decode.mockRestore();
  });
});
