// A second factor behind every provider object of @auth/core: no session before it, and nothing written for a user that exists.
import { memoryStore } from "@cardea/core/adapters";
import type { OAuthProvider } from "@cardea/core/providers";
import { recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { describe, expect, it } from "vitest";
import { isLong, share } from "../long-form.ts";
import { createMemoryAdapter } from "../memory-adapter.ts";
import { totpCode } from "../totp-code.ts";
import { instantiate, oauthNames, profileFor } from "./providers/instantiate.ts";
import { PROFILES, STANDARD_PROFILE } from "./providers/profiles.ts";
import { signInWith } from "./providers/sign-in.ts";

const SAMPLE = ["apple", "discord", "github", "google", "linkedin", "microsoft-entra-id", "twitter", "wikimedia"];

/** The row of the linking table: whose account it is. */
const ROWS = ["of a user", "new"] as const;
const NEEDS = ["enrolled", "always"] as const;

const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };

/** A database with Ann, who has the account and a factor where the case says so. */
function databaseOf(provider: OAuthProvider, row: (typeof ROWS)[number], need: (typeof NEEDS)[number]) {
  const { id, type } = provider;
  const account = { provider: id, providerAccountId: "1815", type, userId: "ann" };
  const seed = { users: [ANN], accounts: row === "of a user" ? [account] : [] };
  const memory = createMemoryAdapter({ keepIds: true, seed });
  const enrolled = { type: "totp", secret: "sealed", createdAt: new Date(0), state: { step: 0 } };
  return {
    memory,
    enrol: () => (need === "enrolled" ? memory.adapter.createCredential({ ...enrolled, userId: "ann" }) : null),
  };
}

const settings = (["jwt", "database"] as const).flatMap((strategy) =>
  ROWS.flatMap((row) => NEEDS.map((need) => ({ strategy, row, need }))),
);
// In the short form a provider has both kinds of sessions with one row and need; the providers after it have the others.
const cases = (isLong ? oauthNames : SAMPLE.filter((name) => oauthNames.includes(name))).flatMap((name, n) =>
  share(settings, 4, n).map((setting) => ({ name, ...setting })),
);

describe("a second factor behind the providers of @auth/core", () => {
  it.each(cases)("$name, $strategy sessions, an account that is $row, $need", async ({ name, strategy, row, need }) => {
    const provider = instantiate(name);
    const described: OAuthProvider = { ...provider, ...Object(provider.options) };
    const profile = { ...(PROFILES[provider.id] ?? STANDARD_PROFILE), ...profileFor(provider.id) };
    const { memory, enrol } = databaseOf(described, row, need);
    await enrol();
    const before = memory.snapshot();
    const require = () => (need === "always" || row === "new" ? "always" : "if-enrolled");
    const { account, errors, cookies, browser } = await signInWith(provider, described, profile, {
      adapter: memory.adapter,
      store: memoryStore({ instances: 1 }),
      session: { strategy },
      extensions: [secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()], require })],
    });
    expect(errors).toEqual([]);
    expect(account).toMatchObject({ providerAccountId: "1815" });
    expect(cookies?.join("\n")).not.toContain("session-token=");
    expect(cookies?.join("\n")).toContain("cardea.factor.");
    const after = memory.snapshot();
    expect(after.sessions).toEqual([]);
    if (row === "of a user")
      expect({ ...after, verificationTokens: [] }).toEqual({ ...before, verificationTokens: [] });
    const answer = await browser?.fetch("/auth/factor", { headers: { accept: "application/json" } });
    const { methods, enrol: setup } = Object(await answer?.json());
    if (row === "of a user" && need === "enrolled") return expect(methods).toEqual(["totp", "recovery"]);
    const { csrfToken } = Object(await (await browser?.fetch("/auth/csrf"))?.json());
    const fields = { csrfToken, step: "confirm", setup: setup.setup, code: await totpCode(setup.secret) };
    await browser?.fetch("/auth/factor/totp", { method: "POST", body: new URLSearchParams(fields) });
    expect(cookies?.join("\n")).toContain("session-token=");
    expect(await (await browser?.fetch("/auth/session"))?.json()).toMatchObject({ user: {} });
  });
});
