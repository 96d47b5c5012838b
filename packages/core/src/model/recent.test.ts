import { describe, expect, it } from "vitest";
import { findRecent, keepRecent } from "./recent.ts";

describe("keepRecent()", () => {
  it("removes the entry that was used longest ago, and no other", () => {
    const entries = new Map<string, number>();
    for (const [n, key] of ["a", "b", "c"].entries()) keepRecent(entries, key, n, 3);
    expect(findRecent(entries, "a", 3)).toBe(0);
    keepRecent(entries, "d", 3, 3);
    expect([...entries.keys()].sort()).toEqual(["a", "c", "d"]);
    expect(findRecent(entries, "b", 3)).toBeUndefined();
  });

  it("finds nearly all entries where one more is used than there is room for", () => {
    const entries = new Map<number, number>();
    let found = 0;
    // Most are used again and again, and now and then another one.
    for (let n = 0; n < 1000; n++) {
      const key = n % 10 === 0 ? 1000 + n : n % 7;
      if (findRecent(entries, key, 8) === undefined) keepRecent(entries, key, n, 8);
      else found += 1;
    }
    expect(found).toBeGreaterThan(850);
  });
});
