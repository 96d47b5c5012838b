import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readValues, writeValues } from "./exact-values.ts";

const plain = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: false });

describe("writeValues() and readValues()", () => {
  it("are inverse for plain data", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(readValues(writeValues(value))).toStrictEqual(value);
      }),
    );
  });

  it("keep what JSON has no value for", () => {
    const value = {
      a: undefined,
      b: -0,
      c: Number.NaN,
      d: 2n ** 70n,
      e: new Date(5),
      f: Uint8Array.of(1, 2),
      g: ["x", null],
    };
    expect(readValues(writeValues(value))).toStrictEqual(value);
    expect(readValues(writeValues(new Date(Number.NaN)))).toStrictEqual(new Date(Number.NaN));
  });

  it("make plain objects of instances, and leave functions out", () => {
    class Row {
      id = "1";
      save() {}
    }
    const decimal = Object.assign(Object.create({ toJSON: () => "1.50" }), { digits: [1, 5] });
    expect(readValues(writeValues({ row: new Row(), decimal, f: () => 1 }))).toStrictEqual({
      row: { id: "1" },
      decimal: "1.50",
    });
  });

  it("set no prototype", () => {
    const value: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    const read = Object(readValues(writeValues(value)));
    expect(read.admin).toBeUndefined();
    expect(Object.keys(read)).toEqual(["__proto__"]);
  });

  it.each(['["other"]', '["object",[1,2]]', "[]", "{"])("refuse %s", (text) => {
    expect(() => readValues(text)).toThrow();
  });

  it("refuse a value that contains itself", () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    expect(() => writeValues(value)).toThrow("circular");
  });
});
