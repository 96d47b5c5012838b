/** What extensions can do, and what they cannot, in whole requests (docs/extensions.md#laws). */

import { Auth } from "@cardea/core";
import { memoryStore, type Store } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import {
  type ActionSpec,
  type Candidate,
  defineExtension,
  type ExtensionSpec as Extension,
  type OpenedSession,
  type SessionVerdict,
} from "@cardea/extend";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type DatabaseOptions, setUpDatabase as setUpPlain } from "../harness/database-app.ts";
import { BASE, COOKIE, ORIGIN, PASSWORD, SECRET, setUp as setUpCase } from "../harness/harness.ts";

const STRATEGIES = ["jwt", "database"] as const;

/** A configuration whose extensions are written out. */
type Written = Omit<DatabaseOptions, "config"> & {
  readonly config?: Omit<Partial<AuthConfig>, "extensions"> & {
    readonly extensions?: readonly (Extension | false | undefined)[];
  };
};

function made({ config, ...options }: Written): DatabaseOptions {
  const extensions = (config?.extensions ?? []).map((one) => one && defineExtension(one));
  return { ...options, config: { ...config, extensions } };
}

const setUp = (options: Written) => setUpCase(made(options));
const setUpDatabase = (options: Written) => setUpPlain(made(options));

const page: ActionSpec = {
  csrf: "none",
  segment: "optional",
  answers: "page",
  head: "run",
  run: async (action) => ({
    kind: "json",
    status: 200,
    body: { segment: action.segment ?? null, sid: (await action.session())?.sid ?? null },
  }),
};

/** Something that is typed as what the case wants to be wrong. */
function parseAs<T>(value: unknown): T {
  return value as T;
}

async function startupError(config: {
  readonly extensions: readonly Extension[];
  readonly store?: Store;
}): Promise<string> {
  const { extensions, store } = config;
  let text = "";
  const logger = {
    error: (error: Error) => {
      text = error.message;
    },
    warn: () => {},
    debug: () => {},
  };
  const given = { secret: SECRET, trustHost: true, basePath: BASE, providers: [], logger };
  const made = extensions.map((one) => (typeof one === "object" ? defineExtension(one) : one));
  await Auth(new Request(`${ORIGIN}${BASE}/session`), { ...given, store, extensions: parseAs(made) });
  return text;
}

