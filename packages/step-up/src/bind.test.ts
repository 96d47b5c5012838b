import { createHash } from "node:crypto";
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { Store } from "@cardea/extend";
import { Passkey } from "@cardea/providers-webauthn";
import { createAuthenticator, createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { stepUp } from "./step-up.ts";

const ORIGIN = "https://app.example.com";

const level = stepUp({
  settings: { within: "15m", factors: ["passkey"] },
  money: { within: "5m", factors: ["passkey"], bind: true },
  large: { within: "5m", factors: ["passkey"], bind: true },
});

type Strategy = "jwt" | "database";

/** An application whose route `/pay` pays what its body says, once it was confirmed; `/name` needs a passkey without content. */
async function start(strategy: Strategy) {
  const memory = createMemoryAdapter({ keepIds: true });
  const inner = memoryStore({ instances: 1 });
  const state = { away: false };
  const guarded =
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (state.away) throw new Error("away");
      return run(...args);
    };
  const store: Store = {
    ...inner,
    get: guarded(inner.get),
    set: guarded(inner.set),
    add: guarded(inner.add),
    swap: guarded(inner.swap),
  };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store,
    session: { strategy },
    providers: [Passkey()],
    experimental: { enableWebAuthn: true },
    extensions: [level],
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });
  const paid: unknown[] = [];
  const pay = (name: "money" | "large") =>
    level.guard(
      auth,
      name,
      async (request) => {
        paid.push(await request.json());
        return new Response("paid");
      },
      { bind: async (request) => request.json() },
    );
  const routes: Record<string, (request: Request) => Promise<Response> | Response> = {
    "/pay": pay("money"),
    "/large": pay("large"),
    "/name": level.guard(auth, "settings", () => new Response("named")),
  };
  const handle = (request: Request) => {
    const own = routes[new URL(request.url).pathname];
    return own === undefined ? auth.handlers[request.method === "POST" ? "POST" : "GET"](request) : own(request);
  };
  const newBrowser = () => {
    const browser = createBrowser(handle, { origin: ORIGIN });
    const json = async (path: string) =>
      (await browser.fetch(path, { headers: { accept: "application/json" } })).json();
    const post = async (path: string, fields: object) => {
      const { csrfToken } = await json("/auth/csrf");
      const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
      return browser.fetch(path, { method: "POST", headers, body: JSON.stringify({ csrfToken, ...fields }) });
    };
    const send = (body: object, path = "/pay") =>
      browser.fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    return { browser, json, post, send };
  };
  const signUp = async (email: string) => {
    const one = newBrowser();
    const authenticator = createAuthenticator();
    const asked = await one.json(`/auth/webauthn-options/passkey?action=register&email=${email}`);
    const data = JSON.stringify(await authenticator.create(asked.options));
    await one.post("/auth/callback/passkey", { action: "register", data });
    /** Confirms what a 401 asked for; returns what was answered. */
    const confirm = async (answer: Response, change: (asked: Asked) => Record<string, unknown> = () => ({})) => {
      const { url } = await answer.json();
      const params = Object.fromEntries(new URL(url, ORIGIN).searchParams);
      const query = new URLSearchParams(params);
      const { options, state, provider, action } = await one.json(`/auth/step-up/passkey?${query}`);
      const given = { ...params, action, state, provider, data: JSON.stringify(await authenticator.get(options)) };
      const body = { ...given, ...change({ params, options }) };
      return { answer: await (await one.post("/auth/step-up/passkey", body)).json(), options, params, body };
    };
    return { ...one, authenticator, confirm };
  };
  return { auth, memory, store, state, paid, signUp, newBrowser };
}

interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly options: { readonly challenge: string };
}

const ORDER = { pay: 100, to: "NL91 ABNA 0417 1643 00" };

