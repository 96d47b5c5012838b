/** Extensions are asked before a session adds an account or passkey to its user. */

import { memoryStore } from "@cardea/core/adapters";
import { type ChangeTarget, defineExtension } from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { secondProvider } from "../harness/database-app.ts";
import { BASE, cookieHeader, ORIGIN } from "../harness/harness.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const VERIFIED = new Date(1_000_000_000_000);
const USERS = ["ann", "eve"].map((id) => ({
  id,
  name: id,
  email: `${id}@example.com`,
  emailVerified: VERIFIED,
  image: null,
}));

type Answer = boolean | { readonly ask: string };

function start(strategy: "jwt" | "database", isAsked = true) {
  const asked: (ChangeTarget & { userId: string; given: string })[] = [];
  const state: { answer: Answer; proves: boolean } = { answer: true, proves: false };
  const gate = defineExtension({
    id: "gate",
    needs: { sessionInfo: true, store: true },
    ...(isAsked
      ? {
          mayChange: ({ userId }, given, target) => {
            asked.push({ ...target, userId, given: given.map(([method]) => method).join() });
            return state.answer;
          },
        }
      : {}),
    admit: ({ facts }) =>
      state.proves && !facts.f.some(([method]) => method === "otp") ? { ask: "prove" } : { admit: true },
    actions: {
      "GET prove": {
        ...{ csrf: "none", segment: "none", answers: "page", head: "skip" },
        async run(action, t) {
          const url = await (await action.pendingSignIn())?.complete({ f: [["otp", t.now()]] });
          return url === undefined ? { kind: "empty", status: 204 } : { kind: "redirect", url };
        },
      },
    },
  });
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: {
      users: USERS,
      accounts: USERS.map(({ id }) => ({ provider: "op", providerAccountId: id, type: "oidc" as const, userId: id })),
    },
  });
  const second = secondProvider({ allowDangerousEmailAccountLinking: true });
  const c = setUpPasskeys({
    strategy,
    memory,
    providers: [second.provider],
    routes: second.routes,
    alsoTo: [second.op.issuer],
    config: { store: memoryStore({ instances: 1 }), extensions: [gate] },
  });
  const signInAs = (sub: string) => {
    c.op.user = { sub, email: `${sub}@example.com`, email_verified: true, name: sub };
    return c.signInWithOp();
  };
  const startAtSecond = async (email: string) => {
    second.op.user = { sub: "mine", email, email_verified: true, name: "Any" };
    const started = await c.post(`${BASE}/signin/op2`, { callbackUrl: "/dash" });
    const back = await second.op.authorize(new URL(started.redirectsTo ?? ""));
    const navigate = ({ href }: URL): Promise<Response> => c.browser.navigate(href, { initiator: second.op.issuer });
    return async (visit = navigate) => {
      const answer = await visit(new URL(back.url));
      return answer.headers.get("location") ?? "";
    };
  };
  const ways = () => {
    const { accounts, authenticators } = memory.snapshot();
    return [accounts.length - USERS.length, authenticators.length];
  };
  const owners = () => memory.snapshot().accounts.map(({ userId }) => userId);
  return { c, asked, state, signInAs, startAtSecond, ways, owners };
}