describe("extensions at start", () => {
  const action = (key: string, spec: Partial<ActionSpec> = {}): Partial<Extension> => ({
    actions: { [key]: { ...page, ...spec } },
  });
  it.each<[string, readonly Extension[], string]>([
    ["two of one id", [{ id: "a" }, { id: "a" }], "extensions[1]"],
    ["an id that is not a name", [{ id: "A b" }], "extensions[0]"],
    ["something that is not an extension", [parseAs<Extension>("a")], "extensions[0]"],
    ["an action of core", [{ id: "a", ...action("GET session") }], "belongs to core"],
    ["an action of core that it adds a method to", [{ id: "a", ...action("POST csrf") }], "belongs to core"],
    ["an action that is kept for another", [{ id: "a", ...action("GET account") }], "belongs to account"],
    [
      "one action twice",
      [
        { id: "a", ...action("GET x") },
        { id: "b", ...action("POST x") },
      ],
      "belongs to a",
    ],
    ["an action that is not a name", [{ id: "a", ...action("GET x/y") }], "`GET name`"],
    ["a GET that asks for a token", [{ id: "a", ...action("GET x", { csrf: "required" }) }], "CSRF"],
    ["a store that is missing", [{ id: "a", needs: { store: true } }], "`store` is missing"],
    ["records without a place", [{ id: "a", needs: { sessionInfo: true } }], "`store` is missing"],
    ["an extension that is missing", [{ id: "a", needs: { extensions: ["b"] } }], 'lacks "b"'],
    ["methods that are missing", [{ id: "a", needs: { adapter: ["getUser"] } }], "getUser"],
    [
      "two formats in one cookie",
      [
        { id: "a", sessionFormats: [{ id: "f", cookie: "c", emit: false, open: () => null }] },
        { id: "b", sessionFormats: [{ id: "g", cookie: "c", emit: false, open: () => null }] },
      ],
      "two session formats",
    ],
    [
      "a cookie beside the one that is the session",
      [
        { id: "a", sessionFormats: [{ id: "f", cookie: "c", emit: true, open: () => null }] },
        { id: "b", sessionFormats: [{ id: "g", cookie: "d", emit: false, open: () => null }] },
      ],
      "could undo a sign-out",
    ],
    [
      "hashed tokens that another library looks up",
      [{ id: "a", hashesTokens: true, sessionFormats: [{ id: "f", cookie: "c", emit: true, open: () => null }] }],
      "hashed session tokens",
    ],
  ])("refuses %s", async (_what, extensions, message) => {
    expect(await startupError({ extensions })).toContain(message);
  });

  it("refuses a store without a log where an extension needs one", async () => {
    const { log: _, ...store } = memoryStore();
    expect(await startupError({ extensions: [{ id: "a", needs: { store: "log" } }], store })).toContain("no `log`");
  });

  it("hands extensions a guarded store", async () => {
    const fails = () => {
      throw new Error("away");
    };
    const asked: unknown[] = [];
    const reader: Extension = {
      id: "reader",
      attempt: async (_attempt, { store }) => {
        asked.push(await store?.get("k").catch(String));
        return { allow: true };
      },
    };
    const store = { get: fails, set: fails, add: fails, swap: fails };
    await setUp({ config: { extensions: [reader], store } }).signIn();
    expect(asked).toEqual(["Error: away"]);
  });
  it("takes the action that is kept for it, what is switched off, and what a provider carries", async () => {
    const carried = defineExtension({ id: "carried", ...action("GET carried") });
    const provider = {
      id: "p",
      name: "P",
      type: "credentials" as const,
      credentials: {},
      authorize: () => null,
      extension: carried,
    };
    const c = setUp({
      config: { extensions: [false, undefined, { id: "sessions", ...action("GET sessions") }] },
      providers: [provider],
    });
    for (const name of ["carried", "sessions", "sessions/x"]) {
      expect((await c.browser.fetch(`${BASE}/${name}`)).status).toBe(200);
    }
    expect((await c.browser.fetch(`${BASE}/sessions/x/y`)).status).toBe(404);
    expect((await c.browser.fetch(`${BASE}/sessions`, { method: "DELETE" })).status).toBe(405);
  });
});

