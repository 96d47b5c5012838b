import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { attachHandle, createConfigResolver } from "@cardea/core/operations";
import { customFetch } from "@cardea/core/providers";
import { secondFactor } from "@cardea/second-factor";
import { createBrowser, createClock, createMemoryAdapter, createScriptedProvider, totpCode } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stepUp } from "./step-up.ts";

const ORIGIN = "https://app.example.com";
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const level = stepUp({
  settings: { within: "15m" },
  audit: { within: "5m", factors: ["oidc"], acr: ["urn:example:loa3"] },
  code: { within: "5m", factors: ["totp"] },
});

/** An application with a provider, a password and second factors; its route `/pay` needs a level. */
function start(strategy: "jwt" | "database", needs: "settings" | "audit" | "code") {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const op = createScriptedProvider({ clientSecret: "secret" });
  const { issuer, clientId, clientSecret } = op;
  const memory = createMemoryAdapter({ keepIds: true });
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    extensions: [level, secondFactor()],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    providers: [{ id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret, [customFetch]: op.fetch }],
  });
  let paid = 0;
  const pay = level.guard(auth, needs, () => {
    paid++;
    return new Response("paid");
  });
  const handle = (request: Request) => {
    if (new URL(request.url).pathname === "/pay") return pay(request);
    return auth.handlers[request.method === "POST" ? "POST" : "GET"](request);
  };
  const browser = createBrowser(handle, { origin: ORIGIN, now: clock.now, routes: { [op.issuer]: op.handler } });
  const now = () => Math.floor(clock.now() / 1000);
  const send = async (path: string, fields: Record<string, string> = {}) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const headers = { "x-auth-return-redirect": "1" };
    return browser.fetch(path, { method: "POST", headers, body: new URLSearchParams({ csrfToken, ...fields }) });
  };
  /** Signs in; the provider asks for nothing. */
  const signIn = async () => {
    const { url } = await (await send("/auth/signin/op", { callbackUrl: "/" })).json();
    const back = await op.authorize(new URL(url));
    await browser.navigate(back.url, { initiator: op.issuer });
  };
  /** Proves the user at the provider, which answers by `claims`; returns where the browser ends. */
  const proveAt = async (name: string, claims: Readonly<Record<string, string | number>>, sub?: string) => {
    const { url } = await (await send("/auth/step-up/oidc", { level: name, callbackUrl: "/done" })).json();
    op.script = {
      ...op.script,
      idToken: { claims: { set: claims, remove: "auth_time" in claims ? [] : ["auth_time"] } },
    };
    if (sub !== undefined) op.user = { ...op.user, sub };
    const back = await op.authorize(new URL(url));
    const visit = await browser.navigate(back.url, { initiator: op.issuer });
    return { asked: new URL(url).searchParams, to: visit.redirectsTo ?? "", back: back.url };
  };
  return { auth, op, memory, browser, clock, now, send, signIn, proveAt, paid: () => paid };
}

