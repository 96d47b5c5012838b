/** A sign-in that waits because an extension asked for something, for every kind of provider (docs/extensions.md#pending-sign-ins). */

import { memoryStore } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import { type ActionSpec, type Candidate, defineExtension, type ExtensionSpec } from "@cardea/extend";
import { createMemoryAdapter, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, COOKIE, cookieHeader, installClock, ORIGIN, PASSWORD } from "../harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../harness/passkey-app.ts";

const STRATEGIES = ["jwt", "database"] as const;
type Strategy = (typeof STRATEGIES)[number];

const form = { csrf: "required", segment: "none", answers: "page", head: "skip" } as const;
const look = { csrf: "none", segment: "none", answers: "json", head: "run" } as const;

/** Asks for one thing, and takes any POST as proof of it. */
function gateOf(id: string, proof: string, seen: Candidate[] = []) {
  const state = { on: true };
  const show: ActionSpec = {
    ...look,
    run: async (action) => {
      const pending = await action.pendingSignIn();
      const { candidate, ...rest } = { candidate: undefined, ...pending };
      // Without the claims of the ID token: the nonce of a sign-in is in no page.
      return { kind: "json", status: 200, body: pending && { ...rest, account: candidate?.account } };
    },
  };
  const prove: ActionSpec = {
    ...form,
    run: async (action, { now }) => {
      const pending = await action.pendingSignIn();
      if (pending === null) return { kind: "json", status: 404, body: null };
      return { kind: "redirect", url: await pending.complete({ f: [[proof, now()]] }) };
    },
  };
  const spec: ExtensionSpec = {
    id,
    needs: { store: true },
    actions: { [`GET ${id}`]: show, [`POST ${id}`]: prove },
    admit: (candidate) => {
      seen.push(candidate);
      const passed = !state.on || candidate.facts.f.some(([method]) => method === proof);
      return passed ? { admit: true } : { ask: id };
    },
  };
  return { state, extension: defineExtension(spec) };
}

const ANN = { id: "7", name: "Ann", email: "ann@example.com", emailVerified: new Date(1_000_000_000_000), image: null };

function start(strategy: Strategy, config: Partial<AuthConfig> = {}, mayFail = false) {
  const told: unknown[] = [];
  const gate = gateOf("gate", "otp");
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: { users: [ANN], accounts: [{ provider: "op", providerAccountId: "user-1", type: "oidc", userId: "7" }] },
  });
  const store = memoryStore({ instances: 1 });
  const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = (params) => {
    if (params.account) told.push(params);
    return params.token;
  };
  const c = setUpPasskeys({
    strategy,
    memory,
    mayFail,
    config: { store, extensions: [gate.extension], callbacks: { jwt }, ...config },
  });
  c.op.user = { sub: "user-1", email: "ann@example.com", email_verified: true, name: "Ann" };
  return { c, memory, store, told, gate: gate.state };
}

interface Way {
  /** What has to be there, made while nothing is asked. */
  readonly prepare?: (c: PasskeyCase) => Promise<unknown>;
  readonly run: (c: PasskeyCase) => Promise<Visit>;
  /** Whether the sign-in creates the user. */
  readonly creates?: true;
}

/** Opened in the browser that asked for it. */
async function mail(c: PasskeyCase, email: string): Promise<Visit> {
  await c.post(`${BASE}/signin/email`, { email, callbackUrl: "/dash" });
  return c.open();
}

const WAYS: Readonly<Record<string, Way>> = {
  "an account": { run: (c) => c.signInWithOp() },
  "a new account": {
    run: (c) => {
      c.op.user = { sub: "user-2", email: "bob@example.com", email_verified: true, name: "Bob" };
      return c.signInWithOp();
    },
    creates: true,
  },
  "a link": { run: (c) => mail(c, "ann@example.com") },
  "a link, new": { run: (c) => mail(c, "bob@example.com"), creates: true },
  "a password": { run: (c) => c.signIn({ username: "Ann" }) },
  "a passkey": {
    prepare: async (c) => {
      await c.register("email=eve@example.com");
      await c.signOut();
    },
    run: (c) => c.authenticate(),
  },
  "a new passkey": { run: (c) => c.register("email=bob@example.com"), creates: true },
};

