/** The planter of a user links, adds passkeys and signs in, a hundred times at once, while the owner proves the address. */
import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";
import type { PasskeyCase } from "../harness/passkey-app.ts";
import { ADDRESS, holderOf, plant } from "../harness/planted.ts";

/** An application that looks its user up by address, which it should not: as many examples for Auth.js do. */
const byAddress = (memory: MemoryAdapter) => ({
  jwt: async ({ token }: { token: Record<string, unknown> }) => {
    const row = memory.snapshot().users.find(({ email }) => email !== null && email === token.email);
    return row === undefined ? token : { ...token, sub: row.id, owner: row.id };
  },
});

/** One link that was begun: the way back from the provider. */
async function begin(planter: PasskeyCase, op: ReturnType<typeof secondProvider>["op"], n: number): Promise<string> {
  op.user = { sub: `late-${n}`, email: `late-${n}@example.com`, email_verified: true };
  const page = await planter.browser.navigate(`${BASE}/signin`);
  const begun = await planter.browser.submit(page, { action: `${BASE}/signin/op2` });
  return `${(await op.authorize(begun.redirectsTo ?? "")).url}`;
}

describe.each(["jwt", "database"] as const)("a planter who races the owner, %s sessions", (strategy) => {
  it.each(["account", "passkey"] as const)(
    "ends at the owner's user in no way: planted by %s",
    async (by) => {
      const second = secondProvider();
      const memory = createMemoryAdapter();
      const planted = await plant(by, {
        strategy,
        memory,
        providers: [second.provider],
        routes: second.routes,
        alsoTo: [second.op.issuer],
        config: { callbacks: byAddress(memory) },
      });
      const { planter, owner, id } = planted;
      memory.fail({ delayMs: 1, times: Number.POSITIVE_INFINITY });
      await planted.prove();
      const attacks: (() => Promise<unknown>)[] = [];
      for (let n = 0; n < 5; n++) {
        const url = await begin(planter, second.op, n);
        for (let tries = 0; tries < 10; tries++) attacks.push(() => planter.browser.tab().navigate(url));
      }
      for (let n = 0; n < 25; n++) attacks.push(() => planter.browser.fetch(`${BASE}/session`));
      for (let n = 0; n < 25; n++) {
        attacks.push(by === "account" ? () => planter.signInWithOp() : () => planter.authenticate());
      }
      const racing = attacks.map(async (attack, n) => {
        await new Promise((resolve) => setTimeout(resolve, n % 20));
        return attack().catch(() => null);
      });
      const done = await planted.startFresh();
      await Promise.all(racing);
      memory.heal();
      expect(done.redirectsTo).toContain("/dash");
      const mine = holderOf(memory);
      expect(mine?.id).toBeDefined();
      expect(mine?.id).not.toBe(id);
      const { accounts, authenticators, sessions } = memory.snapshot();
      expect(accounts.filter(({ userId }) => userId === mine?.id)).toEqual([]);
      expect(authenticators.filter(({ userId }) => userId === mine?.id)).toEqual([]);
      expect(sessions.filter(({ userId }) => userId === mine?.id).length).toBeLessThanOrEqual(1);
      expect(JSON.stringify(await planter.session())).not.toContain(ADDRESS);
      expect(await owner.session()).toMatchObject({ user: { email: ADDRESS } });
      // Whatever the planter signs in with afterwards leads to the planted user.
      await planter.signOut();
      await (by === "account" ? planter.signInWithOp() : planter.authenticate());
      expect(JSON.stringify(await planter.session())).not.toContain(ADDRESS);
    },
    60_000,
  );
});

/** A promise, and what settles it. */
function defer() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

describe("a sign-in by an account that is removed while it is under way", () => {
  it("does not reach the user who is handed over to the owner meanwhile", async () => {
    const invited = { id: "i", name: "I", email: ADDRESS, emailVerified: null, image: null };
    const memory = createMemoryAdapter({ seed: { users: [invited] } });
    const account = { provider: "op2", providerAccountId: "mallory" };
    await memory.adapter.linkAccount({ ...account, userId: "i", type: "oidc" });
    const mails: string[] = [];
    const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url);
    const email = { id: "email", name: "E-mail", type: "email", sendVerificationRequest } as const;
    const [asked, answered] = [defer(), defer()];
    const signIn = async () => {
      asked.resolve();
      await answered.promise;
      return true;
    };
    const { op, provider, routes } = secondProvider();
    const providers = [email, provider];
    const planter = setUpDatabase({
      memory,
      routes,
      alsoTo: [op.issuer],
      config: { providers, callbacks: { signIn } },
    });
    op.user = { sub: "mallory", email: "mallory@evil.example", email_verified: true };
    const page = await planter.browser.navigate(`${BASE}/signin`);
    const begun = await planter.browser.submit(page, { action: `${BASE}/signin/op2` });
    const signingIn = planter.browser.navigate(`${(await op.authorize(begun.redirectsTo ?? "")).url}`);
    await asked.promise;
    await memory.adapter.unlinkAccount(account);
    const owner = setUpDatabase({ memory, config: { providers } });
    await owner.ask(ADDRESS);
    expect((await owner.browser.navigate(mails.at(-1) ?? "")).redirectsTo).not.toContain("confirm-address");
    answered.resolve();
    expect((await signingIn).redirectsTo).toContain("error=AccessDenied");
    expect(holderOf(memory)?.emailVerified).toBeInstanceOf(Date);
    expect(await planter.session()).toBeNull();
    expect(await owner.session()).toMatchObject({ user: { email: ADDRESS } });
    expect(memory.snapshot().sessions).toHaveLength(1);
  });
});
