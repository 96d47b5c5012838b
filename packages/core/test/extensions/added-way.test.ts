/** What a session knows after a way in was added: what it knew before, and nothing of anyone else's. */

import { memoryStore } from "@cardea/core/adapters";
import { defineExtension, type SessionFacts } from "@cardea/extend";
import type { WebAuthnOptions } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const ANN = { id: "7", name: "Ann", email: "ann@example.com", emailVerified: new Date(1_000_000_000_000), image: null };
const EVE = { ...ANN, id: "8", name: "Eve", email: "eve@example.com" };

function start(strategy: "jwt" | "database", passkey: WebAuthnOptions = {}) {
  const asked: { userId: string; facts: SessionFacts }[] = [];
  const factor = defineExtension({
    id: "factor-test",
    needs: { sessionInfo: true, store: true },
    // A proof that was given long ago.
    admit: ({ user, facts }, { now }) => {
      asked.push({ userId: String(user.id), facts });
      return facts.f.some(([method]) => method === "otp")
        ? { admit: true }
        : { admit: true, facts: { f: [["otp", now() - 5000]] } };
    },
  });
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: {
      users: [ANN, EVE],
      accounts: [
        { provider: "op", providerAccountId: "ann", type: "oidc", userId: "7" },
        { provider: "op", providerAccountId: "eve", type: "oidc", userId: "8" },
      ],
    },
  });
  const second = secondProvider({ allowDangerousEmailAccountLinking: true });
  const c = setUpPasskeys({
    strategy,
    memory,
    passkey,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    config: { store: memoryStore({ instances: 1 }), extensions: [factor] },
  });
  const signInAs = (sub: "ann" | "eve") => {
    c.op.user = { sub, email: `${sub}@example.com`, email_verified: true, name: sub };
    return c.signInWithOp();
  };
  return { c, memory, asked, second: second.op, signInAs };
}

describe.each(["jwt", "database"] as const)("a way in that is added, %s sessions", (strategy) => {
  it("by an address takes nothing from the session of someone else", async () => {
    const { c, asked, second, signInAs } = start(strategy);
    second.user = { sub: "ann-there", email: "ann@example.com", email_verified: true, name: "Ann" };
    const started = await c.post(`${BASE}/signin/op2`, { callbackUrl: "/" });
    const back = await second.authorize(new URL(started.redirectsTo ?? ""));
    await signInAs("eve");
    asked.length = 0;
    await c.browser.navigate(back.url, { initiator: second.issuer });
    expect(asked.map(({ userId }) => userId)).toContain("7");
    for (const { facts } of asked) expect(facts.f.map(([method]) => method)).toEqual(["federated"]);
  });

  it.each(["a passkey", "an account"])(
    "%s is no fresh proof, and the session stays where it came from",
    async (way) => {
      const { c, asked, second, signInAs } = start(strategy);
      await signInAs("ann");
      const [before] = asked.splice(0);
      if (way === "a passkey") await c.register("");
      else {
        second.user = { sub: "mine", email: "any@example.com", email_verified: true, name: "Any" };
        const started = await c.post(`${BASE}/signin/op2`, { callbackUrl: "/" });
        const back = await second.authorize(new URL(started.redirectsTo ?? ""));
        await c.browser.navigate(back.url, { initiator: second.issuer });
      }
      expect(asked.length).toBeGreaterThan(0);
      for (const { facts } of asked) {
        expect(facts.f.map(([method]) => method)).toEqual(["federated", "otp"]);
        expect(facts.idp).toEqual(before?.facts.idp);
        expect(facts.at).toBe(before?.facts.at);
      }
    },
  );
});

describe.each(["jwt", "database"] as const)("a passkey, %s sessions", (strategy) => {
  it.each([
    [true, "passkey"],
    [false, "pop"],
  ])("whose authenticator verified its user: %s is the method %s", async (userVerified, method) => {
    const options = { requireUserVerification: false };
    const { c, asked } = start(strategy, { verifyAuthenticationOptions: options, verifyRegistrationOptions: options });
    await c.register("email=new@example.com", { userVerified });
    await c.signOut();
    await c.authenticate("", { userVerified });
    expect(new Set(asked.map(({ facts }) => facts.f.map(([one]) => one).join()))).toEqual(new Set([method]));
  });
});
