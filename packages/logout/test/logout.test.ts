import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { customFetch, type OAuthProvider } from "@cardea/core/providers";
import { sessions } from "@cardea/sessions";
import { createBrowser, createMemoryAdapter, createScriptedProvider, type FullAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type LogoutOptions, logout } from "../src/index.ts";
import { forgedTokens } from "./forged-tokens.ts";

const ORIGIN = "https://app.example.com";
const ISSUER = "https://op.example.com";
const END = `${ISSUER}/end`;
const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };
type Strategy = "jwt" | "database";

interface Setting {
  readonly options?: LogoutOptions;
  readonly strategy?: Strategy;
  readonly store?: ReturnType<typeof memoryStore>;
  readonly endSessionParams?: OAuthProvider["endSessionParams"];
}

/** One server with a provider; two settings with one store are two servers of an application. */
function setUp(
  { options = { backchannel: true }, strategy = "jwt", store = memoryStore(), endSessionParams }: Setting = {},
  adapter?: FullAdapter,
) {
  const op = createScriptedProvider({ issuer: ISSUER });
  op.script = { metadata: { set: { end_session_endpoint: END } }, idToken: { claims: { set: { sid: "op-1" } } } };
  const logs: string[] = [];
  const database = adapter ?? createMemoryAdapter().adapter;
  const { store: own, ...rest } = database;
  const auth = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, store, adapter: rest },
    session: { strategy },
    logger: { error: (error) => logs.push(String(error)), warn: (code) => logs.push(code) },
    providers: [
      {
        ...{ id: "op", name: "Provider", type: "oidc", issuer: ISSUER, clientId: "cid", clientSecret: "csecret" },
        ...{ endSessionParams, [customFetch]: op.fetch },
      },
    ],
    extensions: [sessions({ revocation: { check: "each" } }), logout(options)],
  });
  const open = () => {
    const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes: { [ISSUER]: op.handler } });
    return {
      browser,
      async signIn(sid = "op-1", sub = "ann") {
        op.user = { sub };
        op.script = { ...op.script, idToken: { claims: { set: { sid } } } };
        const page = await browser.navigate("/auth/signin");
        const begun = await browser.submit(page, { action: "/auth/signin/op" });
        const { url } = await op.authorize(new URL(begun.redirectsTo ?? ""));
        await browser.navigate(url, { initiator: ISSUER });
      },
      signOut: async (fields: Record<string, string> = {}) =>
        browser.submit(await browser.navigate("/auth/signout?callbackUrl=/goodbye"), {
          action: "/auth/signout",
          fields,
        }),
      isSignedIn: async () => (await (await browser.fetch("/auth/session")).json()) !== null,
    };
  };
  const notify = (token: string, provider = "op") =>
    auth.handlers.POST(
      new Request(`${ORIGIN}/auth/backchannel/${provider}`, {
        method: "POST",
        body: new URLSearchParams({ logout_token: token }),
      }),
    );

  const logoutToken = (claims: object = {}, header: object = {}) => {
    const good = {
      iss: ISSUER,
      aud: "cid",
      iat: Math.floor(Date.now() / 1000),
      jti: crypto.randomUUID(),
      events: EVENTS,
    };
    const payload = JSON.parse(JSON.stringify({ ...good, sub: "ann", sid: "op-1", ...claims }));
    return op.keys.sign(payload, JSON.parse(JSON.stringify({ typ: "logout+jwt", ...header })));
  };
  return { op, auth, store, adapter: database, open, notify, logoutToken, logs };
}

