import { describe, expect, it } from "vitest";
import { readTypedCode } from "./typed-code.ts";

/** Zero of each script that Unicode has decimal digits for. */
const ZEROS = Array.from({ length: 0x1ffff }, (_, point) => point).filter(
  (point) => /^\p{Nd}$/u.test(String.fromCodePoint(point)) && !/^\p{Nd}$/u.test(String.fromCodePoint(point - 1)),
);

describe("readTypedCode()", () => {
  it.each([
    ["1234 5678", "12345678"],
    ["1234-5678", "12345678"],
    ["1234\u20135678\u2212", "12345678"],
    ["\u200e12\u00a034\ufeff", "1234"],
    ["１２３４", "1234"],
    ["١٢٣٤", "1234"],
    ["۰۹", "09"],
    ["०१२३४५६७८९", "0123456789"],
    ["\u{1d7ce}\u{1d7d8}\u{1d7ff}", "009"],
    ["ＡＢＣＤ-efgh", "ABCDefgh"],
    ["", ""],
  ])("reads %j", (typed, code) => {
    expect(readTypedCode(typed)).toBe(code);
  });

  it.each([undefined, null, 12345678, ["1"], {}, "1".repeat(65)])("finds no code in %j", (typed) => {
    expect(readTypedCode(typed)).toBe("");
  });

  it("3. knows the ten digits of every script", () => {
    expect(ZEROS.length).toBeGreaterThan(60);
    for (const zero of ZEROS) {
      const digits = Array.from({ length: 10 }, (_, digit) => String.fromCodePoint(zero + digit)).join("");
      expect([zero.toString(16), readTypedCode(digits)]).toEqual([zero.toString(16), "0123456789"]);
    }
  });
});
