import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutPrototypes } from "./without-prototypes.ts";

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