describe.each(["jwt", "database"] as const)("logout() with the strategy %s", (strategy) => {
  it("goes on at the provider that the session came from, after the local end, and comes back", async () => {
    const c = setUp({ strategy });
    const user = c.open();
    await user.signIn();
    const left = new URL((await user.signOut()).redirectsTo ?? "");
    expect(await user.isSignedIn()).toBe(false);
    expect(left.origin + left.pathname).toBe(END);
    const { id_token_hint, state, ...params } = Object.fromEntries(left.searchParams);
    expect(params).toEqual({ client_id: "cid", post_logout_redirect_uri: `${ORIGIN}/auth/signedout/op` });
    expect(JSON.parse(Buffer.from(id_token_hint?.split(".")[1] ?? "", "base64url").toString())).toMatchObject({
      sub: "ann",
    });
    const back = await user.browser.navigate(`/auth/signedout/op?state=${state}`, { initiator: ISSUER });
    expect(back.redirectsTo).toBe(`${ORIGIN}/goodbye`);
    const again = await user.browser.navigate(`/auth/signedout/op?state=${state}`, { initiator: ISSUER });
    expect(again.redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("ends exactly the session that the provider names, on both servers", async () => {
    const one = setUp({ strategy });
    const two = setUp({ strategy, store: one.store }, one.adapter);
    const [first, second, other] = [one.open(), two.open(), two.open()];
    await first.signIn("op-1");
    await second.signIn("op-2");
    await other.signIn("op-3", "bob");
    expect((await two.notify(await two.logoutToken({ sid: "op-1" }))).status).toBe(200);
    expect([await first.isSignedIn(), await second.isSignedIn(), await other.isSignedIn()]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await one.notify(await one.logoutToken({ sid: undefined }))).status).toBe(200);
    expect([await second.isSignedIn(), await other.isSignedIn()]).toEqual([false, true]);
  });

  it.each([
    ["typ: JWT", {}, { typ: "JWT" }],
    ["sid: null", { sid: null }, {}],
    ["sub: null", { sub: null }, {}],
  ])("accepts %s, as some providers send it", async (_, claims, header) => {
    const c = setUp({ strategy });
    const user = c.open();
    await user.signIn("op-1");
    expect((await c.notify(await c.logoutToken(claims, header))).status).toBe(200);
    expect(await user.isSignedIn()).toBe(false);
  });

  it("ends a session that is issued after the logout token for it came", async () => {
    const c = setUp({ strategy });
    expect((await c.notify(await c.logoutToken({ sid: "late" }))).status).toBe(200);
    const user = c.open();
    await user.signIn("late");
    expect(await user.isSignedIn()).toBe(false);
    await user.signIn("next");
    expect(await user.isSignedIn()).toBe(true);
  });
});

it("ends a session whose record a server did not see at once, as on a replica of the database that lags", async () => {
  let isLate = false;
  const { adapter } = createMemoryAdapter();
  const lagging: FullAdapter = {
    ...adapter,
    getSessionInfo: async (hash) => (isLate ? null : adapter.getSessionInfo(hash)),
  };
  const c = setUp({ strategy: "database" }, lagging);
  const user = c.open();
  await user.signIn();
  isLate = true;
  expect(await user.isSignedIn()).toBe(true);
  isLate = false;
  expect((await c.notify(await c.logoutToken())).status).toBe(200);
  expect(await user.isSignedIn()).toBe(false);
});

describe("backchannel", () => {
  it.each(forgedTokens)("refuses a token with $name", async ({ claims, header, change = (token) => token }) => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const answer = await c.notify(change(await c.logoutToken(claims, header)));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([400, "no-store"]);
    expect(await answer.json()).toMatchObject({ error: "invalid_request" });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("has forty-one forged tokens", () => expect(forgedTokens).toHaveLength(41));

  it("refuses an ID token, and a token for another provider", async () => {
    const c = setUp();
    const idToken = await c.op.keys.sign({ iss: ISSUER, aud: "cid", iat: 1, sub: "ann", sid: "op-1" });
    expect((await c.notify(idToken)).status).toBe(400);
    expect((await c.notify(await c.logoutToken(), "other")).status).toBe(400);
  });

  it("needs both to match where a token names user and session", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn("op-1", "ann");
    expect((await c.notify(await c.logoutToken({ sub: "bob", sid: "op-1" }))).status).toBe(200);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("answers 200 to a repeated token, which ends no session that began since", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const token = await c.logoutToken({ sid: undefined });
    expect((await c.notify(token)).status).toBe(200);
    await user.signIn();
    expect((await c.notify(token)).status).toBe(200);
    expect(await user.isSignedIn()).toBe(true);
  });

  it("answers 400 while the store is away, and the retry with the same id ends the session", async () => {
    const inner = memoryStore();
    let isAway = false;
    const away = () => Promise.reject(new Error("the store is away"));
    const store: typeof inner = {
      ...inner,
      get: (key) => (isAway ? away() : inner.get(key)),
      set: (key, value, o) => (isAway ? away() : inner.set(key, value, o)),
      add: (key, by, o) => (isAway ? away() : inner.add(key, by, o)),
      swap: (key, expected, next, o) => (isAway ? away() : inner.swap(key, expected, next, o)),
      ...(inner.log === undefined
        ? {}
        : {
            log: {
              ...inner.log,
              append: (...given) => (isAway || inner.log === undefined ? away() : inner.log.append(...given)),
            },
          }),
    };
    const c = setUp({ store });
    const user = c.open();
    await user.signIn();
    const token = await c.logoutToken();
    isAway = true;
    expect((await c.notify(token)).status).toBe(400);
    isAway = false;
    expect((await c.notify(token)).status).toBe(200);
    expect(await user.isSignedIn()).toBe(false);
  });

  it("answers 400 when the provider's keys cannot be read", async () => {
    const c = setUp();
    const token = await c.logoutToken();
    c.op.script = { jwks: { status: 503 } };
    expect((await c.notify(token)).status).toBe(400);
  });

  it("is refused at start without sessions()", () => {
    const start = () =>
      createAuth({
        secret: "a secret of more than thirty-two bytes",
        providers: [],
        store: memoryStore(),
        extensions: [logout({ backchannel: true })],
      });
    expect(start).toThrow("sessions");
  });
});

describe("RP-initiated logout", () => {
  it("is local where the provider announces no endpoint, is away, or the call says so", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    expect((await user.signOut({ federated: "false" })).redirectsTo).toBe(`${ORIGIN}/goodbye`);
    const bare = setUp();
    bare.op.script = {};
    const visitor = bare.open();
    await visitor.signIn();
    expect((await visitor.signOut()).redirectsTo).toBe(`${ORIGIN}/goodbye`);
    expect(await visitor.isSignedIn()).toBe(false);
  });

  it("is left out with `never`, unless the call asks for it", async () => {
    const c = setUp({ options: { provider: "never" } });
    const user = c.open();
    await user.signIn();
    expect((await user.signOut()).redirectsTo).toBe(`${ORIGIN}/goodbye`);
    await user.signIn();
    expect((await user.signOut({ federated: "true" })).redirectsTo).toContain(END);
  });

  it("gives a script the provider's URL in place of the redirect", async () => {
    const c = setUp();
    const user = c.open();
    await user.signIn();
    const { csrfToken } = await (await user.browser.fetch("/auth/csrf")).json();
    const answer = await user.browser.fetch("/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
      body: JSON.stringify({ csrfToken, callbackUrl: "/goodbye" }),
    });
    const { url } = await answer.json();
    expect([answer.status, new URL(url).origin + new URL(url).pathname]).toEqual([200, END]);
    expect(await user.isSignedIn()).toBe(false);
    const back = await user.browser.navigate(`/auth/signedout/op?state=${new URL(url).searchParams.get("state")}`);
    expect(back.redirectsTo).toBe(`${ORIGIN}/goodbye`);
  });

  it("sends the parameters of a provider that has its own, which returns without `state`", async () => {
    const c = setUp({ endSessionParams: ({ clientId, returnTo }) => ({ client_id: clientId, logout_uri: returnTo }) });
    const user = c.open();
    await user.signIn();
    const { origin, pathname, searchParams } = new URL((await user.signOut()).redirectsTo ?? "");
    const params = { client_id: "cid", logout_uri: `${ORIGIN}/auth/signedout/op` };
    expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([END, params]);
    const back = (query = "") => user.browser.navigate(`/auth/signedout/op${query}`, { initiator: ISSUER });
    expect((await back("?state=other")).redirectsTo).toBe(`${ORIGIN}/`);
    expect((await back()).redirectsTo).toBe(`${ORIGIN}/goodbye`);
    expect((await back()).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("leads to the base URL if the provider returns without the `state` that it was sent", async () => {
    const user = setUp().open();
    await user.signIn();
    await user.signOut();
    const back = await user.browser.navigate("/auth/signedout/op", { initiator: ISSUER });
    expect(back.redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("sends a long hint as a form", async () => {
    const c = setUp();
    c.op.user = { sub: "ann" };
    const user = c.open();
    await user.signIn(`op-1${"x".repeat(3000)}`.slice(0, 2500));
    const page = await user.browser.navigate((await user.signOut()).redirectsTo ?? "");
    expect(page.url).toContain("/auth/signedout/op?form");
    const html = await page.text();
    expect(html).toContain(`action="${END}"`);
    expect(html).toContain('name="id_token_hint"');
    expect(html).not.toContain("<script");
    const again = await user.browser.navigate("/auth/signedout/op?form");
    expect(again.redirectsTo).toBe(`${ORIGIN}/`);
  });
});

describe("frontchannel", () => {
  it("is off by default, and ends only the session that it names", async () => {
    const off = setUp();
    expect(
      (await off.auth.handlers.GET(new Request(`${ORIGIN}/auth/frontchannel/op?iss=${ISSUER}&sid=op-1`))).status,
    ).toBe(404);
    const c = setUp({ options: { frontchannel: true } });
    const user = c.open();
    await user.signIn();
    const visit = (query: string) => user.browser.navigate(`/auth/frontchannel/op?${query}`);
    for (const query of [
      "",
      `iss=${ISSUER}`,
      "sid=op-1",
      `iss=${ISSUER}&sid=op-2`,
      "iss=https://evil.example.com&sid=op-1",
    ]) {
      await visit(query);
      expect(await user.isSignedIn()).toBe(true);
    }
    await visit(`iss=${ISSUER}&sid=op-1`);
    expect(await user.isSignedIn()).toBe(false);
  });
});
