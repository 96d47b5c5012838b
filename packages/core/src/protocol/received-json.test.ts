import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import {
  findInexactNumber,
  findRepeatedMember,
  measureJson,
  parseJsonMembers,
  parseJwtSegment,
  quoteInexactNumbers,
  readBytes,
  withoutPrototypes,
} from "./received-json.ts";

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

describe("quoteInexactNumbers()", () => {
  const read = (text: string): unknown => JSON.parse(quoteInexactNumbers(text));

  it.each([
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", "9007199254740992"],
    ["9007199254740993", "9007199254740993"],
    ["-9007199254740993", "-9007199254740993"],
    ["1e3", 1000],
    ["2.0", 2],
    ["120e-1", 12],
    ["-0", -0],
    ["1e21", "1e21"],
    ["1E400", "1E400"],
    ["9007199254740993.0", "9007199254740993.0"],
    ["1.00000000000000001", "1.00000000000000001"],
    ["1e-400", "1e-400"],
    ["0.30000000000000004", 0.30000000000000004],
    ["51.5", 51.5],
    ['"9007199254740993"', "9007199254740993"],
    ['"a \\" 9007199254740993 \\\\"', 'a " 9007199254740993 \\'],
  ])("reads %s as %j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it("reads what JSON.parse reads where no digit is lost, keys and strings included", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const before: unknown = JSON.parse(text);
        fc.pre(findInexactNumber(before) === null);
        expect(read(text)).toEqual(before);
      }),
    );
  });

  it("never gives two whole numbers one value", () => {
    const around = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
    fc.assert(
      fc.property(around, fc.bigInt({ min: 1n, max: 3n }), (one, distance) => {
        const readId = (id: bigint) => Object(read(`{"user":{"id":${id}}}`)).user.id;
        expect(String(readId(one))).toBe(String(one));
        expect(readId(one)).not.toBe(readId(one + distance));
      }),
    );
  });

  it("leaves a text that is not JSON alone", () => {
    for (const text of ["id=9007199254740993", '{"id":9007199254740993', "eyJ9007199254740993.x.y", ""]) {
      expect(quoteInexactNumbers(text)).toBe(text);
    }
    fc.assert(fc.property(fc.string(), (text) => typeof quoteInexactNumbers(text) === "string"));
  });
});

describe("findInexactNumber()", () => {
  it.each([
    [{ user: { id: 2 ** 53 } }, "user.id"],
    [[{}, { id: 1e21 }], "1.id"],
    [{ id: Number.NaN }, "id"],
    [{ id: Number.POSITIVE_INFINITY }, "id"],
    [{ id: Number.MAX_SAFE_INTEGER, at: 51.5, more: [null, "9007199254740993", 7n] }, null],
    ["text", null],
  ])("finds the first in %o: %j", (value, path) => {
    expect(findInexactNumber(value)).toBe(path);
  });

  it("ends where data point at themselves", () => {
    const cyclic: Record<string, unknown> = { id: 1 };
    cyclic.self = cyclic;
    expect(findInexactNumber(cyclic)).toBe(null);
  });
});

const segment = (text: string) => Buffer.from(text).toString("base64url");

describe("parseJwtSegment()", () => {
  it("reads header and claims, ids with every digit", () => {
    const token = `${segment('{"alg":"RS256"}')}.${segment('{"sub":"1","n":9007199254740993}')}.x`;
    expect([parseJwtSegment(token, 0), parseJwtSegment(token, 1)]).toEqual([
      { alg: "RS256" },
      { sub: "1", n: "9007199254740993" },
    ]);
  });

  it.each(['{"sub":"victim","sub":"1"}', '{"alg":"none","alg":"RS256"}', '{"address":{"a":1,"a":2}}'])(
    "refuses %s, which names a member twice",
    (text) => {
      expect(() => parseJwtSegment(`${segment(text)}.${segment(text)}.x`, 0)).toThrow("duplicate");
      expect(() => parseJwtSegment(`${segment("{}")}.${segment(text)}.x`, 1)).toThrow("duplicate");
    },
  );
});

/** Whether the name stands anywhere as a key; the text of a JSON value shows every own member. */
const isFree = (value: unknown) => !JSON.stringify(value).includes('"__proto__":');

describe("withoutPrototypes()", () => {
  it("drops the member wherever it stands, and nothing else", () => {
    const given = JSON.parse('{"a":[{"__proto__":{"x":1},"b":{"__proto__":2,"c":"__proto__"}}],"__proto__":[]}');
    expect(withoutPrototypes(given)).toEqual({ a: [{ b: { c: "__proto__" } }] });
    expect(isFree(given)).toBe(true);
  });

  it("holds for any JSON value that uses the name", () => {
    const name = fc.constantFrom("__proto__", "a", "constructor");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ depthSize: "small" }, fc.integer(), fc.constant(null), fc.array(tie("tree")), tie("object")),
      object: fc
        .array(fc.tuple(name, tie("tree")), { maxLength: 4 })
        .map((pairs) => JSON.parse(`{${pairs.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(",")}}`)),
    }));
    fc.assert(fc.property(tree, (value) => isFree(withoutPrototypes(value))));
  });

  it.each([null, undefined, 1, "__proto__", true])("returns %j as it is", (value) => {
    expect(withoutPrototypes(value)).toBe(value);
  });

  it("follows any depth", () => {
    const deep = `${'{"a":'.repeat(20_000)}{"__proto__":1}${"}".repeat(20_000)}`;
    expect(() => withoutPrototypes(JSON.parse(deep))).not.toThrow();
  });
});

/** Reads these parts, and counts how many were asked for. */
function partsOf(...parts: readonly (readonly number[])[]) {
  const open = [...parts];
  const reading = { count: 0 };
  const next = async () => {
    reading.count += 1;
    const value = open.shift();
    return value === undefined ? ({ done: true } as const) : ({ done: false, value: Uint8Array.from(value) } as const);
  };
  return { next, reading };
}

describe("readBytes()", () => {
  it.each([
    ["no part", [], []],
    ["one part", [[1, 2]], [1, 2]],
    ["several parts, some empty", [[1], [], [2, 3]], [1, 2, 3]],
  ])("joins %s", async (_, parts, bytes) => {
    expect(await readBytes(partsOf(...parts).next, 3)).toEqual(Uint8Array.from(bytes));
  });

  it("has no bytes where there is no stream", async () => {
    expect(await readBytes(async () => undefined, 3)).toEqual(new Uint8Array());
  });

  it("stops reading with the first byte beyond the limit", async () => {
    const { next, reading } = partsOf([1, 2], [3, 4], [5]);
    expect(await readBytes(next, 3)).toBeNull();
    expect(reading.count).toBe(2);
  });
});