const cookiesOf = (c: PasskeyCase) => c.browser.cookies.list().map(({ name }) => name);
const waiting = (c: PasskeyCase) => cookiesOf(c).filter((name) => name.startsWith("__Host-cardea.factor."));
const rows = ({ memory }: Pick<ReturnType<typeof start>, "memory">) => {
  const { verificationTokens: _, ...rest } = memory.snapshot();
  return JSON.stringify(rest);
};
const prove = (c: PasskeyCase, fields: Record<string, string> = {}, action = "gate") =>
  c.post(`${BASE}/${action}`, fields);

/** A way as far as the question, and what it is compared with. */
async function ask(strategy: Strategy, way: Way, config: Partial<AuthConfig> = {}, mayFail = false) {
  const app = start(strategy, config, mayFail);
  app.gate.on = false;
  await way.prepare?.(app.c);
  app.gate.on = true;
  const before = rows(app);
  app.told.length = 0;
  return { ...app, before, visit: await way.run(app.c) };
}

describe.each(STRATEGIES)("a sign-in that waits, %s sessions", (strategy) => {
  describe.each(Object.entries(WAYS))("with %s", (_name, way) => {
    it("writes nothing for a user that exists and issues no session, then signs in as without the question", async () => {
      const { c, before, told, memory, visit } = await ask(strategy, way);
      expect(`${visit.url} ${visit.redirectsTo} ${await visit.text()}`).toContain(`${BASE}/gate?pending=`);
      expect(waiting(c)).toHaveLength(1);
      expect(cookiesOf(c)).not.toContain(COOKIE.session);
      expect(await c.session()).toBeNull();
      if (!way.creates) expect(rows({ memory })).toBe(before);
      else expect(memory.snapshot().sessions).toEqual([]);
      expect(told).toEqual([]);

      const answer = await prove(c);
      expect(answer.redirectsTo).toMatch(/^https:\/\/app\.example\.com/);
      expect(await c.session()).not.toBeNull();
      expect(waiting(c)).toEqual([]);

      const plain = start(strategy);
      plain.gate.on = false;
      await way.prepare?.(plain.c);
      const [plainTold, plainEvents] = [plain.told.length, plain.c.eventNames().length];
      await way.run(plain.c);
      const shape = ({ account, user, ...rest }: Record<string, object>) => ({
        account: Object.keys({ ...account }).sort(),
        user: { ...user, id: undefined, emailVerified: undefined },
        profile: { ...rest.profile, iat: 0, exp: 0, nonce: "", auth_time: 0, at_hash: "" },
        trigger: rest.trigger,
        isNewUser: rest.isNewUser,
      });
      const stored = (app: Pick<typeof plain, "memory">) =>
        app.memory.snapshot().accounts.map((account) => Object.keys(account).sort());
      expect(stored({ memory })).toEqual(stored(plain));
      const lastOf = (list: unknown[]) => Object(list.at(-1));
      if (strategy === "jwt") expect(shape(lastOf(told))).toEqual(shape(lastOf(plain.told)));
      expect(told.length).toBe(plain.told.length - plainTold);
      const own = (names: string[]) => names.filter((name) => name !== "session");
      const first = own((await ask(strategy, way)).c.eventNames());
      expect(own(c.eventNames()).length).toBeGreaterThan(first.length);
      expect(own(c.eventNames()).slice(-own(plain.c.eventNames().slice(plainEvents)).length)).toEqual(
        own(plain.c.eventNames().slice(plainEvents)),
      );
    });

    it("is completed once, however often its proof is sent", async () => {
      const { c, memory } = await ask(strategy, way);
      const csrfToken = await c.csrfToken();
      const headers = {
        cookie: cookieHeader(c.browser),
        origin: ORIGIN,
        "content-type": "application/x-www-form-urlencoded",
      };
      const body = new URLSearchParams({ csrfToken }).toString();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => c.send(`${BASE}/gate`, { method: "POST", headers, body })),
      );
      const issued = answers.filter((one) =>
        one.headers.getSetCookie().some((line) => line.startsWith(`${COOKIE.session}=`)),
      );
      expect(issued).toHaveLength(1);
      if (strategy === "database") expect(memory.snapshot().sessions).toHaveLength(1);
    });

    it("survives an outage of the database", async () => {
      const { c, memory } = await ask(strategy, way, {}, true);
      memory.fail({ throws: new Error("away"), times: Number.POSITIVE_INFINITY });
      await prove(c);
      memory.heal();
      const failed = await c.session();
      // A password needs no database with the strategy `jwt`.
      if (failed !== null) return;
      expect(waiting(c)).toHaveLength(1);
      await prove(c);
      expect(await c.session()).not.toBeNull();
    });
  });

  it("tells a program that asked for JSON", async () => {
    const { c } = start(strategy);
    const fields = { username: "Ann", password: PASSWORD, callbackUrl: "/dash" };
    const answer = await c.post(`${BASE}/callback/credentials`, fields, { "x-auth-return-redirect": "1" });
    expect(await answer.json()).toEqual({
      code: "gate",
      url: expect.stringContaining(`${ORIGIN}${BASE}/gate?pending=`),
    });
  });

  it("keeps tokens and passwords from the extension, and sealed in the store", async () => {
    const seen: Candidate[] = [];
    const gate = gateOf("gate", "otp", seen);
    const kept: string[] = [];
    const store = memoryStore({ instances: 1 });
    const watched = {
      ...store,
      set: (key: string, value: string, o: Parameters<typeof store.set>[2]) => {
        kept.push(value);
        return store.set(key, value, o);
      },
    };
    const { c } = start(strategy, { extensions: [gate.extension], store: watched });
    await c.signInWithOp();
    const shown = await (await c.browser.fetch(`${BASE}/gate`)).text();
    expect(shown).toContain("user-1");
    expect(JSON.stringify(seen) + shown).not.toMatch(/access_token|refresh_token|id_token/);
    expect(kept).toHaveLength(1);
    expect(kept.join()).not.toContain("ann@example.com");
    expect(kept.join()).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it("belongs to its browser, its extension and its time", async () => {
    const clock = installClock();
    const other = gateOf("other", "pin");
    const gate = gateOf("gate", "otp");
    other.state.on = false;
    const { c } = start(strategy, { extensions: [gate.extension, other.extension] });
    await c.signIn({ username: "Ann" });
    const id = waiting(c)[0]?.slice(-8) ?? "";
    expect((await prove(c, { pending: id }, "other")).status).toBe(404);
    expect((await prove(c, { pending: "AAAAAAAA" })).status).toBe(404);
    const bare = await c.send(`${BASE}/gate?pending=${id}`, { headers: { accept: "application/json" } });
    expect(await bare.json()).toBeNull();
    clock.advance({ seconds: 601 });
    expect((await prove(c, { pending: id })).status).toBe(404);
    expect(await c.session()).toBeNull();
  });

  it("an entry of the store opens under its own key only", async () => {
    const entries = new Map<string, string>();
    const store = memoryStore({ instances: 1 });
    const first = (key: string) => (key.startsWith("cardea:pending:") ? [...entries.values()].at(0) : undefined);
    const swapped = { ...store, get: async (key: string) => first(key) ?? store.get(key) };
    const watched = {
      ...swapped,
      set: (key: string, value: string, o: Parameters<typeof store.set>[2]) => {
        entries.set(key, value);
        return store.set(key, value, o);
      },
    };
    const { c } = start(strategy, { store: watched });
    await c.signInWithOp();
    const { redirectsTo } = await c.signIn({ username: "Ann" });
    const shown = await (await c.browser.fetch(redirectsTo ?? "")).text();
    expect([...entries.keys()].filter((key) => key.startsWith("cardea:pending:"))).toHaveLength(2);
    expect(shown, "the entry of the first sign-in is not taken for that of the second").toBe("null");
  });

  it("ends at sign-out, in every tab, a copy of its cookie as well", async () => {
    const { c, gate } = start(strategy);
    gate.on = false;
    await c.signInWithOp();
    gate.on = true;
    await c.signIn({ username: "Ann" });
    await c.signIn({ username: "Ann" });
    expect(waiting(c)).toHaveLength(2);
    const copies = c.browser.cookies.list().filter(({ name }) => waiting(c).includes(name));
    await c.signOut();
    expect(waiting(c)).toEqual([]);
    for (const copy of copies) {
      c.browser.cookies.set(`${copy.name}=${copy.value}; Path=/; Secure; HttpOnly`);
      expect((await prove(c, { pending: copy.name.slice(-8) })).status).toBe(404);
    }
    expect(await c.session()).toBeNull();
  });

  it("ends when another user signs in in its browser, a copy of its cookie as well", async () => {
    const { c, gate } = start(strategy);
    await c.signInWithOp();
    const [copy] = c.browser.cookies.list().filter(({ name }) => waiting(c).includes(name));
    gate.on = false;
    c.op.user = { sub: "user-2", email: "bob@example.com", email_verified: true, name: "Bob" };
    await c.signInWithOp();
    expect(waiting(c)).toEqual([]);
    const before = await c.session();
    c.browser.cookies.set(`${copy?.name}=${copy?.value}; Path=/; Secure; HttpOnly`);
    expect((await prove(c, { pending: copy?.name.slice(-8) ?? "" })).status).toBe(404);
    expect(await c.session()).toEqual(before);
  });

  it("is still there when its own user signs in in another tab", async () => {
    const { c, gate } = start(strategy);
    await c.signInWithOp();
    gate.on = false;
    await c.signInWithOp();
    expect(waiting(c)).toHaveLength(1);
    expect((await prove(c)).status).toBe(302);
  });

  it("is no obstacle to a sign-out while the store is away", async () => {
    const store = memoryStore({ instances: 1 });
    let isAway = false;
    const get = async (key: string) => (isAway ? Promise.reject(new Error("away")) : store.get(key));
    const { c, gate } = start(strategy, { store: { ...store, get } }, true);
    gate.on = false;
    await c.signInWithOp();
    gate.on = true;
    await c.signIn({ username: "Ann" });
    isAway = true;
    await c.signOut();
    expect([waiting(c), await c.session()]).toEqual([[], null]);
  });

  it("two tabs wait beside each other, and at most five", async () => {
    const { c } = start(strategy);
    const ids: string[] = [];
    for (let tab = 0; tab < 7; tab++) {
      const answer = await c.signIn({ username: "Ann", callbackUrl: `/tab-${tab}` });
      ids.push(new URL(answer.redirectsTo ?? "", ORIGIN).searchParams.get("pending") ?? "");
    }
    expect(waiting(c)).toHaveLength(5);
    expect((await prove(c, { pending: ids[5] ?? "" })).redirectsTo).toBe(`${ORIGIN}/tab-5`);
    expect(waiting(c)).toHaveLength(4);
  });

  it("two extensions ask one after the other", async () => {
    const [one, two] = [gateOf("gate", "otp"), gateOf("terms", "agreed")];
    const { c } = start(strategy, { extensions: [one.extension, two.extension] });
    await c.signInWithOp();
    const next = await prove(c);
    expect(next.redirectsTo).toContain(`${BASE}/terms?pending=`);
    expect(await c.session()).toBeNull();
    expect((await prove(c)).status, "the first question was answered").toBe(404);
    await prove(c, {}, "terms");
    expect(await c.session()).not.toBeNull();
  });

  it("is refused when the way in leads to another user meanwhile", async () => {
    const { c, memory } = start(strategy);
    await c.signInWithOp();
    await memory.adapter.createUser({ ...ANN, id: "8", email: "other@example.com" });
    await memory.adapter.unlinkAccount({ provider: "op", providerAccountId: "user-1" });
    await memory.adapter.linkAccount({ provider: "op", providerAccountId: "user-1", type: "oidc", userId: "8" });
    const answer = await prove(c);
    expect(answer.redirectsTo).toContain("error=AccessDenied");
    expect(await c.session()).toBeNull();
    expect((await prove(c)).status).toBe(404);
    expect(waiting(c)).toEqual([]);
  });

  it("a passkey that was used again meanwhile, or is gone, signs no one in", async () => {
    for (const change of ["used", "removed"] as const) {
      const { c, memory, gate } = start(strategy);
      gate.on = false;
      await c.register("email=eve@example.com");
      await c.signOut();
      gate.on = true;
      await c.authenticate();
      const [authenticator] = memory.snapshot().authenticators;
      const { credentialID = "", counter = 0 } = authenticator ?? {};
      if (change === "used") await memory.adapter.updateAuthenticatorCounter(credentialID, counter + 1);
      else await memory.adapter.unlinkAccount({ provider: "passkey", providerAccountId: credentialID });
      expect((await prove(c)).redirectsTo).toContain("error=AccessDenied");
      expect(await c.session()).toBeNull();
    }
  });

  it("without a store the action is shown, and nothing is kept", async () => {
    const gate = gateOf("gate", "otp");
    const { needs: _, ...spec } = gate.extension;
    const { store: _store, ...adapter } = createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } }).adapter;
    const { c } = start(strategy, { store: undefined, adapter, extensions: [defineExtension(spec)] });
    const answer = await c.signIn({ username: "Ann" });
    expect(answer.redirectsTo).toBe(`${ORIGIN}${BASE}/gate`);
    expect(waiting(c)).toEqual([]);
  });
});
