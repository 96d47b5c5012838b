import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInexactNumber, parseExactJson, quoteInexactNumbers } from "./exact-json.ts";

describe("parseExactJson()", () => {
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
    expect(parseExactJson(text)).toBe(expected);
  });

  it("reads what JSON.parse reads where no digit is lost, keys and strings included", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const before: unknown = JSON.parse(text);
        fc.pre(findInexactNumber(before) === null);
        expect(parseExactJson(text)).toEqual(before);
      }),
    );
  });

  it("never gives two whole numbers one value", () => {
    const around = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
    fc.assert(
      fc.property(around, fc.bigInt({ min: 1n, max: 3n }), (one, distance) => {
        const read = (id: bigint) => Object(parseExactJson(`{"user":{"id":${id}}}`)).user.id;
        expect(String(read(one))).toBe(String(one));
        expect(read(one)).not.toBe(read(one + distance));
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
