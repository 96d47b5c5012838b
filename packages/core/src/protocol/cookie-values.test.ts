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
        expect(joinMarked(NAME, cookies)[0]).toEqual({ value: text, isPart: false });
        expect(
          joinMarked(NAME, cookies)
            .slice(1)
            .every(({ isPart }) => isPart),
        ).toBe(true);
      }),
    );
  });

  it("alternates between whole cookies and sequences of chunks, the longest first", () => {
    const pairs = [
      ["s.0", "a"],
      ["s", "whole"],
      ["s.1", "b"],
    ] as const;
    expect(joinMarked("s", sent(pairs))).toEqual([
      { value: "whole", isPart: false },
      { value: "ab", isPart: false },
      { value: "a", isPart: true },
    ]);
  });

  it("returns every value of a name that was sent more than once, and every way to put chunks together", () => {
    expect(joinChunks("s", parseCookieHeader("s=a; s=b; s=a"))).toEqual(["a", "b"]);
    expect(joinChunks("s", parseCookieHeader("s.0=a; s.1=x; s.0=b"))).toEqual(["ax", "bx", "a", "b"]);
    const four = parseCookieHeader("s.0=a; s.1=x; s.0=b; s.1=y");
    expect(joinChunks("s", four)).toEqual(["ax", "by", "a", "b", "ay", "bx"]);
    expect(joinChunks("s", parseCookieHeader("s=v; s.0=a; s=w; s.1=b"))).toEqual(["v", "ab", "w", "a"]);
  });

  it("returns a sequence first that ends with a shorter chunk, whatever follows it", () => {
    const part = fc.stringMatching(/^[a-z]{1,5}$/);
    const full = fc.array(fc.stringMatching(/^[a-z]{6}$/), { minLength: 1, maxLength: MAX_CHUNKS - 1 });
    fc.assert(
      fc.property(
        full,
        part,
        fc.array(fc.oneof(part, fc.constant("longer-than-others")), { maxLength: 10 }),
        (a, b, c) => {
          const header = [...a, b, ...c].map((value, n) => `s.${n}=${value}`).join("; ");
          expect(joinChunks("s", parseCookieHeader(header))[0]).toBe([...a, b].join(""));
        },
      ),
    );
  });

  it("two writers hide nothing from each other, nor do several that wrote equally many chunks", () => {
    const count = fc.integer({ min: 1, max: MAX_CHUNKS });
    const two = fc.tuple(count, count);
    const equal = fc.tuple(count, fc.integer({ min: 1, max: 6 })).map(([n, writers]) => Array<number>(writers).fill(n));
    fc.assert(
      fc.property(fc.oneof(two, equal), (counts) => {
        const written = counts.map((length, writer) => Array.from({ length }, (_, n) => `${writer}-${n}`));
        const header = written.flatMap((chunks) => chunks.map((chunk, n) => `s.${n}=${chunk}`));
        const found = joinChunks("s", parseCookieHeader(header.join("; ")));
        for (const chunks of written) expect(found).toContain(chunks.join(""));
      }),
    );
  });

  it("no cookie that was not written hides one that was", () => {
    const written = fc.nat({ max: MAX_CHUNKS * PART }).map((length) => "v".repeat(length));
    const other = fc.tuple(
      fc.oneof(
        fc.constant(NAME),
        fc.nat({ max: 30 }).map((n) => `${NAME}.${n}`),
      ),
      fc.stringMatching(/^[a-z.]{1,9}$/),
    );
    fc.assert(
      fc.property(written, fc.array(other, { maxLength: 7 }), fc.boolean(), (text, others, before) => {
        const own = (splitChunks(NAME, text, ATTRIBUTES) ?? []).map(({ name, value }) => [name, value] as const);
        // Beside values of its own names a sequence is one of several ways; this many are tried.
        const fitting = own.length === 1 ? others : others.filter(([name]) => !own.some(([taken]) => taken === name));
        const pairs = before ? [...fitting, ...own] : [...own, ...fitting];
        const header = pairs.map(([name, value]) => `${name}=${value}`).join("; ");
        expect(joinChunks(NAME, parseCookieHeader(header))).toContain(text);
      }),
    );
  });

  it("tries a bounded number of ways, whatever was sent", () => {
    const pair = fc.tuple(fc.constantFrom("s", "s.0", "s.1", "s.2", "s.3"), fc.stringMatching(/^[a-z]{1,3}$/));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 200 }), (pairs) => {
        const header = pairs.map(([name, value]) => `${name}=${value}`).join("; ");
        expect(joinChunks("s", parseCookieHeader(header)).length).toBeLessThanOrEqual(24 + 32);
      }),
    );
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
    expect(joinChunks("s", sent(pairs.toReversed()))).toContain("abcdefghijkl");
    expect(joinChunks("s", sent(pairs.toReversed())).at(-1)).toBe("a");
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
