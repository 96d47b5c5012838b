import { describe, expect, it } from "vitest";
import type { EmailProvider } from "../model/provider.ts";
import { email } from "./method.ts";

const MAIL: EmailProvider = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => {} };

function resolve(overrides: object) {
  const members = { ...MAIL, ...overrides };
  return email.resolve({ id: "mail", members, complete: members, isProduction: false });
}

describe("email.resolve()", () => {
  it("fills in the defaults of contract 8", () => {
    expect(resolve({ name: undefined })).toMatchObject({
      provider: { kind: "email", name: "E-mail", maxAge: 86_400, rateLimit: { max: 5, windowSeconds: 600 } },
      warnings: [],
    });
  });

  it.each([
    [{ sendVerificationRequest: undefined }, "sendVerificationRequest"],
    [{ sendVerificationRequest: "x" }, "sendVerificationRequest"],
    [{ maxAge: 0 }, "maxAge"],
    [{ maxAge: -1 }, "maxAge"],
    [{ maxAge: Number.MAX_SAFE_INTEGER }, "maxAge"],
    [{ maxAge: 100 * 366 * 24 * 60 * 60 + 1 }, "maxAge"],
    [{ maxAge: 1.5 }, "maxAge"],
    [{ maxAge: "1h" }, "maxAge"],
    [{ maxAge: Number.NaN }, "maxAge"],
    [{ generateVerificationToken: "1234" }, "generateVerificationToken"],
    [{ normalizeIdentifier: true }, "normalizeIdentifier"],
    [{ allowLocalDomains: "localhost" }, "allowLocalDomains"],
    [{ rateLimit: 5 }, "rateLimit"],
    [{ rateLimit: null }, "rateLimit"],
    [{ rateLimit: { max: 5 } }, "rateLimit"],
    [{ rateLimit: { max: "5", windowSeconds: 600 } }, "rateLimit"],
  ])("refuses %j", (overrides, member) => {
    expect(resolve(overrides)).toMatchObject({ problems: [{ member }] });
  });

  it.each([1, 2, 86_400])("takes a life of %i s", (maxAge) => {
    expect(resolve({ maxAge })).toMatchObject({ provider: { maxAge } });
  });

  it("calls the provider's functions on the provider itself", async () => {
    const resolution = resolve({
      word: "own",
      generateVerificationToken(this: { word: string }) {
        return this.word;
      },
      normalizeIdentifier(this: { word: string }, identifier: string) {
        return `${this.word} ${identifier}`;
      },
    });
    if (!("provider" in resolution)) throw new Error("not resolved");
    const { generateVerificationToken, normalizeIdentifier } = resolution.provider;
    expect(await generateVerificationToken?.()).toBe("own");
    expect(normalizeIdentifier?.("a@x.io")).toBe("own a@x.io");
  });
});
