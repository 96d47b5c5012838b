import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

describe("canonicalJson()", () => {
  it("writes the example of RFC 8785 §3.2.3", () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1e30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    // 1E30 is no number that JSON holds exactly, which the RFC leaves to its users.
    value.numbers.splice(1, 1);
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts members by UTF-16 code units (RFC 8785 §3.2.3)", () => {
    const value = {
      "\u20ac": "Euro",
      "\r": "CR",
      "\ufb33": "Dalet",
      "1": "One",
      "\ud83d\ude00": "Emoji",
      "\u0080": "Control",
      "\u00f6": "o",
    };
    const names = Object.keys(JSON.parse(canonicalJson(value)));
    expect(
      canonicalJson(value)
        .match(/"(CR|One|Control|o|Euro|Emoji|Dalet)"/g)
        ?.map((text) => JSON.parse(text)),
    ).toEqual(["CR", "One", "Control", "o", "Euro", "Emoji", "Dalet"]);
    expect(names).toHaveLength(7);
  });

  it("is one text for one value, whatever the order of its members, and reads back as that value", () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, one]) => [name, shuffled(one)]),
      );
    };
    const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean(), fc.constant(null));
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small", maxDepth: 4 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(
          fc.string({ unit: "grapheme", maxLength: 4 }).filter((name) => name !== "__proto__"),
          tie("value"),
          { maxKeys: 3, noNullPrototype: true },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        const text = canonicalJson(plain);
        expect(canonicalJson(shuffled(plain))).toBe(text);
        expect(JSON.parse(text)).toEqual(plain);
      }),
    );
  });

  it.each<[string, unknown]>([
    ["BigInt", 1n],
    ["a Date", new Date(0)],
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a number beyond 2^53", 2 ** 53],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["-0", -0],
    ["a list with a hole", Array(2)],
    ["a list with a member", Object.assign([1], { more: 1 })],
    ["a Map", new Map()],
    ["a String object", Object("x")],
    ["a class", new (class Money {})()],
    [
      "a getter",
      {
        get amount() {
          return 1;
        },
      },
    ],
    ["a hidden member", Object.defineProperty({}, "amount", { value: 1, enumerable: false })],
    ["a symbol as a name", { [Symbol("x")]: 1 }],
    ["half a character", "\ud83d"],
    ["half a character in a name", { "\ude00": 1 }],
  ])("refuses %s, wherever it is", (_name, value) => {
    for (const given of [value, { a: value }, [value], { a: [{ b: value }] }]) {
      expect(() => canonicalJson(given)).toThrow(TypeError);
    }
  });

  it("refuses what is nested without end", () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(() => canonicalJson(loop)).toThrow("levels deep");
  });

  it("gives a text that anyone can hash again", () => {
    const text = canonicalJson({ to: "NL91", pay: 100 });
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      createHash("sha256").update('{"pay":100,"to":"NL91"}').digest("hex"),
    );
  });
});