describe.each(["jwt", "database"] as const)("stepUp(), %s sessions", (strategy) => {
  it("says what a user without any of the level's methods can add", async () => {
    const app = start(strategy, "code");
    await app.signIn();
    const page = await (await app.browser.navigate("/auth/step-up?level=code&callbackUrl=/done")).text();
    expect(page).toContain("To continue, add an authenticator app to your account.");
  });

  it("answers a program by RFC 9470, and redirects a visit", async () => {
    const app = start(strategy, "audit");
    await app.signIn();
    const answer = await app.browser.fetch("/pay", { method: "POST" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_user_authentication", error_description="Recent user authentication is required", max_age="300", acr_values="urn:example:loa3"',
    );
    const { error, url } = await answer.json();
    expect([error, url.split("?")[0]]).toEqual(["insufficient_user_authentication", "/auth/step-up"]);
    const visit = await app.browser.navigate("/pay?x=1");
    expect(visit.redirectsTo).toBe(`${ORIGIN}/auth/step-up?level=audit&callbackUrl=%2Fpay%3Fx%3D1`);
    expect(app.paid()).toBe(0);
  });

  it("a sign-in at a provider proves nothing by itself, and no one signed in gets nothing", async () => {
    const app = start(strategy, "settings");
    expect((await app.browser.fetch("/pay")).status).toBe(401);
    await app.signIn();
    expect((await app.browser.fetch("/pay")).status).toBe(401);
  });

  it("counts a provider that says when, by which class and that it is the same user", async () => {
    const app = start(strategy, "audit");
    await app.signIn();
    const users = JSON.stringify(app.memory.snapshot().users);
    const before = await (await app.browser.fetch("/auth/sessions")).status;
    expect(before).toBe(404);
    const { asked, to } = await app.proveAt("audit", { auth_time: app.now(), acr: "urn:example:loa3" });
    expect([asked.get("max_age"), asked.get("acr_values")]).toEqual(["300", "urn:example:loa3"]);
    expect(to).toBe(`${ORIGIN}/done`);
    expect(await (await app.browser.fetch("/pay")).text()).toBe("paid");
    expect(JSON.stringify(app.memory.snapshot().users)).toBe(users);
    app.clock.advance({ seconds: 300 });
    expect((await app.browser.fetch("/pay")).status).toBe(401);
  });

  it.each<[string, (now: number) => Record<string, string | number>, string?]>([
    ["an old auth_time", (now) => ({ auth_time: now - 3600, acr: "urn:example:loa3" })],
    ["a future auth_time", (now) => ({ auth_time: now + 3600, acr: "urn:example:loa3" })],
    ["no auth_time", () => ({ acr: "urn:example:loa3" })],
    ["another acr", (now) => ({ auth_time: now, acr: "urn:example:loa1" })],
    ["no acr", (now) => ({ auth_time: now })],
    ["another subject", (now) => ({ auth_time: now, acr: "urn:example:loa3" }), "someone-else"],
  ])("a provider with %s elevates nothing, and changes nothing", async (_name, claims, sub) => {
    const app = start(strategy, "audit");
    await app.signIn();
    const before = JSON.stringify(app.memory.snapshot());
    const { to } = await app.proveAt("audit", claims(app.now()), sub);
    expect(to).toContain(`${ORIGIN}/auth/step-up?level=audit&callbackUrl=`);
    expect(to).toContain("error=provider");
    expect(JSON.stringify(app.memory.snapshot())).toBe(before);
    expect((await app.browser.fetch("/pay")).status).toBe(401);
    expect(await (await app.browser.fetch("/auth/session")).json()).not.toBeNull();
  });

  it("an account that was unlinked meanwhile proves nothing", async () => {
    const app = start(strategy, "audit");
    await app.signIn();
    const [account] = app.memory.snapshot().accounts;
    const { url } = await (await app.send("/auth/step-up/oidc", { level: "audit", callbackUrl: "/done" })).json();
    const claims = { auth_time: app.now(), acr: "urn:example:loa3" };
    app.op.script = { idToken: { claims: { set: claims } } };
    const back = await app.op.authorize(new URL(url));
    await app.memory.adapter.unlinkAccount({ provider: "op", providerAccountId: String(account?.providerAccountId) });
    const before = JSON.stringify(app.memory.snapshot());
    const visit = await app.browser.navigate(back.url, { initiator: app.op.issuer });
    expect(visit.redirectsTo).toContain("error=provider");
    expect((await app.browser.fetch("/pay")).status).toBe(401);
    expect(JSON.stringify(app.memory.snapshot()), "it is not linked again either").toBe(before);
  });

  it("an answer counts once, and only in the session that asked", async () => {
    const app = start(strategy, "audit");
    await app.signIn();
    const { back } = await app.proveAt("audit", { auth_time: app.now(), acr: "urn:example:loa3" });
    app.clock.advance({ seconds: 301 });
    await app.browser.navigate(back, { initiator: app.op.issuer });
    expect((await app.browser.fetch("/pay")).status).toBe(401);
    const { url } = await (await app.send("/auth/step-up/oidc", { level: "audit", callbackUrl: "/" })).json();
    const answer = await app.op.authorize(new URL(url));
    await app.send("/auth/signout");
    await app.browser.navigate(answer.url, { initiator: app.op.issuer });
    expect(await (await app.browser.fetch("/auth/session")).json(), "no one is signed in by it").toBeNull();
  });

  it("takes a code where the level asks for one", async () => {
    const app = start(strategy, "code");
    await app.signIn();
    await app.proveAt("settings", { auth_time: app.now() });
    const { enrol } = await (await app.send("/auth/factors/totp", { step: "begin" })).json();
    const code = await totpCode(enrol.secret, app.clock.now());
    await app.send("/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
    expect(await (await app.browser.fetch("/pay")).text()).toBe("paid");
    app.clock.advance({ seconds: 600 });
    expect((await app.browser.fetch("/pay")).status).toBe(401);
    const asked = await app.browser.fetch("/auth/step-up?level=code&callbackUrl=/done", {
      headers: { accept: "application/json" },
    });
    expect(await asked.json()).toEqual({
      level: "code",
      methods: [{ kind: "totp", url: `${ORIGIN}/auth/factor/totp` }],
    });
    const answer = await app.send("/auth/factor/totp", {
      code: await totpCode(enrol.secret, app.clock.now()),
      callbackUrl: "/done",
    });
    expect(await answer.json()).toEqual({ url: `${ORIGIN}/done` });
    expect(await (await app.browser.fetch("/pay")).text()).toBe("paid");
  });

  it("shows a page without a script", async () => {
    const app = start(strategy, "settings");
    await app.signIn();
    const page = await app.browser.navigate("/auth/step-up?level=settings&callbackUrl=/done");
    const text = await page.text();
    expect(text).toContain("Confirm it");
    expect(text).not.toContain("<script");
    expect((await app.browser.fetch("/auth/step-up?level=other")).status).toBe(404);
  });
});

describe("require()", () => {
  it("needs a request where the framework gives server code none", async () => {
    const { auth } = start("jwt", "settings");
    await expect(level.require(auth, "settings")).rejects.toThrow("`request` is missing");
  });

  it("takes the running request of the framework, and redirects", async () => {
    const { auth } = start("jwt", "settings");
    const headers = new Headers({ host: "app.example.com", referer: `${ORIGIN}/form` });
    const redirect = vi.fn(() => Promise.reject(new Error("redirected")));
    const resolve = createConfigResolver(
      {
        secret: "a".repeat(40),
        trustHost: true,
        providers: [],
        extensions: [level],
        adapter: createMemoryAdapter().adapter,
        store: memoryStore({ instances: 1 }),
      },
      "/auth",
    );
    const framework = attachHandle(
      resolve,
      { auth: () => auth },
      { read: async () => ({ url: `${ORIGIN}/`, headers }), redirect },
    );
    await expect(level.require(framework, "settings")).rejects.toThrow("redirected");
    const callbackUrl = encodeURIComponent(`${ORIGIN}/form`);
    expect(redirect).toHaveBeenCalledWith(`${ORIGIN}/auth/step-up?level=settings&callbackUrl=${callbackUrl}`);
  });
});

describe("guardExpress()", () => {
  it("answers in place of the handler", async () => {
    const { auth } = start("jwt", "settings");
    const handler = vi.fn();
    const headers: Record<string, string> = {};
    const response = {
      statusCode: 200,
      setHeader: (name: string, value: string) => (headers[name] = value),
      end: vi.fn(),
    };
    const guarded = level.guardExpress(auth, "settings", handler);
    const request = {
      method: "POST",
      protocol: "https",
      originalUrl: "/transfer",
      headers: { host: "app.example.com" },
    };
    await guarded(request, response, () => undefined);
    expect([response.statusCode, handler.mock.calls.length]).toEqual([401, 0]);
    expect(headers["www-authenticate"]).toContain('max_age="900"');
    await guarded(
      { ...request, method: "GET", headers: { ...request.headers, accept: "text/html" } },
      response,
      () => undefined,
    );
    expect([response.statusCode, headers.location]).toEqual([
      302,
      "/auth/step-up?level=settings&callbackUrl=%2Ftransfer",
    ]);
  });

  it("answers 400 to a host that is malformed, as the guard for requests does, instead of throwing", async () => {
    const { auth } = start("jwt", "settings");
    const response = { statusCode: 200, setHeader: vi.fn(), end: vi.fn() };
    const next = vi.fn();
    const headers = { host: "app.example.com", "x-forwarded-host": "a b" };
    await level.guardExpress(auth, "settings", next)({ method: "GET", originalUrl: "/", headers }, response, next);
    const answer = await level.guard(auth, "settings", next)(new Request(`${ORIGIN}/`, { headers }));
    expect([response.statusCode, answer.status, next.mock.calls]).toEqual([400, 400, []]);
    expect(response.end.mock.calls).toEqual([[await answer.text()]]);
  });
});
