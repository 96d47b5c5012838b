import { createHmac } from "node:crypto";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { sessions } from "@cardea/sessions";
import { createBrowser, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { logout } from "../src/index.ts";

const ORIGIN = "https://app.example.com";
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
const now = () => Math.floor(Date.now() / 1000);

/** How an application is set up. */
interface Settings {
  readonly type?: "oidc" | "oauth";
  readonly revoke?: readonly string[];
  readonly strategy?: "jwt" | "database";
  /** Another server of the same application. */
  readonly beside?: Beside;
}

/** What servers of one application share. */
interface Beside {
  readonly ops: readonly Operator[];
  readonly store: ReturnType<typeof memoryStore>;
  readonly database: ReturnType<typeof createMemoryAdapter>;
}

/** One application with several providers; each has its server, which notes the tokens that it is asked to revoke. */
function setUp(
  ids: readonly string[] = ["op"],
  client: Record<string, string> = {},
  { type = "oidc", revoke = [], strategy = "jwt", beside }: Settings = {},
) {
  const revoked: { readonly at: string; readonly token: string | null }[] = [];
  const make = (id: string): Operator => {
    const issuer = `https://${id}.example.com`;
    const op = createScriptedProvider({ issuer });
    const endpoints = { end_session_endpoint: `${issuer}/end?kept=1`, revocation_endpoint: `${issuer}/revoke` };
    op.script = { metadata: { set: endpoints } };
    const ask: typeof fetch = async (input, init) => {
      if (String(input) !== endpoints.revocation_endpoint) return op.fetch(input, init);
      revoked.push({ at: id, token: new URLSearchParams(String(init?.body)).get("token") });
      return new Response(null);
    };
    return { id, issuer, op, ask };
  };
  const ops = beside?.ops ?? ids.map(make);
  const store = beside?.store ?? memoryStore();
  const database = beside?.database ?? createMemoryAdapter();
  const logs: unknown[] = [];
  const { store: _own, ...adapter } = database.adapter;
  const auth = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, store, adapter },
    session: { strategy },
    logger: { error: (error) => logs.push(error), warn: (code) => logs.push(code) },
    providers: ops.map(({ id, issuer, ask }) => ({
      ...{ id, name: id, type, issuer, clientId: "cid", clientSecret: "csecret", client },
      ...(type === "oauth" ? { profile: ({ sub }: { sub: string }) => ({ id: sub }) } : {}),
      [customFetch]: ask,
    })),
    extensions: [sessions({ revocation: { check: "each" } }), logout({ backchannel: true, revoke })],
  });
  const find = (id: string) => ops.find((one) => one.id === id) ?? { id, issuer: "", op: createScriptedProvider() };
  const routes = Object.fromEntries(ops.map(({ issuer, op }) => [issuer, op.handler]));
  const open = () => {
    const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes });
    const signIn = async (sid = "s", id = "op", sub = "ann") => {
      const { op, issuer } = find(id);
      op.user = { sub };
      op.script = { ...op.script, idToken: { claims: { set: { sid } } } };
      // By the application's own button: an account without a user is added to the user of a session.
      const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
      const begun = await browser.navigate(`/auth/signin/${id}`, { form: { csrfToken } });
      const { url } = await op.authorize(new URL(begun.redirectsTo ?? ""));
      await browser.navigate(url, { initiator: issuer });
    };
    const signOut = async (callbackUrl = "/goodbye") =>
      browser.submit(await browser.navigate(`/auth/signout?callbackUrl=${encodeURIComponent(callbackUrl)}`), {
        action: "/auth/signout",
      });
    const isSignedIn = async () => (await (await browser.fetch("/auth/session")).json()) !== null;
    const request = () => {
      const cookie = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
      return new Request(ORIGIN, { headers: { cookie: cookie.join("; ") } });
    };
    return { browser, signIn, signOut, isSignedIn, request };
  };
  const claimsOf = (id: string, own: object) => ({
    ...{ iss: find(id).issuer, aud: "cid", iat: now(), jti: crypto.randomUUID(), events: EVENTS, sub: "ann", sid: "s" },
    ...own,
  });
  const sign = (own: object = {}, id = "op") => find(id).op.keys.sign(claimsOf(id, own), { typ: "logout+jwt" });
  const post = (body: BodyInit, id = "op", headers: Record<string, string> = {}) =>
    auth.handlers.POST(new Request(`${ORIGIN}/auth/backchannel/${id}`, { method: "POST", body, headers }));
  const notify = (token: string, id = "op") => post(new URLSearchParams({ logout_token: token }), id);
  return { auth, open, sign, post, notify, find, claimsOf, logs, store, revoked, database, ops };
}

