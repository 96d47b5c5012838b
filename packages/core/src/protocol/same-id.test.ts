import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isId, isSameId, parseId, toPlain } from "./same-id.ts";

describe("isSameId()", () => {
  it.each([
    ["a", "a"],
    [1, "1"],
    [1, 1],
    [BigInt(10), "10"],
  ])("takes %s and %s for one row", (one, other) => {
    expect(isSameId(one, other)).toBe(true);
  });

  it.each([
    ["a", "A"],
    [1, "01"],
    ["", ""],
    [undefined, undefined],
    [undefined, "undefined"],
    [null, "null"],
    [["1"], "1"],
    [Number.NaN, Number.NaN],
    [2 ** 53, 2 ** 53],
    [1e21, "1e+21"],
    [-0, 0],
  ])("takes %s and %s for no row, or two", (one, other) => {
    expect(isSameId(one, other)).toBe(false);
  });
});

describe("isId()", () => {
  it("takes text and numbers that lost no digits", () => {
    expect([isId("a"), isId(0), isId(BigInt(7))]).toEqual([true, true, true]);
    const others = ["", null, undefined, {}, true, Number.NaN, 2 ** 53, 1.5, -0];
    expect(others.map(isId)).toEqual(others.map(() => false));
  });
});

describe("parseId()", () => {
  it.each([
    ["a", "a"],
    ["Ä|b c", "Ä|b c"],
    ["9007199254740993", "9007199254740993"],
    ["x".repeat(255), "x".repeat(255)],
    [0, "0"],
    [-5, "-5"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [2n ** 64n, "18446744073709551616"],
  ])("reads %s", (value, id) => {
    expect(parseId(value)).toBe(id);
  });

  it.each([
    ...[2 ** 53, 2 ** 53 + 2, 1e21, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -0],
    ...["", " ", " a", "a ", "a\n", "a\u0000b", "\ud800", "x".repeat(256)],
    ...["undefined", "null", "NaN", "-Infinity", "[object Object]", "[object Promise]", String(1e21)],
    ...[null, undefined, true, false, {}, [], ["a"], Symbol("a"), () => "a", Promise.resolve("a"), new String("a")],
  ])("refuses %s", (value) => {
    expect(parseId(value)).toBe(null);
  });

  it("keeps two ids apart, whatever their types", () => {
    const id = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.bigInt(), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(id, id, (one, other) => {
        const [a, b] = [parseId(one), parseId(other)];
        fc.pre(a !== null && b !== null);
        expect(a === b).toBe(String(one) === String(other));
      }),
    );
  });

  it("reads what it returned to the same id", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.maxSafeInteger()), (value) => {
        const id = parseId(value);
        if (id !== null) expect(parseId(id)).toBe(id);
      }),
    );
  });
});

describe("toPlain()", () => {
  it("copies the members of an object of any realm", () => {
    for (const one of [{ id: "a" }, Object.assign(Object.create(null), { id: "a" }), runInNewContext(`({ id: "a" })`)])
      expect(toPlain(one)).toEqual({ id: "a" });
  });

  it("copies what an instance has through getters of its class and those above, and nothing else", () => {
    class Base {
      get email() {
        return "ann@example.com";
      }
      get orders() {
        throw new Error("not loaded");
      }
    }
    class Row extends Base {
      readonly name = "Ann";
      get expires() {
        return 7;
      }
      save() {}
    }
    expect(toPlain(new Row())).toEqual({ name: "Ann", email: "ann@example.com", expires: 7 });
  });
});
