/** A session that ended elsewhere a moment ago: reads may answer from a cache, changes of sign-in methods may not. */

import { type ActionSpec, defineExtension } from "@cardea/extend";
import { createAuthenticator, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider, signInByApplication } from "../harness/database-app.ts";
import { BASE } from "../harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../harness/passkey-app.ts";

const VICTIM = { sub: "victim", name: "Victim", email: "victim@example.com", email_verified: true };
const THIEF = { sub: "thief", name: "Thief", email: "thief@example.com", email_verified: true };

/** An application whose extension remembers that a session is valid, and learns of its end only when it asks. */
async function setUp(strategy: "jwt" | "database") {
  const seen: unknown[] = [];
  const elsewhere = { isEnded: false, endsWithLink: false };
  const action: ActionSpec = {
    csrf: "required",
    segment: "none",
    answers: "json",
    head: "skip",
    run: async (request) => {
      seen.push((await request.session())?.userId);
      if (request.method === "POST") seen.push(await request.mayChange("/"));
      return { kind: "json", status: 200, body: null };
    },
  };
  const remembering = defineExtension({
    id: "remembering",
    actions: { "GET change": { ...action, csrf: "none" }, "POST change": action },
    checkSession: (_session, _t, { isFresh }) => (isFresh && elsewhere.isEnded ? "ended" : "valid"),
  });
  const second = secondProvider();
  const memory = createMemoryAdapter();
  const { linkAccount } = memory.adapter;
  const adapter: typeof memory.adapter = {
    ...memory.adapter,
    linkAccount: (account) => {
      elsewhere.isEnded ||= elsewhere.endsWithLink;
      return linkAccount(account);
    },
  };
  const app = setUpPasskeys({
    strategy,
    memory,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    config: { adapter, extensions: [remembering] },
  });
  app.op.user = VICTIM;
  second.op.user = THIEF;
  await app.signInWithOp();
  const [victim] = app.memory.snapshot().users;
  const waysIn = () => {
    const { accounts, authenticators } = app.memory.snapshot();
    return [...accounts, ...authenticators].filter(({ userId }) => userId === victim?.id).length;
  };
  return { app, seen, elsewhere, victim, waysIn };
}

async function link(app: PasskeyCase) {
  return signInByApplication(app, "op2");
}

describe.each(["jwt", "database"] as const)("a session that ended elsewhere, with %s sessions", (strategy) => {
  it("is still read, from what the extension remembers", async () => {
    const { app, seen, elsewhere, victim } = await setUp(strategy);
    elsewhere.isEnded = true;
    expect(await app.session()).toMatchObject({ user: { name: "Victim" } });
    await app.browser.fetch(`${BASE}/change`);
    expect(seen).toEqual([victim?.id]);
  });

  it("adds no account", async () => {
    const { app, elsewhere, waysIn } = await setUp(strategy);
    elsewhere.isEnded = true;
    await link(app);
    expect(waysIn()).toBe(1);
    const { users, accounts } = app.memory.snapshot();
    expect([users.length, accounts.length]).toEqual([2, 2]);
  });

  it("adds no account, where it ends while the account is stored", async () => {
    const { app, elsewhere, waysIn } = await setUp(strategy);
    elsewhere.endsWithLink = true;
    await link(app);
    expect(waysIn()).toBe(1);
  });

  it("adds an account where it has not ended", async () => {
    const { app, waysIn } = await setUp(strategy);
    await link(app);
    expect(waysIn()).toBe(2);
  });

  it.each([false, true])("adds no passkey, where it ends after the options were asked for: %j", async (isEnded) => {
    const { app, elsewhere, waysIn } = await setUp(strategy);
    const asked = await app.ask("action=register");
    const { options } = (await asked.json()) as { options: Parameters<PasskeyCase["authenticator"]["create"]>[0] };
    const made = await createAuthenticator().create(options);
    elsewhere.isEnded = isEnded;
    await app.answer("register", made);
    expect(waysIn()).toBe(isEnded ? 1 : 3);
  });

  it("changes nothing in a form of an extension", async () => {
    const { app, seen, elsewhere, victim } = await setUp(strategy);
    await app.post(`${BASE}/change`);
    expect(seen.splice(0)).toEqual([victim?.id, null]);
    elsewhere.isEnded = true;
    await app.post(`${BASE}/change`);
    expect(seen).toEqual([undefined, expect.stringContaining(`${BASE}/signin?`)]);
  });
});
