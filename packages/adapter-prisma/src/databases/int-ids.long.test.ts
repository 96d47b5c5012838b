// `@auth/prisma-adapter` as it comes from npm, on tables whose users have numbers as ids: Prisma rejects text for them.
import { PrismaAdapter } from "@auth/prisma-adapter";
import { attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import { extend, memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { secondFactor, secondFactorOf } from "@cardea/second-factor";
import { sessions, sessionsOf } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { type Browser, createBrowser, createScriptedProvider, totpCode } from "@cardea/testing";
import { tokenOf, vault } from "@cardea/vault";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { EMAIL, OTHER, PASSWORD, startApp } from "../../../providers-password/test/test-app.ts";
import { authjsModels } from "./authjs-models.ts";
import { openSqlite } from "./sqlite.ts";

const models = authjsModels
  .replace(/id +String +@id @default\(cuid\(\)\)/, "id Int @id @default(autoincrement())")
  .replace(/^(model (?:Account|Session|Authenticator) \{[^}]*?userId +)String/gm, "$1Int")
  .replace(/^model (?:SessionInfo|Credential) \{[^}]*\}\n/gm, "")
  .replace(/^ +(?:sessionInfos|credentials) .*\n/gm, "");

const database = await openSqlite({ models });
afterAll(() => database.close());
beforeEach(() => database.run('DELETE FROM "User"'));

const openAdapter = (store = memoryStore({ instances: 1 })) => ({
  store,
  adapter: extend(PrismaAdapter(database.client), { store, durable: true }),
});

async function post(browser: Browser, path: string, fields: Record<string, string>) {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const headers = { accept: "application/json", "X-Auth-Return-Redirect": "1" };
  const body = new URLSearchParams({ csrfToken, ...fields });
  return (await browser.fetch(path, { method: "POST", body, headers })).json();
}

describe.each(["jwt", "database"] as const)("users whose id is an Int, with @auth/prisma-adapter (%s)", (strategy) => {
  it("register, change their password and end their sessions", async () => {
    const { adapter, store } = openAdapter();
    const extensions = [sessions({ limit: { perUser: 2 } }), attempts(), stepUp({ settings: { within: "15m" } })];
    const app = startApp({ strategy, config: { adapter, store, extensions } });
    const [one, other] = [app.open(), app.open()];
    await app.register(one);
    await app.signIn(other, EMAIL, PASSWORD);
    expect([await app.userOf(one), await app.userOf(other), app.said]).toEqual([EMAIL, EMAIL, []]);
    await app.change(other, { current: PASSWORD, password: OTHER });
    expect([await app.userOf(one), await app.userOf(other), app.said]).toEqual([null, EMAIL, []]);
    await app.askReset(one);
    await app.useLink(one);
    await app.choose(one, PASSWORD);
    expect([await app.userOf(one), await app.userOf(other), app.said]).toEqual([EMAIL, null, []]);
    const id = String((await adapter.getUserByEmail?.(EMAIL))?.id);
    expect(await sessionsOf(app.auth).list(id)).toHaveLength(1);
    await sessionsOf(app.auth).endAll(id);
    expect([await app.userOf(one), app.said]).toEqual([null, []]);
  });

  it("have a second factor", async () => {
    const { adapter, store } = openAdapter();
    const { auth, open, register, signIn, userOf, said } = startApp({
      strategy,
      config: { adapter, store, extensions: [secondFactor()] },
    });
    const [owner, other] = [open(), open()];
    await register(owner);
    const { enrol } = await post(owner, "/auth/factors/totp", { step: "begin" });
    // The code of the step before, so that the one of this step is left.
    const code = await totpCode(enrol.secret, Date.now() - 30_000);
    await post(owner, "/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
    const id = String((await adapter.getUserByEmail?.(EMAIL))?.id);
    expect((await secondFactorOf(auth).list(id)).totp).toHaveLength(1);
    await signIn(other, EMAIL, PASSWORD);
    expect(await userOf(other)).toBeNull();
    await post(other, "/auth/factor/totp", { code: await totpCode(enrol.secret) });
    expect([await userOf(other), said]).toEqual([EMAIL, []]);
    await secondFactorOf(auth).reset(id, { by: "admin" });
    expect(await secondFactorOf(auth).list(id)).toEqual({ totp: [], recoveryCodesLeft: 0 });
  });

  it("must add a second factor to sign in", async () => {
    const factor = secondFactor({ require: () => "always" });
    const { open, register, signIn, userOf, said } = startApp({
      strategy,
      config: { ...openAdapter(), extensions: [factor] },
    });
    const ann = open();
    await register(ann);
    await signIn(ann, EMAIL, PASSWORD);
    const { enrol } = await (await ann.fetch("/auth/factor", { headers: { accept: "application/json" } })).json();
    const code = await totpCode(enrol.secret);
    await post(ann, "/auth/factor/totp", { step: "confirm", setup: enrol.setup, code });
    expect([await userOf(ann), said]).toEqual([EMAIL, []]);
  });

  it("sign in at a provider, link a second one and keep their tokens", async () => {
    const ops = ["one", "two"].map((id) => ({
      id,
      op: createScriptedProvider({ issuer: `https://${id}.example.com` }),
    }));
    const said: string[] = [];
    // Each process has an adapter of its own, and has not seen a user yet when a session arrives.
    const start = () =>
      createAuth({
        ...{ secret: "a secret of more than thirty-two bytes for tests", trustHost: true, ...openAdapter() },
        session: { strategy },
        logger: { error: (error) => void said.push(`${error} ${error.cause}`), warn: () => {}, debug: () => {} },
        extensions: [vault(), sessions()],
        providers: ops.map(({ id, op }) => ({
          ...{ id, name: id, type: "oidc", issuer: op.issuer, clientId: "cid", clientSecret: "csecret" },
          [customFetch]: op.fetch,
        })),
      });
    let auth = start();
    const browser = createBrowser((request) => auth.handlers.GET(request), {
      origin: "https://app.example.com",
      routes: Object.fromEntries(ops.map(({ op }) => [op.issuer, op.handler])),
    });
    const emails: unknown[] = [];
    for (const { id, op } of ops) {
      // Not verified, so that the session names the address until it is.
      op.user = { sub: id, email: `${id}@example.com`, email_verified: false };
      const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
      const begun = await browser.navigate(`/auth/signin/${id}`, { form: { csrfToken } });
      const { url } = await op.authorize(new URL(begun.redirectsTo ?? ""));
      await browser.navigate(url, { initiator: op.issuer });
      const { user } = (await (await browser.fetch("/auth/session")).json()) ?? {};
      emails.push(user?.email);
    }
    expect([emails, said]).toEqual([["one@example.com", "one@example.com"], []]);
    const { getUserByAccount } = PrismaAdapter(database.client);
    const owners = ops.map(({ id }) => getUserByAccount?.({ provider: id, providerAccountId: id }));
    expect(await Promise.all(owners)).toMatchObject([{ email: "one@example.com" }, { email: "one@example.com" }]);
    const cookie = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    const request = new Request("https://app.example.com", { headers: { cookie: cookie.join("; ") } });
    expect(await tokenOf(auth, "two", { request })).toMatchObject({ accessToken: expect.any(String) });
    auth = start();
    expect((await (await browser.fetch("/auth/session")).json())?.user?.email).toBe("one@example.com");
    expect(said).toEqual([]);
  });
});
