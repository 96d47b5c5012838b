import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasSealedForm, nameToken, readSessionName } from "./session-token.ts";

const sid = fc.stringMatching(/^[\w-]{22}$/);
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });

describe("readSessionName()", () => {
  it("reads back what nameToken() wrote, whatever the token", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), sid, count, count, (token, id, at, e) => {
        expect(readSessionName(nameToken(token, { sid: id, at, e }))).toEqual({ sid: id, at, e });
      }),
      { seed: 15 },
    );
  });

  it.each([
    "",
    "a".repeat(64),
    "header.payload.signature",
    "t~short.1.1",
    "t~AAAAAAAAAAAAAAAAAAAAAA.1",
    "t~AAAAAAAAAAAAAAAAAAAAAA.A.1",
  ])("finds none in %j", (token) => {
    expect(readSessionName(token)).toBeNull();
  });

  it("stays below the 191 characters that MySQL keeps of an indexed text", () => {
    expect(nameToken("0".repeat(64), { sid: "A".repeat(22), at: 4_102_444_800, e: 999_999 }).length).toBeLessThan(128);
  });
});

describe("hasSealedForm()", () => {
  it.each([
    ["eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn", true],
    ["a.b.c.d.e", true],
    ["a.b.c.d", false],
    ["a.b.c.d.e.f", false],
    ["", false],
    ["....", false],
    ["0f8fad5b-d9cb-469f-a165-70867728950e", false],
    ["a.b.c.d.e ", false],
    ["a:b.b.c.d.e", false],
  ])("%j: %s", (token, expected) => {
    expect(hasSealedForm(token)).toBe(expected);
  });
});
