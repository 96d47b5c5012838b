import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findSimilar } from "./find-unknown-options.ts";

const KNOWN = ["providers", "basePath", "maxAge", "jwt", "clientId", "clientSecret", "jwks_endpoint", "id"];

describe("findSimilar()", () => {
  it.each([
    ["provider", "providers"],
    ["basepath", "basePath"],
    ["base_path", "basePath"],
    ["max_age", "maxAge"],
    ["maxaeg", "maxAge"],
    ["JWT", "jwt"],
    ["jwts", undefined],
    ["uid", undefined],
    ["clientSecert", "clientSecret"],
    ["jwksEndpoint", "jwks_endpoint"],
    ["constructor", undefined],
    ["", undefined],
    ["x".repeat(10_000), undefined],
  ])("%s: %s", (name, expected) => {
    expect(findSimilar(name, KNOWN)).toBe(expected);
  });

  it("finds a long name after any one letter was dropped, and never throws", () => {
    fc.assert(
      fc.property(fc.constantFrom("providers", "clientSecret"), fc.nat({ max: 8 }), (name, at) => {
        expect(findSimilar(name.slice(0, at) + name.slice(at + 1), KNOWN)).toBe(name);
      }),
    );
    fc.assert(fc.property(fc.string(), (name) => [undefined, ...KNOWN].includes(findSimilar(name, KNOWN))));
  });
});
