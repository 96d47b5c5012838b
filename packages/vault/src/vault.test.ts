import { createAuth } from "@cardea/core";
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { defineExtension, type Extension } from "@cardea/extend";
import { createBrowser, createClock, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { fetchAs, ReauthRequired, RefreshFailed, revokeTokens, tokenOf, type VaultOptions, vault } from "./index.ts";

const ORIGIN = "https://app.example.com";
const ISSUER = "https://op.example.com";

interface Setting {
  readonly adapter?: Adapter | undefined;
  readonly store?: ReturnType<typeof memoryStore>;
  readonly options?: VaultOptions;
  readonly strategy?: "jwt" | "database";
  readonly extensions?: readonly Extension[];
}

/** An application with a provider that issues refresh tokens, and a browser. */
function setUp({ adapter, store, options, strategy = "jwt", extensions = [] }: Setting = {}) {
  const op = createScriptedProvider({ issuer: ISSUER });
  const errors: string[] = [];
  const revoked: string[] = [];
  const send: typeof fetch = async (input, init) => {
    if (!String(input).endsWith("/revoke")) return op.fetch(input, init);
    revoked.push(new URLSearchParams(String(init?.body)).get("token") ?? "");
    return new Response(null);
  };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    ...(adapter === undefined ? {} : { adapter }),
    ...(store === undefined ? {} : { store }),
    session: { strategy },
    logger: { error: (error) => errors.push(String(error)), warn: () => {} },
    providers: [
      {
        ...{ id: "op", name: "Provider", type: "oidc", issuer: ISSUER, clientId: "cid", clientSecret: "csecret" },
        authorization: { params: { scope: "openid offline_access" } },
        [customFetch]: send,
      },
    ],
    extensions: [vault(options), ...extensions],
  });
  const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes: { [ISSUER]: op.handler } });
  const signIn = async (user = "1815", params = "") => {
    op.user = { sub: user };
    // As the application's own button does, which adds a further account to the user of the session.
    const { csrfToken } = Object(await (await browser.fetch("/auth/csrf")).json());
    const begun = await browser.navigate(`/auth/signin/op${params}`, { form: { csrfToken } });
    const { url } = await op.authorize(new URL(begun.redirectsTo ?? ""));
    await browser.navigate(url, { initiator: ISSUER });
  };
  const request = () => {
    const cookie = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    return new Request(ORIGIN, { headers: { cookie: cookie.join("; ") } });
  };
  return { op, auth, browser, signIn, request, errors, revoked };
}

const HOUR = 3600;
const soon = () => Math.floor(Date.now() / 1000) + 10;

/** The row of an account, as the database has it. */
async function rowOf(adapter: Adapter, id = "1815") {
  const row = await adapter.getAccount?.(id, "op");
  if (!row) throw new Error("no account");
  return row;
}

/** The adapter as one of Auth.js from npm: without the methods that only ours have. */
function npmAdapter(adapter: Adapter): Adapter {
  const { swapAccountTokens, updateAccount, listAccountsByUserId, createUserWithAccount, store, ...npm } = adapter;
  return npm;
}

const setUpRow = (setting: Setting = {}) => {
  const memory = createMemoryAdapter();
  return { ...setUp({ adapter: memory.adapter, ...setting }), adapter: memory.adapter, memory };
};

/** Makes the access token of a row one that is about to end. */
const expire = (adapter: Adapter, id = "1815") =>
  adapter.updateAccount?.({ provider: "op", providerAccountId: id, expires_at: soon() });

const refreshes = ({ op }: { readonly op: ReturnType<typeof setUp>["op"] }) =>
  op.calls.token.filter(({ params }) => params.get("grant_type") === "refresh_token").length;

