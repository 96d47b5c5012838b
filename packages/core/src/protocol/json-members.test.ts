import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { findRepeatedMember, measureJson, parseJsonMembers } from "./json-members.ts";

describe("parseJsonMembers()", () => {
  it("H271 keeps repeated names, however they are written, in their order", () => {
    expect(parseJsonMembers('{"a":1, "b":{"a":2},"\\u0061" : [3,{"a":4}] }')).toEqual([
      ["a", 1],
      ["b", { a: 2 }],
      ["a", [3, { a: 4 }]],
    ]);
  });

  it("is not misled by what stands in strings", () => {
    expect(parseJsonMembers('{"{\\",:":"}]\\\\","x":"\\"a\\":1,"}')).toEqual([
      ['{",:', "}]\\"],
      ["x", '"a":1,'],
    ]);
  });

  it("finds nothing in an empty object", () => {
    expect(parseJsonMembers(" { } ")).toEqual([]);
  });

  it("agrees with JSON.parse wherever no name is repeated", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()),
        fc.nat({ max: 3 }),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          expect(new Map(parseJsonMembers(text))).toEqual(new Map(Object.entries(JSON.parse(text))));
        },
      ),
    );
  });
});

describe("measureJson()", () => {
  it("agrees with the value that the text stands for", () => {
    const inside = (value: unknown) => (typeof value === "object" && value !== null ? Object.values(value) : []);
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...inside(value).map(depthOf)) : 0;
    const valuesOf = (value: unknown): number => inside(value).reduce((sum, one) => sum + valuesOf(one), 1);
    fc.assert(
      fc.property(fc.jsonValue(), (made) => {
        const value: unknown = JSON.parse(JSON.stringify(made));
        const { depth, members, values } = measureJson(JSON.stringify(made));
        expect(depth).toBe(depthOf(value));
        if (!Array.isArray(value)) expect(members).toBe(inside(value).length);
        expect(values).toBeGreaterThanOrEqual(valuesOf(value));
        expect(values).toBeLessThanOrEqual(2 * valuesOf(value));
      }),
    );
  });

  it("counts a repeated name each time", () => {
    expect(measureJson('{"a":1,"\\u0061":{"b":2,"c":3}}').members).toBe(2);
  });

  it("ignores what stands in strings, and never throws for what is not JSON", () => {
    expect(measureJson('{"[[{\\"[":"]:,"}')).toEqual({ depth: 1, members: 1, values: 2 });
    expect(measureJson("[[[").depth).toBe(3);
    expect(measureJson("]]]").depth).toBe(0);
    expect(measureJson('"[[[\\').depth).toBe(0);
  });
});

describe("findRepeatedMember()", () => {
  it.each([
    ['{"sub":"a","sub":"b"}', "sub"],
    ['{"sub":"a","su\\u0062":"b"}', "sub"],
    ['{"user":{"id":1,"x":[{}],"id":2}}', "id"],
    ['[{"a":1},{"b":{"":0,"":0}}]', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("finds the one of %s", (text, name) => {
    expect(findRepeatedMember(text)).toBe(name);
  });

  it.each([
    '{"a":{"a":{"a":[{"a":1},{"a":2}]}},"b":"a"}',
    '["a","a"]',
    '"a"',
    "7",
    "{",
    '{"a":1,"a"',
    '{"a":"a\\":1,\\"a"}',
    "",
  ])("finds none in %s", (text) => {
    expect(findRepeatedMember(text)).toBe(null);
  });

  it("finds none in what JSON.stringify writes, and one where a member is written again", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const text = JSON.stringify(value);
        expect(findRepeatedMember(text)).toBe(null);
        const [name = ""] = Object.keys(value);
        expect(findRepeatedMember(`{${JSON.stringify(name)}:0,${text.slice(1)}`)).toBe(name);
      }),
    );
  });
});