/** A provider with its server. */
interface Operator {
  readonly id: string;
  readonly issuer: string;
  readonly op: ReturnType<typeof createScriptedProvider>;
  readonly ask: typeof fetch;
}

describe.each(["jwt", "database"] as const)("one user, two devices, two providers, two servers (%s)", (strategy) => {
  it("a logout token ends exactly the session that it is about, on both servers", async () => {
    const one = setUp(["op", "two"], {}, { strategy });
    const two = setUp(["op", "two"], {}, { strategy, beside: one });
    const linked = one.open();
    await linked.signIn("link", "op");
    await linked.signIn("link", "two");
    // The providers number their sessions alike.
    const devices = [one.open(), two.open(), one.open(), two.open()];
    const ways = [
      ["a", "op"],
      ["b", "op"],
      ["a", "two"],
      ["b", "two"],
    ] as const;
    for (const [n, device] of devices.entries()) await device.signIn(...(ways[n] ?? []));
    expect(one.database.snapshot().users).toHaveLength(1);
    const signedIn = () =>
      Promise.all(
        devices.map(async (device) => {
          const known = await Promise.all([one, two].map(({ auth }) => auth.auth(device.request())));
          return known.map((session) => session !== null);
        }),
      );
    const [yes, no] = [
      [true, true],
      [false, false],
    ];
    expect(await signedIn()).toEqual([yes, yes, yes, yes]);
    expect((await two.notify(await two.sign({ sid: "a" }))).status).toBe(200);
    expect(await signedIn()).toEqual([no, yes, yes, yes]);
    expect((await one.notify(await one.sign({ sid: "b" }, "two"), "two")).status).toBe(200);
    expect(await signedIn()).toEqual([no, yes, yes, no]);
    expect((await one.notify(await one.sign({ sid: undefined }, "two"), "two")).status).toBe(200);
    expect(await signedIn()).toEqual([no, yes, no, no]);
  });
});