describe("tokenOf()", () => {
  it.each(["jwt", "database"] as const)(
    "gives the access token of the sign-in, sealed in the row (%s)",
    async (strategy) => {
      const c = setUpRow({ strategy });
      await c.signIn();
      const token = await tokenOf(c.auth, "op", { request: c.request() });
      expect(token).toMatchObject({ accessToken: c.op.issued.accessTokens[0], scope: "openid offline_access" });
      const row = await rowOf(c.adapter);
      for (const name of ["access_token", "refresh_token", "id_token"] as const) expect(row[name]).toMatch(/^v1\.ey/);
      expect(JSON.stringify(row)).not.toContain(token.accessToken);
      expect(c.errors).toEqual([]);
    },
  );

  it("takes a request of Express, whatever headers it has", async () => {
    const c = setUpRow();
    await c.signIn();
    const headers = { host: "app.example.com", cookie: c.request().headers.get("cookie") ?? "", get: "a header" };
    const request = { protocol: "https", originalUrl: "/members", url: "/", headers };
    expect(await tokenOf(c.auth, "op", { request })).toMatchObject({ accessToken: c.op.issued.accessTokens[0] });
    await expect(
      tokenOf(c.auth, "op", { request: { ...request, headers: { ...headers, cookie: undefined } } }),
    ).rejects.toMatchObject({ type: "AccessDenied" });
  });

  it("refreshes what is about to end, once for all who ask at once", async () => {
    const c = setUpRow();
    await c.signIn();
    await expire(c.adapter);
    const request = c.request();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => tokenOf(c.auth, "op", { request })));
    expect(new Set(tokens.map(({ accessToken }) => accessToken))).toEqual(new Set([c.op.issued.accessTokens[1]]));
    expect(refreshes(c)).toBe(1);
    expect((await tokenOf(c.auth, "op", { request })).accessToken).toBe(c.op.issued.accessTokens[1]);
    expect(refreshes(c)).toBe(1);
  });

  it("keeps the refresh token and the scope that an answer leaves out", async () => {
    const c = setUpRow();
    await c.signIn();
    const [first] = c.op.issued.refreshTokens;
    c.op.script = { token: { patch: { remove: ["refresh_token", "scope"] } } };
    for (let n = 0; n < 2; n++) {
      await expire(c.adapter);
      expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ scope: "openid offline_access" });
    }
    const sent = c.op.calls.token.slice(1).map(({ params }) => params.get("refresh_token"));
    expect(sent).toEqual([first, first]);
  });

  it("serves background jobs by user, and refuses to choose between two accounts", async () => {
    const c = setUpRow();
    await c.signIn("one");
    await c.signIn("two");
    const [first, second] = c.op.issued.accessTokens;
    const { userId } = await rowOf(c.adapter, "one");
    expect((await rowOf(c.adapter, "two")).userId).toBe(userId);
    await expect(tokenOf(c.auth, "op", { userId })).rejects.toThrow("accountId");
    expect(await tokenOf(c.auth, "op", { userId, accountId: "one" })).toMatchObject({ accessToken: first });
    expect(await tokenOf(c.auth, "op", { userId, accountId: "two" })).toMatchObject({ accessToken: second });
    // The session came from the first one; the second was added to its user.
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ accessToken: first });
    expect(await tokenOf(c.auth, "op", { request: c.request(), accountId: "two" })).toMatchObject({
      accessToken: second,
    });
  });

  it("gives no token of another user's account", async () => {
    const c = setUpRow();
    await c.signIn("one");
    c.browser.cookies.clear();
    await c.signIn("two");
    const stolen = tokenOf(c.auth, "op", { request: c.request(), accountId: "one" });
    await expect(stolen).rejects.toMatchObject({ name: "ReauthRequired", cause: "not-linked" });
    c.browser.cookies.clear();
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ type: "AccessDenied" });
  });

  it("does not open what was moved to another row or column", async () => {
    const c = setUpRow();
    await c.signIn("one");
    c.browser.cookies.clear();
    await c.signIn("two");
    const one = await rowOf(c.adapter, "one");
    const key = { provider: "op", providerAccountId: "two" };
    const { access_token, refresh_token } = one;
    await c.adapter.updateAccount?.({ ...key, access_token, refresh_token });
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ cause: "missing" });
    const two = await rowOf(c.adapter, "one");
    await c.adapter.updateAccount?.({ ...two, access_token: refresh_token });
    await expire(c.adapter, "one");
    expect(JSON.stringify(await tokenOf(c.auth, "op", { userId: two.userId, accountId: "one" }))).not.toContain("v1.");
  });

  it("reads plain rows, and seals them when they change", async () => {
    const c = setUpRow();
    await c.signIn();
    const [refresh_token = ""] = c.op.issued.refreshTokens;
    await c.adapter.updateAccount?.({
      provider: "op",
      providerAccountId: "1815",
      access_token: "plain",
      refresh_token,
    });
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ accessToken: "plain" });
    await expire(c.adapter);
    await tokenOf(c.auth, "op", { request: c.request() });
    expect((await rowOf(c.adapter)).refresh_token).toMatch(/^v1\./);
  });

  it("writes plain rows where sealing is off", async () => {
    const c = setUpRow({ options: { seal: false } });
    await c.signIn();
    expect(await rowOf(c.adapter)).toMatchObject({ refresh_token: c.op.issued.refreshTokens[0] });
  });

  it("uses a token that is still valid when the provider is away, and says so when it is not", async () => {
    const c = setUpRow();
    await c.signIn();
    await expire(c.adapter);
    c.op.script = { token: { status: 503 } };
    const request = c.request();
    expect(await tokenOf(c.auth, "op", { request })).toMatchObject({ accessToken: c.op.issued.accessTokens[0] });
    await c.adapter.updateAccount?.({ provider: "op", providerAccountId: "1815", expires_at: soon() - HOUR });
    await expect(tokenOf(c.auth, "op", { request })).rejects.toBeInstanceOf(RefreshFailed);
    c.op.script = {};
    expect((await tokenOf(c.auth, "op", { request })).accessToken).toBe(c.op.issued.accessTokens.at(-1));
  });

  it("keeps what the provider answered when the store fails right after the answer", async () => {
    const inner = memoryStore();
    let outages = 0;
    const get: typeof inner.get = (key) => {
      if (refreshes(c) === 0 || outages > 0) return inner.get(key);
      outages += 1;
      return Promise.reject(new Error("the store is away"));
    };
    const c = setUpRow({ store: { ...inner, get } });
    await c.signIn();
    await c.adapter.updateAccount?.({ provider: "op", providerAccountId: "1815", expires_at: soon() - HOUR });
    const { accessToken } = await tokenOf(c.auth, "op", { request: c.request() });
    expect([accessToken, outages]).toEqual([c.op.issued.accessTokens[1], 1]);
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ accessToken });
    expect(refreshes(c)).toBe(1);
  });

  it("asks for consent again after `invalid_grant`, signs no one out, and is healed by a sign-in", async () => {
    const c = setUpRow();
    await c.signIn();
    await c.adapter.updateAccount?.({ provider: "op", providerAccountId: "1815", expires_at: soon() - HOUR });
    c.op.script = { token: { status: 400, body: { error: "invalid_grant" } } };
    const request = c.request();
    for (let n = 0; n < 3; n++) {
      const error = await tokenOf(c.auth, "op", { request }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ReauthRequired);
      expect(error).toMatchObject({ cause: "revoked", provider: "op", accountId: "1815" });
    }
    expect(refreshes(c)).toBe(1);
    expect(await c.auth.auth(request)).not.toBe(null);
    c.op.script = {};
    await c.signIn();
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ scope: "openid offline_access" });
  });

  it("keeps the tokens of a sign-in that happens while the old ones are refreshed", async () => {
    const c = setUpRow();
    await c.signIn();
    await expire(c.adapter);
    const request = c.request();
    const key = { provider: "op", providerAccountId: "1815" };
    c.op.script = { token: { delayMs: 60 } };
    const running = tokenOf(c.auth, "op", { request });
    await expect.poll(() => refreshes(c)).toBe(1);
    const fresh = { access_token: "signed in again", refresh_token: "r-new", expires_at: soon() + HOUR };
    await c.adapter.updateAccount?.({ ...key, ...fresh });
    expect(await running).toMatchObject({ accessToken: "signed in again" });
    expect(await rowOf(c.adapter)).toMatchObject(fresh);
  });

  it("asks for scopes that were not granted, at a URL that begins the sign-in", async () => {
    const c = setUpRow();
    await c.signIn();
    const scopes = ["calendar"];
    const error: unknown = await tokenOf(c.auth, "op", { request: c.request(), scopes }).catch(
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ReauthRequired)) throw error;
    const { url = "", params } = error.signIn;
    expect([error.cause, params]).toEqual(["scope", { scope: "openid offline_access calendar", prompt: "consent" }]);
    await c.signIn("1815", new URL(url).search);
    expect(c.op.calls.authorize.at(-1)?.params.get("scope")).toBe("openid offline_access calendar");
    expect(await tokenOf(c.auth, "op", { request: c.request(), scopes })).toMatchObject({
      scope: expect.stringContaining("calendar"),
    });
  });

  it("does not refresh where that is switched off", async () => {
    const c = setUpRow({ options: { providers: { op: { refresh: "never" } } } });
    await c.signIn();
    await expire(c.adapter);
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({
      accessToken: c.op.issued.accessTokens[0],
    });
    expect(refreshes(c)).toBe(0);
  });
});

