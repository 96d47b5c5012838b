import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCookieValue } from "./cookie-value.ts";

describe("decodeCookieValue()", () => {
  it("is the inverse of encodeURIComponent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        expect(decodeCookieValue(encodeURIComponent(value))).toBe(value);
      }),
    );
  });

  it("leaves alone what has no escape, and what has a bad one (H060)", () => {
    for (const value of ["", "a+b/c==", "a:b", "%", "%zz", "50%", "%ff", "%c3%28"]) {
      expect(decodeCookieValue(value)).toBe(value);
    }
  });
});