describe.each(["jwt", "database"] as const)("a level with bind, %s sessions", (strategy) => {
  it("carries out what was confirmed, once", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const asked = await ann.send(ORDER);
    expect([asked.status, app.paid]).toEqual([401, []]);
    const { answer } = await ann.confirm(asked);
    expect(answer).toEqual({ url: ORIGIN });
    expect(await (await ann.send(ORDER)).text()).toBe("paid");
    expect(app.paid).toEqual([ORDER]);
    expect((await ann.send(ORDER)).status, "the grant was used").toBe(401);
  });

  it("answers 400 to a body that is not JSON, or cannot be confirmed, and 401 to a visitor whatever was sent", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const visitor = app.newBrowser();
    for (const body of ["{", "", "null", "[1]", '"text"', '{"pay":1e400}', JSON.stringify({ to: "x".repeat(3001) })]) {
      const request = { method: "POST", headers: { "content-type": "application/json" }, body };
      const answer = await ann.browser.fetch("/pay", request);
      expect([body, answer.status]).toEqual([body, 400]);
      expect((await visitor.browser.fetch("/pay", request)).status).toBe(401);
    }
    expect(app.paid).toEqual([]);
    const guarded = level.guard(app.auth, "money", () => new Response("paid"), {
      bind: () => Promise.reject(new RangeError("of the application")),
    });
    const cookie = ann.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    const request = new Request(`${ORIGIN}/pay`, { method: "POST", headers: { cookie: cookie.join("; ") } });
    await expect(guarded(request)).rejects.toThrow("of the application");
  });

  it("refuses another amount than the confirmed one, whatever the order of the members is", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    await ann.confirm(await ann.send(ORDER));
    for (const other of [{ ...ORDER, pay: 101 }, { ...ORDER, pay: "100" }, { pay: 100 }, { ...ORDER, more: null }])
      expect((await ann.send(other)).status).toBe(401);
    expect((await ann.send(ORDER, "/large")).status, "another level").toBe(401);
    expect(await (await ann.send({ to: ORDER.to, pay: ORDER.pay })).text()).toBe("paid");
    expect(app.paid).toHaveLength(1);
  });

  it("counts a grant that a server gave whose clock is a minute ahead, and none from further ahead", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    for (const [seconds, status] of [
      [59, 200],
      [600, 401],
    ] as const) {
      const now = Date.now();
      vi.useFakeTimers({ toFake: ["Date"], now: now + 1000 * seconds });
      await ann.confirm(await ann.send(ORDER)).finally(() => vi.useRealTimers());
      // Sessions in cookies that were renewed there are not accepted here either.
      if (strategy === "database" || status === 200) expect((await ann.send(ORDER)).status).toBe(status);
    }
  });

  it("counts a grant once when it is used fifty times at once", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    await ann.confirm(await ann.send(ORDER));
    const all = await Promise.all(Array.from({ length: 50 }, () => ann.send(ORDER)));
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 401)]);
    expect(app.paid).toEqual([ORDER]);
  });

  it("has the passkey sign exactly that text", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const asked = await ann.send(ORDER);
    const { url } = await asked.clone().json();
    const shown = await ann.json(url);
    expect(shown).toMatchObject({ level: "money", bind: ORDER, methods: [{ kind: "passkey" }] });
    const entry = [...(await entriesOf(app.store, new URL(url, ORIGIN).searchParams.get("confirm") ?? ""))];
    const { options } = await ann.confirm(asked);
    const [text = ""] = entry;
    expect(createHash("sha256").update(text).digest("base64url")).toBe(options.challenge);
    const question = JSON.parse(text);
    expect(canonicalJson(question)).toBe(text);
    const [user] = app.memory.snapshot().users;
    expect(question).toMatchObject({ v: 1, level: "money", sub: user?.id, origin: ORIGIN, bind: ORDER });
    expect(Object.keys(question).sort()).toEqual(["bind", "exp", "level", "nonce", "origin", "sid", "sub", "v"]);
  });

  it("belongs to the session that asked", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const bob = await app.signUp("bob@example.com");
    const { url } = await (await ann.send(ORDER)).json();
    const query = new URL(url, ORIGIN).search;
    expect(await bob.json(url), "nothing of it is shown to others").toEqual({
      message: "No confirmation is pending.",
    });
    expect((await bob.browser.fetch(`/auth/step-up/passkey${query}`)).status).toBe(404);
    await bob.confirm(await bob.send(ORDER));
    expect((await ann.send(ORDER)).status, "another user's grant").toBe(401);
    expect((await bob.send(ORDER)).status).toBe(200);
  });

  it("takes no answer to another question, twice, of another user, or without a question", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const bob = await app.signUp("bob@example.com");
    const refused = expect.stringContaining("error=refused");
    const other = new URL((await (await ann.send({ ...ORDER, pay: 900 })).json()).url, ORIGIN).searchParams.get(
      "confirm",
    );
    const crossed = await ann.confirm(await ann.send(ORDER), () => ({ confirm: other }));
    expect(crossed.answer.url, "signed for 100, posted for 900").toEqual(refused);
    const good = await ann.confirm(await ann.send(ORDER));
    expect(good.answer.url).toBe(ORIGIN);
    expect(await (await ann.post("/auth/step-up/passkey", good.body)).json()).toEqual({ url: refused });
    expect((await ann.send(ORDER)).status).toBe(200);
    expect((await ann.send(ORDER)).status, "the second post gave no second grant").toBe(401);
    const { options } = await ann.json(`/auth/step-up/passkey?${new URLSearchParams(good.params)}`);
    const data = JSON.stringify(await bob.authenticator.get({ ...options, allowCredentials: [] }));
    const forged = await ann.confirm(await ann.send(ORDER), () => ({ data }));
    expect(forged.answer.url).toEqual(refused);
    const none = await ann.confirm(await ann.send(ORDER), () => ({ confirm: "A".repeat(22) }));
    expect(none.answer.url).toContain("error=expired");
    expect((await ann.send(ORDER)).status).toBe(401);
  });

  it("proves nothing for a level without content, and such a proof confirms nothing", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    await ann.post("/auth/signout", {});
    const signIn = await ann.json("/auth/webauthn-options/passkey?action=authenticate");
    const data = JSON.stringify(await ann.authenticator.get(signIn.options));
    await ann.post("/auth/callback/passkey", { action: "authenticate", data });
    expect(await (await ann.browser.fetch("/name")).text(), "the sign-in itself is fresh").toBe("named");
    expect((await ann.send(ORDER)).status).toBe(401);
  });

  it("answers 503 while the store is away, and carries nothing out", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    await ann.confirm(await ann.send(ORDER));
    app.state.away = true;
    const answer = await ann.send(ORDER);
    app.state.away = false;
    expect([answer.status, answer.headers.get("retry-after"), app.paid]).toEqual([503, "5", []]);
    expect((await ann.send(ORDER)).status, "the grant is still there").toBe(200);
  });

  it("shows what is confirmed from its own entry, with nothing hidden in it", async () => {
    const app = await start(strategy);
    const ann = await app.signUp("ann@example.com");
    const { url } = await (await ann.send({ pay: 100, to: "\u202eevil <b>" })).json();
    const page = await (await ann.browser.navigate(`${url}&bind=%7B%22pay%22%3A1%7D`)).text();
    expect(page).toContain("<dt>pay</dt><dd>100</dd>");
    expect(page).toContain("\\u{202e}evil &#60;b&#62;");
    expect(page).toContain("/auth/webauthn-script?v=");
  });
});