describe("columns that are too short", () => {
  const tooShort = (memory: ReturnType<typeof createMemoryAdapter>, how: "refuse" | "cut"): Adapter => ({
    ...memory.adapter,
    swapAccountTokens: async (change) => {
      const { refresh_token = "" } = change.tokens;
      if ((refresh_token?.length ?? 0) <= 255) return memory.adapter.swapAccountTokens(change);
      if (how === "refuse")
        throw Object.assign(new Error("value too long for type character varying(255)"), { code: "22001" });
      return memory.adapter.swapAccountTokens({
        ...change,
        tokens: { ...change.tokens, refresh_token: refresh_token?.slice(0, 255) ?? null },
      });
    },
  });

  it.each(["refuse", "cut"] as const)("fail no sign-in: the tokens go to the store (%s)", async (how) => {
    const memory = createMemoryAdapter();
    const c = setUp({ adapter: tooShort(memory, how) });
    await c.signIn();
    expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({
      accessToken: c.op.issued.accessTokens[0],
    });
    expect((await rowOf(memory.adapter)).refresh_token).toBe("v1.store");
    expect(c.errors.join()).toContain("refresh_token");
    const refused = c.op.issued.accessTokens[0];
    expect(await tokenOf(c.auth, "op", { request: c.request(), refused })).toMatchObject({
      accessToken: c.op.issued.accessTokens[1],
    });
  });

  it("fail no sign-in without a store either", async () => {
    const memory = createMemoryAdapter();
    const { store, ...adapter } = tooShort(memory, "refuse");
    const c = setUp({ adapter });
    await c.signIn();
    expect(await c.auth.auth(c.request())).not.toBe(null);
    expect(c.errors.join()).toContain("were not stored");
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ cause: "missing" });
  });
});

