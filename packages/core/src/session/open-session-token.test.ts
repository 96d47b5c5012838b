import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOf, createTokenCache } from "./open-session-token.ts";

const SECRETS = ["one"];
const NOW = 1_000;

describe("createTokenCache()", () => {
  it("gives what was set until its end, and not at its end", () => {
    const cache = createTokenCache<string>(10_000);
    cache.set(SECRETS, "hash", "text", 4, NOW + 10);
    expect(cache.get(SECRETS, "hash", NOW + 9)).toBe("text");
    expect(cache.get(SECRETS, "hash", NOW + 10)).toBeUndefined();
    expect(cache.size).toEqual({ bytes: 0, entries: 0 });
  });

  it("rule 1: forgets everything when the secrets change, and nothing when only their list is another object", () => {
    const cache = createTokenCache<string>(10_000);
    cache.set(SECRETS, "hash", "text", 4, NOW + 10);
    expect(cache.get([...SECRETS], "hash", NOW)).toBe("text");
    expect(cache.get(["one", "two"], "hash", NOW)).toBeUndefined();
    expect(cache.get(SECRETS, "hash", NOW)).toBeUndefined();
  });

  it("rule 3: the oldest go first, and a value larger than the limit is not kept", () => {
    const cache = createTokenCache<string>(600);
    for (const hash of ["a", "b", "c"]) cache.set(SECRETS, hash, "text", 4, NOW + 10);
    expect(["a", "b", "c"].map((hash) => cache.get(SECRETS, hash, NOW))).toEqual([undefined, "text", "text"]);
    cache.set(SECRETS, "b", "text", 700, NOW + 10);
    expect(cache.get(SECRETS, "b", NOW)).toBeUndefined();
    expect(cache.get(SECRETS, "c", NOW)).toBe("text");
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
          cache.set(SECRETS, hash, text, bytesOf(text), NOW + until);
          expect(cache.get(SECRETS, hash, NOW)).toBe(until > 0 ? text : undefined);
          expect(cache.size.bytes).toBeLessThanOrEqual(800);
        }
        for (const hash of ["a", "b", "c", "d"]) cache.get(SECRETS, hash, NOW + 100);
        expect(cache.size).toEqual({ bytes: 0, entries: 0 });
      }),
    );
  });
});