describe("attempt", () => {
  it("is asked before authorize(), and its refusal is shown with its code and its time", async () => {
    const seen: unknown[] = [];
    const limit: Extension = {
      id: "limit",
      attempt: (attempt, { headers }) => {
        seen.push(attempt.action, attempt.provider, attempt.type, headers.get("x-from"));
        return { allow: false, code: "slow_down", retryAfter: 30 };
      },
    };
    const c = setUp({ config: { extensions: [limit] } });
    const visit = await c.post(
      `${BASE}/callback/credentials`,
      { username: "a", password: PASSWORD },
      { "x-from": "here" },
    );
    expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/signin?error=CredentialsSignin&code=slow_down`);
    expect(seen).toEqual(["signin", "credentials", "credentials", "here"]);
    const program = await c.post(
      `${BASE}/callback/credentials`,
      { password: PASSWORD },
      { "x-auth-return-redirect": "1" },
    );
    expect([program.status, program.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await c.session()).toBeNull();
  });

  it("asks callbacks.allowAttempt as well, and tells what came of it", async () => {
    const told: string[] = [];
    const watch: Extension = {
      id: "watch",
      attempt: () => ({ allow: true }),
      outcome: ({ action }, result) => void told.push(`${action} ${result}`),
    };
    let verdict = true;
    const c = setUp({ config: { extensions: [watch], callbacks: { allowAttempt: () => verdict } } });
    await c.signIn();
    await c.post(`${BASE}/callback/credentials`, { username: "a", password: "wrong" });
    verdict = false;
    await c.post(`${BASE}/callback/credentials`, { username: "a", password: PASSWORD });
    expect(told).toEqual(["signin success", "signin failure"]);
  });

  it.each([
    ["undefined", () => undefined],
    ["a throw", () => Promise.reject(new Error("away"))],
  ])("refuses with %s", async (_what, attempt) => {
    const broken: Extension = { id: "broken", attempt: parseAs<NonNullable<Extension["attempt"]>>(attempt) };
    const c = setUp({ config: { extensions: [broken] } });
    const visit = await c.signIn();
    expect(visit.redirectsTo).toContain("too_many_attempts");
    expect(await c.session()).toBeNull();
  });
});

describe.each(STRATEGIES)("admit, %s sessions", (strategy) => {
  const ask: Extension = { id: "gate", actions: { "GET gate": page }, admit: () => ({ ask: "gate" }) };
  /** Ids are kept, so that the credentials user can be seeded. */
  const seeded = () =>
    createMemoryAdapter({
      keepIds: true,
      seed: {
        users: [{ id: "1", name: "Ann", email: "ann@example.com", emailVerified: null, image: null }],
        accounts: [{ provider: "op", providerAccountId: "user-1", type: "oidc", userId: "1" }],
      },
    });

  it("writes nothing for a user that exists before every extension has admitted them", async () => {
    const memory = seeded();
    const before = JSON.stringify(memory.snapshot());
    const c = setUpDatabase({ strategy, memory, config: { extensions: [ask] } });
    c.op.user = { sub: "user-1", email: "ann@example.com", email_verified: true, name: "Ann" };
    const visit = await c.signInWithOp();
    expect(visit.hops.map(({ url }) => url).join(" ")).toContain(`${BASE}/gate`);
    expect(JSON.stringify(memory.snapshot())).toBe(before);
    expect(c.browser.cookies.list().map(({ name }) => name)).not.toContain(COOKIE.session);
    expect(c.eventNames().filter((name) => name !== "session")).toEqual([]);
  });

  it("decides once more after the admission: a user who was handed the account meanwhile is asked about", async () => {
    const memory = seeded();
    const asked: unknown[] = [];
    const race: Extension = {
      id: "race",
      admit: async ({ user }: Candidate) => {
        asked.push(user.id);
        if (asked.length === 1) {
          await memory.adapter.createUser({ id: "2", name: "Bob", email: null, emailVerified: null, image: null });
          await memory.adapter.unlinkAccount({ provider: "op", providerAccountId: "user-1" });
          await memory.adapter.linkAccount({ provider: "op", providerAccountId: "user-1", type: "oidc", userId: "2" });
        }
        return user.id === "2" ? { refuse: "blocked" } : { admit: true };
      },
    };
    const c = setUpDatabase({ strategy, memory, config: { extensions: [race] } });
    c.op.user = { sub: "user-1", email: "x@example.com", email_verified: true, name: "X" };
    await c.signInWithOp();
    expect(asked).toEqual(["1", "2"]);
    expect(await c.session()).toBeNull();
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["true", true],
    ["an action of core", { ask: "session" }],
    ["a URL", { ask: "https://evil.example" }],
  ])("refuses with %s", async (_what, answer) => {
    const broken: Extension = {
      id: "gate",
      actions: { "GET gate": page },
      admit: () => parseAs<{ admit: true }>(answer),
    };
    const c = setUpDatabase({ strategy, memory: seeded(), config: { extensions: [broken] } });
    await c.signInWithOp();
    expect(await c.session()).toBeNull();
  });

  it("the first refusal wins, whatever the others say", async () => {
    const asked: string[] = [];
    const one = (id: string, answer: object): Extension => ({
      id,
      actions: { [`GET ${id}`]: page },
      admit: () => {
        asked.push(id);
        return parseAs<{ admit: true }>(answer);
      },
    });
    const extensions = [one("a", { admit: true }), one("b", { refuse: "no" }), one("c", { admit: true })];
    const c = setUpDatabase({ strategy, config: { extensions } });
    const visit = await c.signInWithOp();
    expect(visit.url).toContain("error=AccessDenied");
    expect(asked.join("")).toMatch(/^(?:ab)+$/);
  });

  it("joins the facts of all, and hides them from every callback", async () => {
    const seen: unknown[] = [];
    const facts: unknown[] = [];
    const adds = (id: string, added: object): Extension => ({ id, admit: () => ({ admit: true, facts: added }) });
    const reads: Extension = {
      id: "reads",
      checkSession: async (session): Promise<SessionVerdict> => {
        facts.push(await session.facts());
        return "valid";
      },
    };
    const callbacks: AuthConfig["callbacks"] = {
      jwt: (params) => {
        seen.push(JSON.stringify(params));
        return { ...params.token, cardea: { sid: "planted", at: 1, e: 9, f: [["otp", 1]] } };
      },
      session: (params) => {
        seen.push(JSON.stringify(params));
        return params.session;
      },
    };
    const needs = { sessionInfo: true } as const;
    const extensions = [adds("a", { e: 3 }), adds("b", { f: [["otp", 7]], e: 2 }), { ...reads, needs }];
    const c = setUpDatabase({ strategy, config: { extensions, callbacks, store: memoryStore({ instances: 1 }) } });
    await c.signInWithOp();
    expect(await c.session()).not.toBeNull();
    expect(facts.at(-1)).toMatchObject({
      e: 3,
      f: [
        ["federated", expect.any(Number)],
        ["otp", 7],
      ],
      idp: { provider: "op" },
    });
    expect(facts.at(-1)).not.toMatchObject({ sid: "planted" });
    expect(seen.join()).not.toContain("federated");
  });
});

describe.each(STRATEGIES)("checkSession, %s sessions", (strategy) => {
  function watched(
    answer: (session: OpenedSession) => SessionVerdict | Promise<SessionVerdict>,
    rest: Partial<Extension> = {},
  ) {
    const sessions: OpenedSession[] = [];
    const extension: Extension = {
      id: "gate",
      actions: { "GET gate": page },
      checkSession: (session) => {
        sessions.push(session);
        return answer(session);
      },
      ...rest,
    };
    return { sessions, extension };
  }

  it("is given an id that stays, and never the token", async () => {
    const { sessions, extension } = watched(() => "valid");
    const c = setUpDatabase({ strategy, config: { extensions: [extension], session: { updateAge: 0 } } });
    await c.signInWithOp();
    for (let n = 0; n < 3; n++) expect(await c.session()).not.toBeNull();
    const tokens = c.browser.cookies.list().filter(({ name }) => name === COOKIE.session);
    expect(new Set(sessions.map(({ sid }) => sid)).size).toBe(1);
    for (const { value } of tokens) expect(JSON.stringify(sessions)).not.toContain(decodeURIComponent(value));
    expect(sessions.at(-1)?.at).toEqual(expect.any(Number));
  });

  it("asked: no session, the cookie stays, and the action gets the session", async () => {
    const { sessions, extension } = watched(() => ({ ask: "gate" }));
    const c = setUpDatabase({ strategy, config: { extensions: [extension] } });
    await c.signInWithOp();
    expect(await c.session()).toBeNull();
    expect(c.browser.cookies.list().map(({ name }) => name)).toContain(COOKIE.session);
    const answer = await c.browser.fetch(`${BASE}/gate`);
    expect(await answer.json()).toEqual({ segment: null, sid: sessions[0]?.sid });
  });

  it("ended: no session, its cookie goes, and the page is told why", async () => {
    let verdict: SessionVerdict = "valid";
    const { extension } = watched(() => verdict);
    const c = setUpDatabase({ strategy, config: { extensions: [extension] } });
    await c.signInWithOp();
    expect(await c.session()).not.toBeNull();
    verdict = { ended: "limit" };
    const answer = await c.browser.fetch(`${BASE}/session`);
    expect([await answer.json(), answer.headers.get("x-auth-session-ended")]).toEqual([null, "limit"]);
    expect(c.browser.cookies.list().map(({ name }) => name)).not.toContain(COOKIE.session);
    expect(c.memory.snapshot().sessions).toEqual([]);
    verdict = "valid";
    expect(await c.session()).toBeNull();
  });

  it.each<[string, () => unknown]>([
    ["a throw", () => Promise.reject(new Error("away"))],
    ["undefined", () => undefined],
    ["true", () => true],
  ])("unavailable with %s: 503, and the cookie stays", async (_what, answer) => {
    let broken = false;
    const { extension } = watched(() => (broken ? parseAs<SessionVerdict>(answer()) : "valid"));
    const c = setUpDatabase({ strategy, mayFail: true, config: { extensions: [extension] } });
    await c.signInWithOp();
    broken = true;
    const read = await c.browser.fetch(`${BASE}/session`);
    expect([read.status, read.headers.get("retry-after")]).toEqual([503, "5"]);
    broken = false;
    expect(await c.session()).not.toBeNull();
  });

  it("a session that has ended adds no account and updates nothing", async () => {
    let verdict: SessionVerdict = "valid";
    const { extension } = watched(() => verdict);
    const c = setUpDatabase({ strategy, config: { extensions: [extension] } });
    await c.signInWithOp();
    const csrfToken = await c.csrfToken();
    verdict = "ended";
    const updated = await c.browser.fetch(`${BASE}/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken, data: { name: "X" } }),
    });
    expect(await updated.json()).toBeNull();
  });
});