describe("an adapter from npm, with a store", () => {
  it("keeps the newest tokens sealed in the store, and never refreshes with those of the row", async () => {
    const memory = createMemoryAdapter();
    const store = memoryStore();
    const c = setUp({ adapter: npmAdapter(memory.adapter), store });
    await c.signIn();
    expect((await rowOf(memory.adapter)).refresh_token ?? null).toBe(null);
    const request = c.request();
    const refused = c.op.issued.accessTokens[0];
    expect(await tokenOf(c.auth, "op", { request, refused })).toMatchObject({
      accessToken: c.op.issued.accessTokens[1],
    });
    const { userId } = await rowOf(memory.adapter);
    expect(await tokenOf(c.auth, "op", { userId })).toMatchObject({ accessToken: c.op.issued.accessTokens[1] });
    // The store is lost, and the row has tokens from before there was a vault.
    const after = setUp({ adapter: npmAdapter(memory.adapter), store: memoryStore() });
    const row = { provider: "op", providerAccountId: "1815", access_token: "old", refresh_token: "old" };
    await memory.adapter.updateAccount({ ...row, expires_at: soon() - HOUR });
    await expect(tokenOf(after.auth, "op", { request })).rejects.toMatchObject({ cause: "missing" });
    expect(refreshes(after)).toBe(0);
  });

  it("gives no tokens of an account that was unlinked since", async () => {
    const memory = createMemoryAdapter();
    const c = setUp({ adapter: npmAdapter(memory.adapter), store: memoryStore() });
    await c.signIn();
    await memory.adapter.unlinkAccount({ provider: "op", providerAccountId: "1815" });
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ cause: "not-linked" });
  });
});

