import { describe, expect, it } from "vitest";
import { isId, isSameId } from "./same-id.ts";

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
  ])("takes %s and %s for no row, or two", (one, other) => {
    expect(isSameId(one, other)).toBe(false);
  });
});

describe("isId()", () => {
  it("takes text and numbers", () => {
    expect([isId("a"), isId(0), isId(BigInt(7))]).toEqual([true, true, true]);
    expect([isId(""), isId(null), isId(undefined), isId({}), isId(true)]).toEqual(Array(5).fill(false));
  });
});
