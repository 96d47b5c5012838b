import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFuture, isRecent } from "./is-recent.ts";

const NOW = 1_800_000_000;

describe("isRecent()", () => {
  it.each([
    [NOW - 900, false],
    [NOW - 899, true],
    [NOW, true],
    [NOW + 60, true],
    [NOW + 61, false],
    [0, false],
  ])("of %i is %s", (at, expected) => {
    expect(isRecent(at, 900, NOW)).toBe(expected);
  });

  it("is never true for longer than the limit and the difference of two clocks", () => {
    fc.assert(
      fc.property(fc.integer({ min: -86_400, max: 86_400 }), fc.integer({ min: 1, max: 3600 }), (offset, within) => {
        const at = NOW + offset;
        const times = Array.from({ length: 200 }, (_, n) => NOW + offset - 3600 + 60 * n);
        const recent = times.filter((now) => isRecent(at, within, now));
        expect(recent.every((now) => now >= at - 60 && now < at + within)).toBe(true);
        expect(isFuture(at, at - 61)).toBe(true);
      }),
    );
  });
});
