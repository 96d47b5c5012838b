import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideSessionAge } from "./check-found.ts";

const NOW = 1_800_000_000;

describe("decideSessionAge()", () => {
  it.each([
    [-1, "expired"],
    [0, "expired"],
    [1, "fresh"],
  ])("rule 1: with %i s to go it is %s", (left, expected) => {
    const facts = { now: NOW, issuedAt: NOW - 10, expires: NOW + left, updateAge: 100 };
    expect(decideSessionAge(facts)).toBe(expected);
  });

  it("rule 1: what is expired is not due", () => {
    expect(decideSessionAge({ now: NOW, issuedAt: NOW - 100, expires: NOW, updateAge: 0 })).toBe("expired");
  });

  it.each([
    [99, "fresh"],
    [100, "due"],
    [101, "due"],
  ])("rule 2: %i s after it was issued it is %s", (age, expected) => {
    const facts = { now: NOW, issuedAt: NOW - age, expires: NOW + 1, updateAge: 100 };
    expect(decideSessionAge(facts)).toBe(expected);
  });

  it("rule 2: with 0 it is due at each read", () => {
    expect(decideSessionAge({ now: NOW, issuedAt: NOW, expires: NOW + 1, updateAge: 0 })).toBe("due");
  });

  it("rule 3: a session from the future is fresh", () => {
    expect(decideSessionAge({ now: NOW, issuedAt: NOW + 60, expires: NOW + 120, updateAge: 1 })).toBe("fresh");
  });

  it("grows old in one direction only", () => {
    const order = { fresh: 0, due: 1, expired: 2 };
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(2000), fc.nat(2000), (life, updateAge, a, b) => {
        const at = (now: number) => order[decideSessionAge({ now, issuedAt: 0, expires: life, updateAge })];
        expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)));
      }),
    );
  });
});
