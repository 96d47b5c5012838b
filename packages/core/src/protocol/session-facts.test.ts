import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionFacts } from "../model/session-facts.ts";
import { joinFacts, parseAddedFacts, parseFacts, withoutFuture } from "./session-facts.ts";

const FACTS: SessionFacts = { sid: "s1", at: 1_700_000_000, e: 2, f: [["pwd", 1_700_000_000]] };

describe("parseFacts()", () => {
  it("reads back what was written", () => {
    const whole = {
      ...FACTS,
      idp: { provider: "op", iss: "https://op", sub: "7", sid: "p1", e: 1 },
      cnf: { jkt: "k" },
    };
    expect(parseFacts(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });

  it.each([
    null,
    "text",
    [],
    {},
    { ...FACTS, sid: "" },
    { ...FACTS, sid: 1 },
    { ...FACTS, at: "now" },
    { ...FACTS, at: -1 },
    { ...FACTS, e: undefined },
    { ...FACTS, e: 0.5 },
    { ...FACTS, e: Number.MAX_SAFE_INTEGER + 1 },
  ])("refuses %j", (value) => {
    expect(parseFacts(value)).toBeNull();
  });

  it("leaves out members of another shape, and never throws", () => {
    expect(parseFacts({ ...FACTS, f: [["pwd"], ["otp", 1], 7], idp: { provider: "op" }, cnf: { jkt: 7 } })).toEqual({
      ...FACTS,
      f: [["otp", 1]],
    });
    fc.assert(
      fc.property(fc.anything(), (value) => void parseFacts(value)),
      { seed: 15 },
    );
  });
});

describe("parseAddedFacts()", () => {
  it("leaves out members of another shape", () => {
    expect(parseAddedFacts({ e: Number.NaN, f: "pwd", idp: 7, cnf: null, sid: "other", at: 1 })).toEqual({ f: [] });
    expect(parseAddedFacts(undefined)).toEqual({ f: [] });
  });
});

describe("withoutFuture()", () => {
  it("keeps the methods, and lets a proof that is given now take the place of one from the future", () => {
    const now = FACTS.at;
    const facts = {
      ...FACTS,
      f: [
        ["pwd", now + 3600],
        ["otp", now + 60],
        ["passkey", now],
      ] as const,
    };
    const settled = withoutFuture(facts, now);
    expect(settled.f).toEqual([
      ["pwd", 0],
      ["otp", now + 60],
      ["passkey", now],
    ]);
    expect(joinFacts(settled, { f: [["pwd", now]] }).f).toContainEqual(["pwd", now]);
  });
});

describe("joinFacts()", () => {
  it("takes the larger epoch of the same origin, and nothing else of another", () => {
    const idp = { provider: "op", iss: "https://op", sub: "7" };
    const known = { ...FACTS, idp: { ...idp, sid: "p1", e: 2 } };
    expect(joinFacts(known, { idp: { ...idp, e: 3 } }).idp).toEqual({ ...idp, sid: "p1", e: 3 });
    expect(joinFacts(known, { idp: { ...idp, e: 1 } }).idp).toEqual(known.idp);
    for (const other of [{ sub: "8" }, { iss: "https://other" }, { provider: "other" }]) {
      expect(joinFacts(known, { idp: { ...idp, ...other, e: 9 } }).idp).toEqual(known.idp);
    }
  });

  it("joins proofs, and keeps the latest of one method", () => {
    const joined = joinFacts(
      FACTS,
      { f: [["otp", 5]] },
      {
        f: [
          ["pwd", 1_700_000_100],
          ["otp", 4],
        ],
      },
    );
    expect(joined.f).toEqual([
      ["pwd", 1_700_000_100],
      ["otp", 5],
    ]);
  });

  it("takes the larger epoch, and the first origin and key", () => {
    const first = { provider: "op", sub: "1" };
    const joined = joinFacts(
      FACTS,
      { e: 7, idp: first, cnf: { jkt: "a" } },
      { e: 3, idp: { provider: "x", sub: "2" }, cnf: { jkt: "b" } },
    );
    expect(joined).toMatchObject({ e: 7, idp: first, cnf: { jkt: "a" } });
  });

  it("leaves id and time as they are, whatever an extension returns", () => {
    const planted: object = { sid: "other", at: 1 };
    expect(joinFacts(FACTS, planted)).toEqual(FACTS);
  });
});
