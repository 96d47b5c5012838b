/** The planter of a user links, adds passkeys and signs in, many times at once, while the owner proves the address. */

import type { EmailProvider } from "@cardea/core/providers";
import type { Callbacks } from "@cardea/core/types";
import { createAuthenticator, createMemoryAdapter, type MemoryAdapter, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { isLong } from "../../../testing/src/long-form.ts";
import { secondProvider } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";
import type { PasskeyCase } from "../harness/passkey-app.ts";
import { ADDRESS, holderOf, type Planted, plant } from "../harness/planted.ts";

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
  const begun = await planter.post(`${BASE}/signin/op2`);
  return `${(await op.authorize(begun.redirectsTo ?? "")).url}`;
}

/** A passkey that was created for the planter's session and is not stored yet: the request that stores it. */
async function beginPasskey(planter: PasskeyCase): Promise<() => Promise<unknown>> {
  const options = { ...(await planter.options("action=register")), excludeCredentials: [] };
  const data = await createAuthenticator().create(options);
  return () => planter.answer("register", data);
}

/** Links and passkeys of the planter, of which a browser keeps five in all. */
const LINKS = 2;
/** Requests of each other kind: 100 with those, or 24 in the short form. */
const KINDS = isLong ? 40 : 2;

/** Requests of the planter: links, passkeys, reads of the session and sign-ins. */
async function prepare(planter: PasskeyCase, { op }: ReturnType<typeof secondProvider>, by: "account" | "passkey") {
  const attacks: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < LINKS; n++) {
    const url = await begin(planter, op, n);
    for (let tries = 0; tries < 8; tries++) attacks.push(() => planter.browser.tab().navigate(url));
  }
  for (let n = 0; n < LINKS; n++) {
    const store = await beginPasskey(planter);
    attacks.push(store, store);
  }
  for (let n = 0; n < KINDS; n++) attacks.push(() => planter.browser.fetch(`${BASE}/session`));
  for (let n = 0; n < KINDS; n++) {
    attacks.push(by === "account" ? () => planter.signInWithOp() : () => planter.authenticate());
  }
  return attacks;
}

/** What the planter has after the race, while `prove` takes the owner to a session of theirs. */
async function race(
  strategy: "jwt" | "database",
  by: "account" | "passkey",
  rule: {
    readonly attacks?: number;
    readonly email?: Partial<EmailProvider>;
    readonly signIn?: (memory: MemoryAdapter, attack: () => void) => Callbacks["signIn"];
  },
  prove: (planted: Planted) => Promise<Visit>,
) {
  const second = secondProvider();
  const memory = createMemoryAdapter();
  const attacking = defer();
  const signIn = rule.signIn?.(memory, attacking.resolve);
  if (signIn === undefined) attacking.resolve();
  const planted = await plant(by, {
    strategy,
    memory,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    ...(rule.email && { email: rule.email }),
    config: { callbacks: { ...byAddress(memory), ...(signIn && { signIn }) } },
  });
  const { planter, owner, id } = planted;
  memory.fail({ delayMs: 1, times: Number.POSITIVE_INFINITY });
  const attacks = (await prepare(planter, second, by)).slice(0, rule.attacks);
  const racing = attacks.map(async (attack, n) => {
    await attacking.promise;
    await new Promise((resolve) => setTimeout(resolve, n % 20));
    return attack().catch(() => null);
  });
  const done = await prove(planted);
  await Promise.all(racing);
  memory.heal();
  const holder = holderOf(memory);
  const isHolders = ({ userId }: { readonly userId: string }) => userId === holder?.id;
  const { accounts, sessions } = memory.snapshot();
  const during = JSON.stringify(await planter.session()).includes(ADDRESS);
  // Whatever the planter signs in with afterwards leads to the planted user.
  await planter.signOut();
  await (by === "account" ? planter.signInWithOp() : planter.authenticate());
  const after = JSON.stringify(await planter.session()).includes(ADDRESS);
  return {
    to: done.redirectsTo,
    owner: await owner.session(),
    isPlanted: holder?.id === id,
    waysIn: accounts.filter(isHolders).length,
    isOneSession: sessions.filter(isHolders).length <= 1,
    isReached: during || after,
  };
}

const isSafe = ({ waysIn, isOneSession, isReached }: Awaited<ReturnType<typeof race>>) =>
  waysIn === 0 && isOneSession && !isReached;

/** The former rule: accounts are unlinked one after the other, sessions are ended last, and the row is the owner's. */
const evict = (memory: MemoryAdapter, attack: () => void): Callbacks["signIn"] => {
  return async ({ user, account, email }) => {
    if (account?.type !== "email" || email !== undefined) return true;
    const { adapter } = memory;
    const userId = String(user.id);
    for (const account of await adapter.listAccountsByUserId(userId)) await adapter.unlinkAccount(account);
    attack();
    // A planter with hundreds of accounts decides how long this takes: until a further account was linked.
    const isLate = ({ providerAccountId }: { readonly providerAccountId: string }) =>
      providerAccountId.startsWith("late");
    let rest = 50;
    for (let calls = 0; calls < 5000 && rest > 0; calls++) {
      if ((await adapter.listAccountsByUserId(userId)).some(isLate)) rest--;
    }
    await adapter.deleteSessionsByUserId(userId);
    return true;
  };
};

describe.each(["jwt", "database"] as const)("a planter who races the owner, %s sessions", (strategy) => {
  it.each(["account", "passkey"] as const)("ends at the owner's user in no way: planted by %s", async (by) => {
    const outcome = await race(strategy, by, {}, async (planted) => {
      await planted.prove();
      return planted.startFresh();
    });
    expect(outcome.to).toContain("/dash");
    expect(outcome.owner).toMatchObject({ user: { email: ADDRESS } });
    expect(outcome.isPlanted).toBe(false);
    expect(isSafe(outcome), JSON.stringify(outcome)).toBe(true);
  });

  it("ends there under the former rule, which evicts the planter and hands the user over", async () => {
    // Links alone: a sign-in of the planter ends the session that the links belong to.
    const rule = { attacks: LINKS * 8, email: { allowDangerousEmailAccountLinking: true }, signIn: evict };
    const outcome = await race(strategy, "account", rule, ({ prove }) => prove());
    expect(outcome.to).toContain("/dash");
    expect(isSafe(outcome), JSON.stringify(outcome)).toBe(false);
  });
});

/** A promise, and what settles it. */
function defer() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}
