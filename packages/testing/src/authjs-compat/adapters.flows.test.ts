// Adapters written for Auth.js, as they come from npm, under the whole engine: each way in, reading, renewing, each way out.
import { type AuthConfig, createAuth, customFetch } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { createBrowser, createScriptedProvider } from "../index.ts";
import { openD1Adapter } from "./adapters/d1.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openPgAdapter } from "./adapters/pg.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";
import { openUpstashAdapter } from "./adapters/upstash.ts";

const ORIGIN = "https://app.example.com";

const adapters = {
  "@auth/d1-adapter": openD1Adapter,
  "@auth/drizzle-adapter": openDrizzleAdapter,
  "@auth/kysely-adapter": openKyselyAdapter,
  "@auth/pg-adapter": openPgAdapter,
  "@auth/unstorage-adapter": openUnstorageAdapter,
  "@auth/upstash-redis-adapter": openUpstashAdapter,
} as const;

function setUp(adapter: Adapter, config: Partial<AuthConfig> = {}) {
  const op = createScriptedProvider();
  const { issuer, clientId } = op;
  const mails: string[] = [];
  const errors: Error[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter,
    logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
    providers: [
      {
        id: "op",
        name: "P",
        type: "oidc",
        issuer,
        clientId,
        clientSecret: op.clientSecret ?? "",
        [customFetch]: op.fetch,
      },
      { id: "email", name: "E", type: "email", sendVerificationRequest: ({ url }) => void mails.push(url) },
    ],
    ...config,
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN, routes: { [issuer]: op.handler } });
  const signInWithOp = async () => {
    const page = await browser.navigate("/auth/signin");
    return browser.submit(page, { action: "/auth/signin/op", follow: "all" });
  };
  const signInByEmail = async (email: string) => {
    const page = await browser.navigate("/auth/signin");
    await browser.submit(page, { action: "/auth/signin/email", fields: { email } });
    return browser.navigate(mails.at(-1) ?? "");
  };
  const signOut = async () => browser.submit(await browser.navigate("/auth/signout"));
  const session = async () => (await browser.fetch("/auth/session")).json();
  return { op, browser, errors, signInWithOp, signInByEmail, signOut, session };
}

// A PostgreSQL in WebAssembly takes seconds to start on a busy machine.
describe.each(Object.entries(adapters))("the engine on %s", { timeout: 120_000 }, (_name, open) => {
  it("signs in a new user, reads and renews the session, and ends it", async () => {
    const { adapter, close } = await open();
    const app = setUp(adapter, { session: { updateAge: 0 } });
    await app.signInWithOp();
    expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
    const jar = app.browser.cookies.snapshot();
    await app.signOut();
    app.browser.cookies.restore(jar);
    expect(await app.session()).toBeNull();
    expect(app.errors).toEqual([]);
    await close();
  });

  it("knows a user who comes back, by the account and by the address", async () => {
    const { adapter, close } = await open();
    const app = setUp(adapter);
    await app.signInWithOp();
    await app.signOut();
    await app.signInWithOp();
    await app.signOut();
    expect((await app.signInByEmail("ada@example.com")).redirectsTo).toBe(`${ORIGIN}/`);
    const account = { provider: "op", providerAccountId: "user-subject-1815" };
    const byAccount = await adapter.getUserByAccount?.(account);
    const byEmail = await adapter.getUserByEmail?.("ada@example.com");
    expect(byAccount?.id).toBeDefined();
    expect(byEmail?.id).toBe(byAccount?.id);
    expect(app.errors).toEqual([]);
    await close();
  });

  it("signs in a new address by a link, once", async () => {
    const { adapter, close } = await open();
    const app = setUp(adapter);
    const opened = await app.signInByEmail("bob@example.com");
    expect(opened.redirectsTo).toBe(`${ORIGIN}/`);
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    expect((await app.browser.navigate(opened.url)).status).toBe(200);
    expect(app.errors).toEqual([]);
    await close();
  });

  it.each(["database", "jwt"] as const)(
    "takes one who is signed in and signs in again for the same user: %s",
    async (strategy) => {
      const { adapter, close } = await open();
      const app = setUp(adapter, { session: { strategy } });
      await app.signInWithOp();
      expect((await app.signInWithOp()).url).toBe(`${ORIGIN}/`);
      expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
      expect(app.errors).toEqual([]);
      await close();
    },
  );

  it("links a second way in to one who is signed in", async () => {
    const { adapter, close } = await open();
    const app = setUp(adapter);
    await app.signInByEmail("bob@example.com");
    await app.signInWithOp();
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    const owner = await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "user-subject-1815" });
    expect(owner).toMatchObject({ email: "bob@example.com" });
    expect(app.errors).toEqual([]);
    await close();
  });

  it("rejects an address that another user has", async () => {
    const { adapter, close } = await open();
    const app = setUp(adapter);
    await app.signInWithOp();
    await app.signOut();
    app.op.user = { sub: "another-user", email: "ada@example.com", email_verified: true };
    expect((await app.signInWithOp()).url).toContain("error=OAuthAccountNotLinked");
    await close();
  });
});