describe.each(["jwt", "database"] as const)("a session that adds, %s sessions", (strategy) => {
  it("an account is asked about it, and adds it once every extension agrees", async () => {
    const { asked, state, signInAs, startAtSecond, ways } = start(strategy);
    await signInAs("ann");
    state.answer = { ask: "prove?x=1" };
    expect(await (await startAtSecond("any@example.com"))()).toBe(`${ORIGIN}${BASE}/prove?x=1`);
    expect([ways(), asked]).toEqual([[0, 0], [expect.objectContaining({ userId: "ann", adds: "account" })]]);
    expect(asked[0]?.callbackUrl).toBe(`${ORIGIN}/dash`);
    for (const answer of [false, { ask: "elsewhere" }]) {
      state.answer = answer;
      const to = new URL(await (await startAtSecond("any@example.com"))());
      expect([to.pathname, to.searchParams.get("error")]).toEqual([`${BASE}/signin`, "SessionRequired"]);
    }
    expect(ways()).toEqual([0, 0]);
    state.answer = true;
    expect(await (await startAtSecond("any@example.com"))()).toBe(`${ORIGIN}/dash`);
    expect(ways()).toEqual([1, 0]);
  });

  it("an account by its address is asked about it, also if the session did not start that", async () => {
    const { asked, state, signInAs, startAtSecond, ways } = start(strategy);
    const finish = await startAtSecond("ann@example.com");
    await signInAs("ann");
    state.answer = false;
    expect(await finish()).toContain("error=SessionRequired");
    expect([ways(), asked.map(({ userId, adds }) => [userId, adds])]).toEqual([[0, 0], [["ann", "account"]]]);
  });

  it("nothing to another user is not asked about that user's", async () => {
    const { asked, state, signInAs, startAtSecond, ways } = start(strategy);
    const finish = await startAtSecond("ann@example.com");
    await signInAs("eve");
    state.answer = false;
    expect(await finish()).toBe(`${ORIGIN}/dash`);
    expect([ways(), asked]).toEqual([[1, 0], []]);
  });

  it("a passkey is asked before the browser is, and again before it is added", async () => {
    const { c, asked, state, signInAs, ways } = start(strategy);
    await signInAs("ann");
    state.answer = false;
    expect((await c.ask("action=register")).status).toBe(403);
    state.answer = true;
    const options = await c.options("action=register");
    const data = await c.authenticator.create({ ...options, excludeCredentials: [] });
    state.answer = { ask: "prove" };
    expect((await (await c.answer("register", data)).json()).url).toBe(`${ORIGIN}${BASE}/prove`);
    expect([ways(), new Set(asked.map(({ adds }) => adds))]).toEqual([[0, 0], new Set(["passkey"])]);
    state.answer = true;
    await c.register("");
    expect(ways()).toEqual([1, 1]);
  });

  it("is asked with the proofs that the sign-in waited for", async () => {
    const { c, asked, state, signInAs, startAtSecond, ways } = start(strategy);
    await signInAs("ann");
    state.proves = true;
    const to = await (await startAtSecond("any@example.com"))();
    expect([to.split("?")[0], asked]).toEqual([`${ORIGIN}${BASE}/prove`, []]);
    expect((await c.browser.navigate(to)).redirectsTo).toBe(`${ORIGIN}/dash`);
    expect([ways(), asked.map(({ given }) => given)]).toEqual([[1, 0], ["federated,otp"]]);
  });

  it("adds nothing beside the session of another user, which may be the one that was proven", async () => {
    const { c, asked, signInAs, startAtSecond, owners } = start(strategy);
    const sessionOf = () =>
      cookieHeader(c.browser)
        .split("; ")
        .filter((one) => one.includes("session-token="));
    await signInAs("eve");
    const eves = sessionOf();
    c.browser.cookies.clear();
    await signInAs("ann");
    const finish = await startAtSecond("any@example.com");
    const both = [...cookieHeader(c.browser).split("; "), ...eves].join("; ");
    await finish(({ href }) => c.visit(new Request(href, { headers: { cookie: both } })));
    expect([owners(), asked]).toEqual([["ann", "eve", expect.not.stringMatching(/^(?:ann|eve)$/)], []]);
  });

  it("is not asked where no extension wants to be", async () => {
    const { c, asked, signInAs, startAtSecond, ways } = start(strategy, false);
    await signInAs("ann");
    expect(await (await startAtSecond("any@example.com"))()).toBe(`${ORIGIN}/dash`);
    await c.register("");
    expect([ways(), asked]).toEqual([[2, 1], []]);
  });
});