describe("without a database", () => {
  const endings: (() => void)[] = [];
  afterEach(() => {
    for (const end of endings.splice(0)) end();
  });

  /** Gives a proof, with which the session is issued again. */
  const prover = defineExtension({
    id: "prover",
    actions: {
      "POST prove": {
        ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
        run: async (action, t) => {
          await action.renewSession({ f: [["otp", t.now()]] });
          return { kind: "json", status: 200, body: null };
        },
      },
    },
  });

  it.each(["a store", "cookies"])("keeps them in %s as long as the session", async (home) => {
    const clock = createClock(Date.now());
    const installed = clock.install();
    endings.push(() => installed.restore());
    const store = home === "cookies" ? {} : { store: memoryStore({ instances: 1 }) };
    const c = setUp({ ...store, extensions: [prover] });
    c.op.script = { token: { patch: { remove: ["expires_in"] } } };
    await c.signIn();
    const accessToken = c.op.issued.accessTokens[0];
    const read = () => c.browser.fetch("/auth/session");
    const prove = async () => {
      const { csrfToken } = Object(await (await c.browser.fetch("/auth/csrf")).json());
      return c.browser.fetch("/auth/prove", { method: "POST", body: new URLSearchParams({ csrfToken }) });
    };
    for (const extend of [read, prove, read]) {
      clock.advance({ hours: 20 * 24 });
      expect((await extend()).status).toBe(200);
      expect(await tokenOf(c.auth, "op", { request: c.request() })).toMatchObject({ accessToken });
    }
  });

  it("keeps the tokens of a session in the store, and removes them with it", async () => {
    const store = memoryStore();
    const c = setUp({ store });
    await c.signIn();
    const request = c.request();
    const refused = c.op.issued.accessTokens[0];
    expect(await tokenOf(c.auth, "op", { request })).toMatchObject({ accessToken: refused });
    expect(await tokenOf(c.auth, "op", { request, refused })).toMatchObject({
      accessToken: c.op.issued.accessTokens[1],
    });
    await expect(tokenOf(c.auth, "op", { userId: "1815" })).rejects.toThrow("request");
    await c.auth.signOut(request);
    await expect(tokenOf(c.auth, "op", { request })).rejects.toMatchObject({ cause: "missing" });
  });

  it("keeps them in sealed cookies without a store, and refreshes where cookies can be set", async () => {
    const c = setUp();
    await c.signIn();
    const request = c.request();
    expect(request.headers.get("cookie")).not.toContain(c.op.issued.refreshTokens[0]);
    const refused = c.op.issued.accessTokens[0];
    expect(await tokenOf(c.auth, "op", { request })).toMatchObject({ accessToken: refused });
    await expect(tokenOf(c.auth, "op", { request, refused })).rejects.toBeInstanceOf(RefreshFailed);
    expect(refreshes(c)).toBe(0);
    const headers = new Headers();
    expect(await tokenOf(c.auth, "op", { request, refused, headers })).toMatchObject({
      accessToken: c.op.issued.accessTokens[1],
    });
    expect(headers.getSetCookie().join()).toContain("cardea.vault.0=");
    // A second request of the same browser, with the cookies from before.
    expect(await tokenOf(c.auth, "op", { request, refused })).toMatchObject({
      accessToken: c.op.issued.accessTokens[1],
    });
    expect(refreshes(c)).toBe(1);
  });

  it("refreshes tokens in cookies for a call that can set them, beside one that cannot", async () => {
    const c = setUp();
    await c.signIn();
    const request = c.request();
    const refused = c.op.issued.accessTokens[0];
    const headers = new Headers();
    const [reading, writing] = await Promise.allSettled([
      tokenOf(c.auth, "op", { request, refused }),
      tokenOf(c.auth, "op", { request, refused, headers }),
    ]);
    expect([reading.status, writing.status]).toEqual(["rejected", "fulfilled"]);
    expect(headers.getSetCookie().join()).toContain("cardea.vault.0=");
  });
});

