import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, createTokenCache } from "./decrypt-session-token.ts";

const NOW = 1_000;

describe("createTokenCache()", () => {
  it("gives what was set until its end, and not at its end", () => {
    const cache = createTokenCache<string>(10_000);
    cache.set("hash", "text", 4, NOW + 10);
    expect(cache.get("hash", NOW + 9)).toBe("text");
    expect(cache.get("hash", NOW + 10)).toBeUndefined();
    expect(cache.size).toEqual({ bytes: 0, entries: 0 });
  });

  it("rule 2: the oldest go first, and a value larger than the limit is not kept", () => {
    const cache = createTokenCache<string>(600);
    for (const hash of ["a", "b", "c"]) cache.set(hash, "text", 4, NOW + 10);
    expect(["a", "b", "c"].map((hash) => cache.get(hash, NOW))).toEqual([undefined, "text", "text"]);
    cache.set("b", "text", 700, NOW + 10);
    expect(cache.get("b", NOW)).toBeUndefined();
    expect(cache.get("c", NOW)).toBe("text");
  });

  it("rule 3: a full cache admits a token at its second read", () => {
    const cache = createTokenCache<string>(1_000);
    expect(cache.admits("a")).toBe(true);
    for (const hash of ["a", "b", "c"]) cache.set(hash, "text", 4, NOW + 10);
    expect([cache.admits("d"), cache.admits("e"), cache.admits("d"), cache.admits("d")]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it.each([
    ["fewer sessions than fit", 50, 0, 1],
    ["a third more", 130, 0.6, 1],
    ["many more", 5_000, 0, 0.12],
  ])("rule 4: %s: how many reads found their token, and how many looked", (_, sessions, least, most) => {
    const cache = createTokenCache<string>(100 * 600);
    let [looked, hits] = [0, 0];
    let random = 1;
    for (let n = 0; n < 60_000; n++) {
      random = (random * 48_271) % 2_147_483_647;
      const hash = String(random % sessions);
      if (!cache.isUseful()) continue;
      looked += 1;
      if (cache.get(hash, NOW) !== undefined) hits += 1;
      else if (cache.admits(hash)) cache.set(hash, "text", 320, NOW + 10);
    }
    expect(hits / 60_000).toBeGreaterThanOrEqual(least);
    expect(looked / 60_000).toBeLessThanOrEqual(most);
    if (most === 1) expect(looked).toBe(60_000);
  });

  it("counts two bytes for each character of a text that needs them", () => {
    expect(["é", "λ"].map((text) => bytesOf(text.repeat(100)))).toEqual([100, 200]);
  });

  it("whatever is set, never counts more bytes than its limit, and counts none when it is empty", () => {
    const call = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.string({ maxLength: 200 }), fc.nat({ max: 20 }));
    fc.assert(
      fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
        const cache = createTokenCache<string>(800);
        for (const [hash, text, until] of calls) {
          cache.set(hash, text, bytesOf(text), NOW + until);
          expect(cache.get(hash, NOW)).toBe(until > 0 ? text : undefined);
          expect(cache.size.bytes).toBeLessThanOrEqual(800);
        }
        for (const hash of ["a", "b", "c", "d"]) cache.get(hash, NOW + 100);
        expect(cache.size).toEqual({ bytes: 0, entries: 0 });
      }),
    );
  });
});