describe("stepUp()", () => {
  it.each([
    [{ within: "5m", bind: true }, "cannot sign"],
    [{ within: "5m", bind: true, factors: ["passkey", "totp"] }, "cannot sign"],
    [{ within: "5m", bind: true, factors: ["password"] }, "cannot sign"],
  ] as const)("refuses a level with bind and another factor: %o", (given, message) => {
    expect(() => stepUp({ money: given })).toThrow(message);
  });

  it("refuses bind without passkeys, and a guard that does not say what is confirmed", async () => {
    const app = await start("jwt");
    expect(() => level.guard(app.auth, "money", () => new Response())).toThrow("requires `bind`");
    expect(() => level.guard(app.auth, "settings", () => new Response(), { bind: () => ({}) })).toThrow(
      "does not accept `bind`",
    );
    expect(() => stepUp({ settings: { within: "5m", factors: ["passkey"], bind: true } })).toThrow("settings");
    const { getAuthenticator: _, ...adapter } = createMemoryAdapter().adapter;
    const config = { secret: "a secret of more than thirty-two bytes for tests", store: memoryStore({ instances: 1 }) };
    expect(() => createAuth({ ...config, adapter, providers: [], extensions: [level] })).toThrow("getAuthenticator");
  });

  it("refuses what cannot be confirmed where it is required", async () => {
    const app = await start("jwt");
    const request = { url: `${ORIGIN}/pay`, headers: new Headers() };
    for (const bind of [{ pay: 1n }, { at: new Date() }, { pay: 2 ** 60 }, { text: "x".repeat(4000) }])
      await expect(level.require(app.auth, "money", { request, bind })).rejects.toThrow(TypeError);
    await expect(level.require(app.auth, "money", { request })).rejects.toThrow("requires `bind`");
    await expect(level.require(app.auth, "settings", { request, bind: {} })).rejects.toThrow("does not accept `bind`");
  });
});

/** The entry of a question; its key is the SHA-256 that the extension's tools make. */
async function entriesOf(store: Store, id: string): Promise<readonly string[]> {
  const hash = createHash("sha256")
    .update(JSON.stringify(["step-up", "confirm", id]))
    .digest("base64url");
  const text = await store.get(`cardea:step-up:${hash}`);
  return text === null ? [] : [text];
}
