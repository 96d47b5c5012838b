import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  decodeCookieValue,
  joinChunks as joinMarked,
  MAX_CHUNKS,
  MAX_COOKIE_BYTES,
  MAX_READ_CHUNKS,
  parseCookieHeader,
  splitChunks,
  storedChunkNames,
  valuesOf,
} from "./cookie-values.ts";

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

const read = (header: string) => Object.fromEntries(parseCookieHeader(header).received);

describe("parseCookieHeader()", () => {
  it.each([
    ["", {}],
    ["a=1", { a: "1" }],
    ["a=1; b=2;c=3 ;\td=4", { a: "1", b: "2", c: "3", d: "4" }],
    ["a=b=c; d=", { a: "b=c", d: "" }],
    ["novalue; a=1; ; =; x", { a: "1", "": "" }],
    ['a="q"; b=%zz', { a: '"q"', b: "%zz" }],
    ["__proto__=x; constructor=y", JSON.parse('{"__proto__":"x","constructor":"y"}')],
  ])("reads %j", (header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it("looks for a `=` once, however many parts have none", () => {
    const indexOf = vi.spyOn(String.prototype, "indexOf");
    const { received } = parseCookieHeader(`${"; ;a;".repeat(2_000)}b=1;c`);
    const searches = indexOf.mock.calls.filter(([part]) => part === "=").length;
    indexOf.mockRestore();
    expect([[...received], searches]).toEqual([[["b", "1"]], 2]);
  });

  it("never throws, and keeps what is a cookie", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "=", ";", " ", "\t", '"', "é"), maxLength: 40 });
    fc.assert(fc.property(text, text, (before, after) => read(`${before};k=v;${after}`).k !== undefined));
  });

  it("removes spaces and tabs alone: any other white space belongs to the name, or to the value", () => {
    const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (one) => /\s/.test(one) || one.trim() === "",
    );
    expect(spaces.length).toBeGreaterThan(20);
    const blank = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });
    const text = fc.string({ unit: fc.constantFrom("a", ...spaces.filter((one) => one !== " " && one !== "\t")) });
    fc.assert(
      fc.property(text, text, blank, blank, (name, value, before, after) => {
        expect(read(`x=y;${before}${name}${after}=${after}${value}${before};z=`)).toEqual({
          x: "y",
          [name]: value,
          z: "",
        });
      }),
    );
    for (const one of spaces) {
      for (const name of [`${one}__Host-s`, `__Host-s${one}`]) {
        expect(read(`a=b; ${name}=v`)["__Host-s"]).toBe(one === " " || one === "\t" ? "v" : undefined);
      }
    }
  });

  it("remembers every value of an ambiguous cookie, and tries the first eight", () => {
    const cookies = parseCookieHeader("a=1; b=x; a=2; a=1; b=x; a=3; a=4");
    expect(cookies.received.get("a")).toBe("1");
    expect([valuesOf("a", cookies), valuesOf("b", cookies), valuesOf("c", cookies)]).toEqual([
      ["1", "2", "3", "4"],
      ["x"],
      [],
    ]);
    const flood = parseCookieHeader(Array.from({ length: 500 }, (_, n) => `a=${n}`).join(";"));
    expect(valuesOf("a", flood)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  });
});

describe("decodeCookieValue()", () => {
  it("is the inverse of encodeURIComponent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        expect(decodeCookieValue(encodeURIComponent(value))).toBe(value);
      }),
    );
  });

  it("leaves alone what has no escape, and what has a bad one (H060)", () => {
    for (const value of ["", "a+b/c==", "a:b", "%", "%zz", "50%", "%ff", "%c3%28"]) {
      expect(decodeCookieValue(value)).toBe(value);
    }
  });
});
