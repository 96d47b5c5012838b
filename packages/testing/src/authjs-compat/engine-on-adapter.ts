// Each way in, reading, renewing, each way out: the whole engine on an adapter.
import { type AuthConfig, createAuth, customFetch } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { expect, it } from "vitest";
import { createBrowser, createScriptedProvider } from "../index.ts";

const ORIGIN = "https://app.example.com";

/** An application with the adapter, and a browser. */
export function setUpEngine(adapter: Adapter, config: Partial<AuthConfig> = {}) {
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
  /** By the application's own button: an account without a user is added to the user of a session. */
  const link = async () => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    return browser.navigate("/auth/signin/op", { form: { csrfToken }, follow: "all" });
  };
  const signInByEmail = async (email: string) => {
    const page = await browser.navigate("/auth/signin/email");
    await browser.submit(page, { action: "/auth/signin/email", fields: { email } });
    return browser.navigate(mails.at(-1) ?? "");
  };
  const signOut = async () => browser.submit(await browser.navigate("/auth/signout"));
  const session = async () => (await browser.fetch("/auth/session")).json();
  return { op, browser, errors, signInWithOp, link, signInByEmail, signOut, session };
}

type Open = () => Promise<{ readonly adapter: Adapter; close(): unknown }>;

/** Defines the tests, to be called in a `describe`. Each opens a database of its own. */
export function engineOnAdapter(open: Open): void {
  defineSessions(open);
  defineUsers(open);
}

function defineSessions(open: Open): void {
  it("signs in a new user, reads and renews the session, and ends it", async () => {
    const { adapter, close } = await open();
    const app = setUpEngine(adapter, { session: { updateAge: 0 } });
    await app.signInWithOp();
    expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
    const jar = app.browser.cookies.snapshot();
    await app.signOut();
    app.browser.cookies.restore(jar);
    expect(await app.session()).toBeNull();
    expect(app.errors).toEqual([]);
    await close();
  });

  it("signs in a new address by a link, once", async () => {
    const { adapter, close } = await open();
    const app = setUpEngine(adapter);
    const opened = await app.signInByEmail("bob@example.com");
    expect(opened.redirectsTo).toBe(`${ORIGIN}/`);
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    await app.signOut();
    const again = await app.browser.navigate(opened.url);
    expect(again.status).toBe(200);
    expect(app.errors).toEqual([]);
    await close();
  });

  it.each(["database", "jwt"] as const)(
    "treats a signed-in user who signs in again as the same user: %s",
    async (strategy) => {
      const { adapter, close } = await open();
      const app = setUpEngine(adapter, { session: { strategy } });
      await app.signInWithOp();
      expect((await app.signInWithOp()).url).toBe(`${ORIGIN}/`);
      expect(await app.session()).toMatchObject({ user: { email: "ada@example.com" } });
      expect(app.errors).toEqual([]);
      await close();
    },
  );
}

function defineUsers(open: Open): void {
  it("recognises a returning user by account and by address", async () => {
    const { adapter, close } = await open();
    const app = setUpEngine(adapter);
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

  it("links a second sign-in method to a signed-in user", async () => {
    const { adapter, close } = await open();
    const app = setUpEngine(adapter);
    await app.signInByEmail("bob@example.com");
    await app.link();
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    const owner = await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "user-subject-1815" });
    expect(owner).toMatchObject({ email: "bob@example.com" });
    expect(app.errors).toEqual([]);
    await close();
  });

  it("rejects an address that another user has", async () => {
    const { adapter, close } = await open();
    const app = setUpEngine(adapter);
    await app.signInWithOp();
    await app.signOut();
    app.op.user = { sub: "another-user", email: "ada@example.com", email_verified: true };
    expect((await app.signInWithOp()).url).toContain("error=OAuthAccountNotLinked");
    await close();
  });
}
