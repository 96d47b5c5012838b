import { describe, expect, it } from "vitest";
import type { EmailProvider } from "../model/provider.ts";
import { resolveEmail } from "./resolve-email.ts";

const MAIL: EmailProvider = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => {} };

/** What a program without types might pass. */
function parseEmail(overrides: object): EmailProvider {
  return { ...MAIL, ...overrides } as EmailProvider;
}

function resolve(overrides: object) {
  return resolveEmail(parseEmail(overrides), "providers[0]");
}

describe("resolveEmail()", () => {
  it("fills in the defaults of contract 8", () => {
    expect(resolve({ name: undefined })).toMatchObject({
      provider: { kind: "email", name: "E-mail", maxAge: 86_400, rateLimit: { max: 5, windowSeconds: 600 } },
      warnings: [],
    });
  });

  it.each([
    [{ sendVerificationRequest: undefined }, "providers[0].sendVerificationRequest"],
    [{ sendVerificationRequest: "x" }, "providers[0].sendVerificationRequest"],
    [{ maxAge: 0 }, "providers[0].maxAge"],
    [{ maxAge: -1 }, "providers[0].maxAge"],
    [{ maxAge: Number.MAX_SAFE_INTEGER }, "providers[0].maxAge"],
    [{ maxAge: 100 * 366 * 24 * 60 * 60 + 1 }, "providers[0].maxAge"],
    [{ maxAge: 1.5 }, "providers[0].maxAge"],
    [{ maxAge: "1h" }, "providers[0].maxAge"],
    [{ maxAge: Number.NaN }, "providers[0].maxAge"],
    [{ generateVerificationToken: "1234" }, "providers[0].generateVerificationToken"],
    [{ normalizeIdentifier: true }, "providers[0].normalizeIdentifier"],
    [{ allowLocalDomains: "localhost" }, "providers[0].allowLocalDomains"],
    [{ rateLimit: 5 }, "providers[0].rateLimit"],
    [{ rateLimit: null }, "providers[0].rateLimit"],
    [{ rateLimit: { max: 5 } }, "providers[0].rateLimit"],
    [{ rateLimit: { max: "5", windowSeconds: 600 } }, "providers[0].rateLimit"],
  ])("refuses %j", (overrides, option) => {
    expect(resolve(overrides)).toMatchObject({ problems: [{ option }] });
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
    if (!("provider" in resolution) || resolution.provider.kind !== "email") throw new Error("not resolved");
    const { generateVerificationToken, normalizeIdentifier } = resolution.provider;
    expect(await generateVerificationToken?.()).toBe("own");
    expect(normalizeIdentifier?.("a@x.io")).toBe("own a@x.io");
  });
});