describe("fetchAs()", () => {
  const options = { providers: { op: { apis: ["https://op.example.com"] } } };

  it.each([
    "https://evil.example.com/",
    "http://op.example.com/",
    "https://op.example.com.evil.example.com/",
    "https://op.example.com:444/",
    "https://user@op.example.com/",
  ])("sends no token to %s", async (url) => {
    const c = setUpRow({ options });
    await c.signIn();
    await expect(fetchAs(c.auth, "op", { request: c.request() })(url)).rejects.toThrow("not sent to");
  });

  it.each(["https://api.example.com/path", "http://api.example.com", "api.example.com", ""])(
    "refuses the origin %j at start",
    (api) => {
      expect(() => vault({ providers: { op: { apis: [api] } } })).toThrow("apis");
    },
  );
});

describe("revokeTokens()", () => {
  it("revokes the refresh token at the provider and removes all of them", async () => {
    const c = setUpRow();
    c.op.script = { metadata: { set: { revocation_endpoint: `${ISSUER}/revoke` } } };
    await c.signIn();
    expect(await revokeTokens(c.auth, "op", { request: c.request() })).toBe(true);
    expect(c.revoked).toEqual([c.op.issued.refreshTokens[0]]);
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ cause: "revoked" });
    expect((await rowOf(c.adapter)).access_token ?? null).toBe(null);
  });

  it("removes tokens in a cookie where it can be cleared, and refuses where it cannot", async () => {
    const c = setUp();
    c.op.script = { metadata: { set: { revocation_endpoint: `${ISSUER}/revoke` } } };
    await c.signIn();
    const request = c.request();
    await expect(revokeTokens(c.auth, "op", { request })).rejects.toThrow("headers");
    expect(c.revoked).toEqual([]);
    const headers = new Headers();
    expect(await revokeTokens(c.auth, "op", { request, headers })).toBe(true);
    for (const line of headers.getSetCookie()) c.browser.cookies.set(line);
    await expect(tokenOf(c.auth, "op", { request: c.request() })).rejects.toMatchObject({ cause: "revoked" });
  });
});

describe("whose tokens", () => {
  it("is said by a request or by a user, never by both or by nothing", async () => {
    const c = setUpRow();
    await c.signIn();
    const { userId } = await rowOf(c.adapter);
    const both = { request: c.request(), userId };
    for (const owner of [both, { ...both, userId: "" }, { userId: "" }]) {
      await expect(tokenOf(c.auth, "op", owner)).rejects.toThrow("either");
    }
  });
});