describe.each(STRATEGIES)("renewSession, %s sessions", (strategy) => {
  it("adds facts that stay, in a token that replaces the former one", async () => {
    const facts: unknown[] = [];
    const replaced: unknown[] = [];
    const adds: ActionSpec = {
      ...page,
      csrf: "required",
      head: "skip",
      run: async (action) => {
        await action.renewSession({ e: 7, f: [["otp", 9]] });
        return { kind: "empty", status: 204 };
      },
    };
    const factor: Extension = {
      id: "factor-test",
      needs: { sessionInfo: true },
      actions: { "POST prove": adds },
      checkSession: async (session): Promise<SessionVerdict> => {
        facts.push(await session.facts());
        return "valid";
      },
      onSession: ({ cause, replaces }) => void replaced.push([cause, typeof replaces]),
    };
    const c = setUpDatabase({ strategy, config: { extensions: [factor], store: memoryStore({ instances: 1 }) } });
    await c.signInWithOp();
    expect((await c.post(`${BASE}/prove`)).status).toBe(204);
    expect(await c.session()).not.toBeNull();
    const proofs = [
      ["federated", expect.any(Number)],
      ["otp", 9],
    ];
    expect(facts.at(-1)).toMatchObject({ e: 7, f: proofs, idp: { provider: "op" } });
    expect(replaced).toEqual([
      ["signin", "undefined"],
      ["rotation", strategy === "jwt" ? "string" : "undefined"],
    ]);
    if (strategy === "database") expect(c.memory.snapshot().sessions).toHaveLength(1);
  });
});

