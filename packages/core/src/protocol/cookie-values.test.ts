import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  joinChunks as joinMarked,
  MAX_CHUNKS,
  MAX_COOKIE_BYTES,
  MAX_READ_CHUNKS,
  splitChunks,
  storedChunkNames,
} from "./cookie-values.ts";
import { parseCookieHeader } from "./received-cookies.ts";

const NAME = "__Host-cardea.session-token";
const ATTRIBUTES = 144;
/** What one whole cookie and one chunk can hold. */
const WHOLE = MAX_COOKIE_BYTES - ATTRIBUTES - NAME.length - 1;
const PART = WHOLE - 2;

const jar = (pairs: readonly (readonly [string, string])[]) => new Map(pairs);
const sent = (pairs: readonly (readonly [string, string])[]) => ({ received: jar(pairs), repeated: new Map() });

const joinChunks = (...given: Parameters<typeof joinMarked>) => joinMarked(...given).map(({ value }) => value);

function sizes(length: number): number[] | null {
  return splitChunks(NAME, "x".repeat(length), ATTRIBUTES)?.map(({ value }) => value.length) ?? null;
}

describe("splitChunks()", () => {
  it.each([
    [0, [0]],
    [WHOLE - 1, [WHOLE - 1]],
    [WHOLE, [WHOLE]],
    [WHOLE + 1, [PART, 3]],
    [2 * PART, [PART, PART]],
    [2 * PART + 1, [PART, PART, 1]],
    [MAX_CHUNKS * PART - 1, [PART, PART, PART, PART, PART - 1]],
    [MAX_CHUNKS * PART, [PART, PART, PART, PART, PART]],
    [MAX_CHUNKS * PART + 1, null],
  ])("splits %i characters into %j", (length, expected) => {
    expect(sizes(length)).toEqual(expected);
  });

  it("names one chunk like the cookie, several by their number from 0", () => {
    expect(splitChunks(NAME, "x", ATTRIBUTES)).toEqual([{ name: NAME, value: "x" }]);
    expect(splitChunks(NAME, "x".repeat(WHOLE + 1), ATTRIBUTES)?.map(({ name }) => name)).toEqual([
      `${NAME}.0`,
      `${NAME}.1`,
    ]);
  });

  it.each([MAX_COOKIE_BYTES, MAX_COOKIE_BYTES - 1, MAX_COOKIE_BYTES - 3])(
    "gives up where a name of %i characters leaves no room",
    (length) => {
      expect(splitChunks("n".repeat(length), "xxx", 0)).toBe(null);
    },
  );

  it("no cookie is larger than browsers keep", () => {
    const name = fc.stringMatching(/^[a-z]{1,400}$/);
    fc.assert(
      fc.property(name, fc.nat({ max: 25_000 }), fc.nat({ max: 500 }), (name_, length, attributes) => {
        for (const chunk of splitChunks(name_, "x".repeat(length), attributes) ?? []) {
          expect(chunk.name.length + 1 + chunk.value.length + attributes).toBeLessThanOrEqual(MAX_COOKIE_BYTES);
        }
      }),
    );
  });
});

describe("joinChunks()", () => {
  it("is the inverse of splitChunks(), among other cookies and in any order", () => {
    const value = fc
      .string({ unit: fc.constantFrom("a", "b", "."), maxLength: 1 })
      .chain((unit) => fc.nat({ max: MAX_CHUNKS * PART }).map((length) => (unit || "c").repeat(length)));
    fc.assert(
      fc.property(value, fc.boolean(), (text, reversed) => {
        const chunks = splitChunks(NAME, text, ATTRIBUTES) ?? [];
        const pairs = chunks.map((chunk): [string, string] => [chunk.name, chunk.value]);
        const cookies = sent([...(reversed ? pairs.toReversed() : pairs), [`${NAME}X`, "x"], [`${NAME}.a`, "x"]]);
        expect(joinChunks(NAME, cookies)).toEqual([text]);
      }),
    );
  });

  it("ends with the first shorter chunk, because a longer value may have left more of them", () => {
    const text = fc.tuple(fc.integer({ min: WHOLE + 1, max: 4 * PART - 1 }), fc.integer({ min: 1, max: PART }));
    fc.assert(
      fc.property(text, ([length, more]) => {
        const value = "a".repeat(length);
        const chunks = splitChunks(NAME, value, ATTRIBUTES) ?? [];
        fc.pre((chunks.at(-1)?.value.length ?? 0) < PART);
        const left: [string, string] = [`${NAME}.${chunks.length}`, "b".repeat(more)];
        const cookies = sent([...chunks.map((chunk): [string, string] => [chunk.name, chunk.value]), left]);
        expect(joinMarked(NAME, cookies)).toEqual([{ value, names: chunks.map((chunk) => chunk.name) }]);
      }),
    );
  });

  it("returns whole cookies first, in the order of the header, then the first unbroken sequence of chunks", () => {
    const names = ["s.0", "s.1"];
    expect(joinMarked("s", parseCookieHeader("s.0=a; s=v; s.1=b; s=w; s.3=d"))).toEqual([
      { value: "v", names: ["s"] },
      { value: "w", names: ["s"] },
      { value: "ab", names },
    ]);
    expect(joinMarked("s", parseCookieHeader("s.0=a; s.1=x; s.0=b; s.1=y"))).toEqual([{ value: "ax", names }]);
  });

  it("tries eight values of a name, whatever was sent", () => {
    const header = Array.from({ length: 200 }, (_, n) => `s=${n}; s.0=${n}`).join("; ");
    expect(joinChunks("s", parseCookieHeader(header))).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "0"]);
  });

  it.each([
    ["nothing", []],
    ["a row that does not begin at 0", [["s.1", "b"]]],
    [
      "other spellings of a number",
      [
        ["s.00", "a"],
        ["s.+0", "a"],
        ["s.0x0", "a"],
        ["s. 0", "a"],
        ["s.", "a"],
      ],
    ],
    [
      "other names",
      [
        ["S", "a"],
        ["xs", "a"],
        ["sX", "a"],
        ["s-0", "a"],
        ["s.0.0", "a"],
      ],
    ],
  ] as const)("finds nothing in %s", (_, pairs) => {
    expect(joinChunks("s", sent(pairs))).toEqual([]);
  });

  it("reads up to a hole", () => {
    const pairs = [
      ["s.0", "a"],
      ["s.7", "c"],
    ] as const;
    expect(joinChunks("s", sent(pairs))).toEqual(["a"]);
  });

  it("orders by number", () => {
    const pairs = Array.from({ length: 12 }, (_, n): [string, string] => [`s.${n}`, String.fromCharCode(97 + n)]);
    expect(joinChunks("s", sent(pairs.toReversed()))).toEqual(["abcdefghijkl"]);
  });
});

describe("storedChunkNames()", () => {
  it("names what is stored, in order, and no more than it looks at", () => {
    const flood = Array.from({ length: 3_000 }, (_, n): [string, string] => [`s.${n}`, "x"]);
    expect(
      storedChunkNames(
        "s",
        jar([
          ["s.1", ""],
          ["other", ""],
          ["s", ""],
        ]),
      ),
    ).toEqual(["s", "s.1"]);
    expect(storedChunkNames("s", jar(flood))).toHaveLength(MAX_READ_CHUNKS);
  });
});