describe("a logout token that is signed with a secret", () => {
  const hmac = (claims: object, key: string, alg = "HS256") => {
    const text = [{ alg, typ: "logout+jwt" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  };

  it.each(["", "csecret", "cid", "public"])("does not end a session (%j)", async (key) => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const jwks = await (await c.find("op").op.fetch("https://op.example.com/jwks")).text();
    expect((await c.notify(hmac(c.claimsOf("op", {}), key === "public" ? jwks : key))).status).toBe(400);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("with a key or a certificate in its header is refused", async () => {
    const c = setUp();
    const header = {
      typ: "logout+jwt",
      jku: "https://evil.example.com/jwks",
      x5u: "https://evil.example.com/c",
      kid: "e",
    };
    const other = createScriptedProvider({ issuer: "https://evil.example.com" });
    expect((await c.notify(await other.keys.sign(c.claimsOf("op", {}), header))).status).toBe(400);
  });
});

describe("a logout token of one provider", () => {
  it("ends nothing at another, with the same user, session and id", async () => {
    const c = setUp(["op", "two"]);
    const [first, second] = [c.open(), c.open()];
    await first.signIn("s", "op");
    await second.signIn("s", "two");
    const jti = "one id for both";
    const forOne = await c.sign({ jti });
    expect((await c.notify(forOne, "two")).status).toBe(400);
    expect((await c.notify(forOne)).status).toBe(200);
    expect([await first.isSignedIn(), await second.isSignedIn()]).toEqual([false, true]);
    expect((await c.notify(await c.sign({ jti }, "two"), "two")).status).toBe(200);
    expect(await second.isSignedIn()).toBe(false);
  });

  it.each([
    ["another client in a list", { aud: ["other"] }],
    ["a list in a list", { aud: [["cid"]] }],
    ["an object as audience", { aud: { cid: true } }],
    ["another issuer with a trailing slash", { iss: "https://op.example.com/" }],
    ["the issuer in capitals", { iss: "https://OP.example.com" }],
    ["the issuer in a list", { iss: ["https://op.example.com"] }],
    ["an end as text", { exp: "9999999999" }],
    ["a beginning later", { nbf: now() + 3600 }],
    ["a time long ago", { iat: 1 }],
    ["an empty nonce", { nonce: "" }],
    ["a nonce that is null", { nonce: null }],
    ["a list as user", { sub: ["ann"] }],
    ["an empty session", { sid: "" }],
    ["an id that is a number", { jti: 1 }],
    ["an endless id", { jti: "x".repeat(257) }],
  ])("with %s is refused", async (_what, claims) => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    expect((await c.notify(await c.sign(claims))).status).toBe(400);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("for several audiences is accepted, also with an end between two seconds", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    expect((await c.notify(await c.sign({ aud: ["other", "cid"], exp: now() + 60.5 }))).status).toBe(200);
    expect(await user.isSignedIn()).toBe(false);
  });
});

describe("a request with a logout token", () => {
  const TYPE = { "content-type": "application/x-www-form-urlencoded" };

  it("whose end is in milliseconds is accepted, and its repetition ends nothing", async () => {
    const app = setUp();
    const device = app.open();
    await device.signIn();
    const token = await app.sign({ exp: 4e12, sid: undefined });
    expect([(await app.notify(token)).status, await device.isSignedIn()]).toEqual([200, false]);
    await device.signIn();
    expect([(await app.notify(token)).status, await device.isSignedIn()]).toEqual([200, true]);
  });

  it("that repeats the field is refused", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const body = `logout_token=forged&logout_token=${await c.sign()}`;
    expect((await c.post(body, "op", TYPE)).status).toBe(400);
    expect(await user.isSignedIn()).toBe(true);
  });

  it.each([
    ["more than 64 KiB", () => `logout_token=${"A".repeat(70_000)}`, TYPE, 413],
    ["another media type", () => "logout_token=a", { "content-type": "text/plain" }, 415],
    ["a list as JSON", () => '{"logout_token":["a"]}', { "content-type": "application/json" }, 400],
    ["no field", () => "", TYPE, 400],
    ["the token in another case", () => "Logout_Token=a", TYPE, 400],
  ])("with %s is refused", async (_what, body, headers, status) => {
    const c = setUp();
    expect((await c.post(body(), "op", headers)).status).toBe(status);
  });

  it("with the token in its address is refused, and needs no cookies", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const url = `${ORIGIN}/auth/backchannel/op?logout_token=${await c.sign()}`;
    expect((await c.auth.handlers.POST(new Request(url, { method: "POST" }))).status).toBe(400);
    expect((await c.auth.handlers.GET(new Request(url))).status).toBeGreaterThanOrEqual(400);
    expect(await user.isSignedIn()).toBe(true);
  });
});

describe("the way back from a provider", () => {
  it.each([
    ["no state", () => ""],
    ["another state", () => "state=other"],
    ["the state of another browser", (_own: string, foreign: string) => `state=${foreign}`],
    ["two states, the right one second", (own: string) => `state=x&state=${own}`],
    ["a place to go to", () => "state=&callbackUrl=https://evil.example.com&redirectTo=https://evil.example.com"],
    ["a form that is not there", () => "form"],
  ])("with %s goes to the application and ends nothing", async (_what, queryOf) => {
    const c = setUp();
    const [user, other] = [c.open(), c.open()];
    const states = [];
    for (const one of [user, other]) {
      await one.signIn();
      states.push(new URL((await one.signOut()).redirectsTo ?? "").searchParams.get("state") ?? "");
    }
    const [own = "", foreign = ""] = states;
    await user.signIn("next");
    const back = await user.browser.navigate(`/auth/signedout/op?${queryOf(own, foreign)}`);
    expect(back.redirectsTo).toBe(`${ORIGIN}/`);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("of another provider goes to the application", async () => {
    const c = setUp(["op", "two"]);
    const user = c.open();
    await user.signIn();
    const left = new URL((await user.signOut()).redirectsTo ?? "");
    expect(left.searchParams.get("kept")).toBe("1");
    const back = await user.browser.navigate(`/auth/signedout/two?${left.searchParams}`);
    expect(back.redirectsTo).toBe(`${ORIGIN}/`);
  });

  it.each(["https://evil.example.com/", "//evil.example.com", "/\\evil.example.com", "javascript:alert(1)"])(
    "does not lead to %s",
    async (place) => {
      const c = setUp();
      const user = c.open();
      await user.signIn();
      const state = new URL((await user.signOut(place)).redirectsTo ?? "").searchParams.get("state");
      const back = await user.browser.navigate(`/auth/signedout/op?state=${state}`);
      expect(new URL(back.redirectsTo ?? "").origin).toBe(ORIGIN);
    },
  );

  it("works for a provider with the id `leave`, with a short hint and with a long one", async () => {
    const c = setUp(["leave"]);
    const user = c.open();
    for (const sid of ["s", "x".repeat(2500)]) {
      await user.signIn(sid, "leave");
      const to = (await user.signOut()).redirectsTo ?? "";
      const isForm = to.startsWith(ORIGIN);
      expect(isForm).toBe(sid !== "s");
      const html = isForm ? await (await user.browser.navigate(to)).text() : "";
      const state = isForm ? /name="state" value="([^"]+)"/.exec(html)?.[1] : new URL(to).searchParams.get("state");
      const back = await user.browser.navigate(`/auth/signedout/leave?state=${state}`);
      expect(back.redirectsTo).toBe(`${ORIGIN}/goodbye`);
    }
  });
});

it("keeps the tokens of a session to itself: sealed in the store, in no log", async () => {
  const c = setUp();
  const user = c.open();
  const kept: string[] = [];
  const { set } = c.store;
  Object.assign(c.store, {
    set: (...given: Parameters<typeof set>) => {
      kept.push(given[1]);
      return set(...given);
    },
  });
  await user.signIn();
  const session = await (await user.browser.fetch("/auth/session")).text();
  await user.signOut();
  const { issued } = c.find("op").op;
  for (const token of [...issued.idTokens, ...issued.accessTokens, ...issued.refreshTokens]) {
    expect(`${session} ${kept} ${c.logs}`).not.toContain(token);
  }
});

describe("tokens of an account that was added to a session", () => {
  const claimsIn = (token: string | null) =>
    token === null ? null : JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const issuerOf = (token: string | null) => claimsIn(token)?.iss ?? null;

  it.each([
    ["op", "two"],
    ["two", "op"],
  ])("are no hint for the provider that the session came from (%s, then %s)", async (from, added) => {
    const c = setUp(["op", "two"]);
    const user = c.open();
    await user.signIn("s", from);
    await user.signIn("t", added);
    const left = new URL((await user.signOut()).redirectsTo ?? "");
    expect(left.origin).toBe(c.find(from).issuer);
    expect(issuerOf(left.searchParams.get("id_token_hint"))).toBe(c.find(from).issuer);
  });

  it.each(["jwt", "database"] as const)("are no hint where they are of the same provider (%s)", async (strategy) => {
    const c = setUp(["op"], {}, { strategy });
    const user = c.open();
    await user.signIn("s", "op", "ann");
    await user.signIn("t", "op", "ann.work");
    expect(c.database.snapshot().accounts).toHaveLength(2);
    const hint = new URL((await user.signOut()).redirectsTo ?? "").searchParams.get("id_token_hint");
    expect(claimsIn(hint)).toMatchObject({ sub: "ann", sid: "s" });
  });

  it("are the hint of the session that its user starts with them later", async () => {
    const c = setUp(["op", "two"]);
    const user = c.open();
    await user.signIn("s", "op");
    await user.signIn("t", "two");
    await user.signOut();
    await user.signIn("t", "two");
    const left = new URL((await user.signOut()).redirectsTo ?? "");
    expect(left.origin).toBe(c.find("two").issuer);
    expect(issuerOf(left.searchParams.get("id_token_hint"))).toBe(c.find("two").issuer);
  });

  it("leave nothing of a session in the store that another one replaced", async () => {
    const c = setUp();
    const user = c.open();
    const entries = new Map<string, string | null>();
    const { set, swap } = c.store;
    Object.assign(c.store, {
      set: (...given: Parameters<typeof set>) => {
        entries.set(given[0], given[1]);
        return set(...given);
      },
      swap: (...given: Parameters<typeof swap>) => {
        entries.set(given[0], given[2]);
        return swap(...given);
      },
    });
    const kept = () => [...entries].filter(([key, value]) => key.startsWith("cardea:logout:") && value !== null);
    await user.signIn("s");
    const [first] = kept();
    await user.signIn("t");
    expect(kept()).toEqual([[expect.not.stringContaining(first?.[0] ?? "none"), expect.any(String)]]);
  });

  it("do not stop a sign-in while the store is away for what is kept", async () => {
    const c = setUp(["op", "two"]);
    const user = c.open();
    await user.signIn("s", "op");
    const { get } = c.store;
    const isOurs = (key: string) => key.startsWith("cardea:logout:");
    Object.assign(c.store, { get: (key: string) => (isOurs(key) ? Promise.reject(new Error("away")) : get(key)) });
    await user.signIn("t", "two");
    Object.assign(c.store, { get });
    expect(await user.isSignedIn()).toBe(true);
    expect(String(c.logs)).toContain("logout-tokens-lost");
    const left = new URL((await user.signOut()).redirectsTo ?? "");
    expect([left.origin, left.searchParams.get("logout_hint")]).toEqual([c.find("op").issuer, "ann"]);
  });

  it("are not sent to it for revocation", async () => {
    const ids = ["op", "two"];
    const c = setUp(ids, {}, { type: "oauth", revoke: ids });
    for (const { op } of ids.map(c.find))
      op.script = { ...op.script, token: { patch: { set: { refresh_token: op.issuer } } } };
    const user = c.open();
    await user.signIn("s", "op");
    await user.signIn("t", "two");
    await user.signOut();
    expect(c.revoked.filter(({ at, token }) => token !== c.find(at).issuer)).toEqual([]);
    const other = c.open();
    await other.signIn("s", "op", "bob");
    await other.signOut();
    expect(c.revoked.at(-1)).toEqual({ at: "op", token: c.find("op").issuer });
  });
});