describe("actions of extensions", () => {
  it("a POST without a CSRF token gets no cookies, no session, and sets none", async () => {
    const seen: unknown[] = [];
    const hook: ActionSpec = {
      ...page,
      csrf: "none",
      head: "skip",
      run: async (action, t) => {
        seen.push(await action.session(), await t.cookies.read("device"), t.headers.get("cookie"));
        await t.cookies.write("device", { a: "b" }, 60);
        return { kind: "json", status: 200, body: null };
      },
    };
    const c = setUp({ config: { extensions: [{ id: "hook", actions: { "POST hook": hook } }] } });
    await c.signIn();
    const answer = await c.browser.fetch(`${BASE}/hook`, { method: "POST" });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(seen).toEqual([null, null, null]);
  });

  it("the headers have every other cookie under the name that was sent", async () => {
    const seen: unknown[] = [];
    const run: ActionSpec["run"] = (_action, t) => {
      seen.push(t.headers.get("cookie"));
      return { kind: "json", status: 200, body: null };
    };
    const c = setUp({ config: { extensions: [{ id: "show", actions: { "GET show": { ...page, run } } }] } });
    await c.signIn();
    const session = c.browser.cookies.list().find(({ name }) => name === COOKIE.session);
    const cookie = `a=1;\t${COOKIE.session} =${session?.value};  \u00a0__Host-b=2`;
    await c.send(`${BASE}/show`, { headers: { cookie } });
    expect(seen).toEqual(["a=1; \u00a0__Host-b=2"]);
  });

  it("a POST with a CSRF token runs only with it", async () => {
    const run = async () => ({ kind: "json", status: 200, body: "done" }) as const;
    const spec: ActionSpec = { ...page, csrf: "required", answers: "json", head: "skip", run };
    const c = setUp({ config: { extensions: [{ id: "form", actions: { "POST form": spec } }] } });
    expect((await c.browser.fetch(`${BASE}/form`, { method: "POST" })).status).toBe(403);
    expect(await (await c.post(`${BASE}/form`)).json()).toBe("done");
  });

  it("a page is shown with the theme, and text that is not markup is escaped", async () => {
    const show = (main: string): ActionSpec => ({
      ...page,
      run: () => ({ kind: "page", status: 200, title: "<i>Devices</i>", main }),
    });
    const c = setUp({ config: { extensions: [{ id: "show", actions: { "GET show": show("<b>x</b>") } }] } });
    const visit = await c.browser.navigate(`${BASE}/show`);
    const text = await visit.text();
    expect(text).toContain("<h1>&#60;i&#62;Devices&#60;/i&#62;</h1>");
    expect(text).toContain("&#60;b&#62;x");
    expect(visit.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("onSignOut and observe", () => {
  it.each(STRATEGIES)(
    "a throw makes the sign-out incomplete: the cookie goes, and no answer claims more, %s",
    async (strategy) => {
      const broken: Extension = { id: "broken", onSignOut: () => Promise.reject(new Error("away")) };
      const c = setUpDatabase({ strategy, mayFail: true, config: { extensions: [broken] } });
      await c.signInWithOp();
      const program = await c.post(`${BASE}/signout`, {}, { "x-auth-return-redirect": "1" });
      expect(await program.json()).toEqual({ url: `${ORIGIN}${BASE}/error?error=SignOutIncomplete`, complete: false });
      expect(c.browser.cookies.list().map(({ name }) => name)).not.toContain(COOKIE.session);
    },
  );

  it("a session that cannot be read makes it incomplete: no extension learns of its end", async () => {
    const told: string[] = [];
    const listening: Extension = {
      id: "listening",
      onSignOut: ({ userId }) => {
        told.push(userId);
        return undefined;
      },
    };
    const c = setUpDatabase({ strategy: "database", mayFail: true, config: { extensions: [listening] } });
    await c.signInWithOp();
    const { csrfToken = "" } = await (await c.browser.fetch(`${BASE}/csrf`)).json();
    c.memory.fail({ method: "getSessionAndUser", throws: new Error("away"), times: Number.POSITIVE_INFINITY });
    const answer = await c.browser.fetch(`${BASE}/signout`, {
      method: "POST",
      body: new URLSearchParams({ csrfToken }),
      headers: { "x-auth-return-redirect": "1" },
    });
    expect(told).toEqual([]);
    expect(await answer.json()).toMatchObject({ complete: false });
    expect(c.browser.cookies.list().map(({ name }) => name)).not.toContain(COOKIE.session);
    expect(c.memory.snapshot().sessions).toEqual([]);
  });

  it("all are told, the first URL is gone to, and a failing observer harms nothing", async () => {
    const told: string[] = [];
    const one = (id: string, url?: string): Extension => ({
      id,
      onSignOut: ({ cause }) => {
        told.push(`${id} ${cause}`);
        return url === undefined ? undefined : { redirect: new URL(url) };
      },
      observe: ({ kind, v }) => {
        told.push(`${id} ${kind} ${v}`);
        if (id === "a") throw new Error("observer");
      },
    });
    const c = setUp({
      alsoTo: ["https://op.example.com/end"],
      mayFail: true,
      config: {
        extensions: [one("a"), one("b", "https://op.example.com/end"), one("c", "https://op.example.com/other")],
      },
    });
    await c.signIn();
    await c.signIn();
    const left = await c.post(`${BASE}/signout`);
    expect(left.redirectsTo).toBe("https://op.example.com/end");
    expect(told.filter((line) => line.startsWith("b"))).toEqual([
      "b signin.succeeded 1",
      "b replaced",
      "b signin.succeeded 1",
      "b signout",
    ]);
  });
});
