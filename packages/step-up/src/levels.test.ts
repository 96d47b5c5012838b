import type { Factor } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { isMet, type Level, resolveLevels } from "./levels.ts";

const NOW = 1_000_000;
const METHODS = [
  "pwd",
  "otp",
  "recovery",
  "passkey",
  "oidc",
  "email",
  "federated",
  "mfa",
  "browser",
  "none",
  "unknown",
];

function met(level: Level, ...proofs: readonly Factor[]): boolean {
  const resolved = resolveLevels({ a: level }).get("a");
  return resolved !== undefined && isMet(resolved, proofs, NOW);
}

describe("isMet()", () => {
  it("counts what proves the user, and nothing else", () => {
    const counted = METHODS.filter((method) => met({ within: "5m" }, [method, NOW - 1]));
    expect(counted).toEqual(["pwd", "otp", "recovery", "passkey", "oidc"]);
  });

  it.each([
    ["password", ["pwd"]],
    ["totp", ["otp", "recovery"]],
    ["passkey", ["passkey"]],
    ["oidc", ["oidc"]],
    ["email", ["email"]],
  ] as const)("factors: %s", (kind, methods) => {
    const counted = METHODS.filter((method) => met({ within: "5m", factors: [kind] }, [method, NOW]));
    expect(counted).toEqual(methods);
  });

  it.each([
    [-61, false],
    [-60, true],
    [0, true],
    [299, true],
    [300, false],
    [301, false],
  ])("a proof of %d seconds ago, within 300: %s", (age, expected) => {
    expect(met({ within: "300s" }, ["pwd", NOW - age])).toBe(expected);
  });

  it("needs every member: a class without its time, and a time without its class, are not enough", () => {
    const level: Level = { within: "5m", factors: ["oidc"], acr: ["gold", "silver"] };
    expect(met(level, ["oidc", NOW], ["acr:gold", NOW])).toBe(true);
    expect(met(level, ["oidc", NOW])).toBe(false);
    expect(met(level, ["acr:gold", NOW])).toBe(false);
    expect(met(level, ["oidc", NOW], ["acr:bronze", NOW])).toBe(false);
    expect(met(level, ["oidc", NOW], ["acr:gold", NOW - 300])).toBe(false);
    expect(met(level, ["pwd", NOW], ["acr:gold", NOW])).toBe(false);
  });
});

describe("resolveLevels()", () => {
  it.each([
    [{ within: "" }, "within"],
    [{ within: "0m" }, "within"],
    [{ within: "5d" }, "within"],
    [{ within: "5m", factors: [] }, "factors"],
    [{ within: "5m", factors: ["sms"] }, "factors"],
    [{ within: "5m", acr: [] }, "acr"],
    [{ within: "5m", acr: ["a b"] }, "acr"],
    [{ within: "5m", factors: ["totp"], acr: ["a"] }, "acr"],
    [{ within: "5m", bind: true }, "bind"],
  ])("refuses %j", (level, message) => {
    const given: unknown = { a: level };
    expect(() => resolveLevels(given as Record<string, Level>)).toThrow(message);
  });
});
