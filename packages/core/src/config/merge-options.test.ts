import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/harness/deep-freeze.ts";
import { isPlainObject, mergeOptions } from "./merge-options.ts";

describe("mergeOptions()", () => {
  it("lays plain objects over each other deeply, and replaces everything else", () => {
    const url = new URL("https://a.example");
    const defaults = { a: { b: 1, c: { d: 2 } }, list: [1, 2], at: new URL("https://b.example"), keep: true };
    expect(mergeOptions(defaults, { a: { c: { e: 3 } }, list: [3], at: url, extra: null })).toEqual({
      a: { b: 1, c: { d: 2, e: 3 } },
      list: [3],
      at: url,
      keep: true,
      extra: null,
    });
  });

  it("undefined changes nothing; null, false and the empty string do", () => {
    const merged = mergeOptions({ a: 1, b: 1, c: 1, d: 1 }, { a: undefined, b: null, c: false, d: "" });
    expect(merged).toEqual({ a: 1, b: null, c: false, d: "" });
  });

  it("takes symbol keys along", () => {
    const key = Symbol("custom-fetch");
    expect(mergeOptions({ [key]: 1 }, { [key]: 2 })[key]).toBe(2);
    expect(mergeOptions({ [key]: 1 }, {})[key]).toBe(1);
  });

  it("takes no prototype from anybody", () => {
    const hostile: Record<PropertyKey, unknown> = JSON.parse(
      '{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}',
    );
    const merged = mergeOptions({ a: {} }, hostile);
    expect("admin" in merged || "admin" in Object(merged.a) || "admin" in {}).toBe(false);
  });

  it("changes neither argument, and is the first one laid over by nothing", () => {
    const values = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(values, values, (a, b) => {
        const before = JSON.stringify([a, b]);
        const merged = mergeOptions(deepFreeze({ ...a }), deepFreeze({ ...b }));
        expect(JSON.stringify([a, b])).toBe(before);
        for (const key of Object.keys(b)) if (key !== "__proto__") expect(Object.hasOwn(merged, key)).toBe(true);
        expect(mergeOptions(merged, {})).toEqual(merged);
      }),
    );
  });
});

describe("isPlainObject()", () => {
  it.each([[{}], [Object.create(null)], [{ a: 1 }]])("takes %o", (value) => {
    expect(isPlainObject(value)).toBe(true);
  });

  it.each([
    [null],
    [undefined],
    [[]],
    ["x"],
    [1],
    [() => 1],
    [new URL("https://a.example")],
    [new Date()],
    [new Map()],
  ])("refuses %o", (value) => {
    expect(isPlainObject(value)).toBe(false);
  });
});
