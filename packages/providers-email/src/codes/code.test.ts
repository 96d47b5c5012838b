import { describe, expect, it } from "vitest";
import { parseCode, toCode } from "./code.ts";

describe("toCode()", () => {
  it("makes every code equally often: numbers of the last, incomplete round are left out", () => {
    expect([toCode(0), toCode(7), toCode(99_999_999), toCode(100_000_000)]).toEqual([
      "00000000",
      "00000007",
      "99999999",
      "00000000",
    ]);
    expect([toCode(4_199_999_999), toCode(4_200_000_000), toCode(2 ** 32 - 1)]).toEqual(["99999999", null, null]);
  });
});

describe("parseCode()", () => {
  it.each([
    "12345678",
    " 1234 5678 ",
    "1234-5678",
    "1234–5678",
    "１２３４５６７８",
    "١٢٣٤٥٦٧٨",
    "12\u00a034\u200956 78",
  ])("reads %j", (typed) => {
    expect(parseCode(typed)).toBe("12345678");
  });

  it.each([undefined, 12345678, "", "1234567", "123456789", "1234567a", "1.2345678", "1".repeat(65)])(
    "refuses %j",
    (typed) => {
      expect(parseCode(typed)).toBeNull();
    },
  );
});
