/** One application on every runtime that docs/frameworks.md names, behind a proxy that a person's browser talks to over https. */
import { decode, encode } from "@cardea/core/jwt";
import { type Browser, createAuthenticator, createBrowser } from "@cardea/testing";
import { type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forwardTo } from "./forward.ts";
import { RUNTIMES } from "./runtimes.ts";
import { type RunningRuntime, startRuntime } from "./start-runtime.ts";

const ORIGIN = "https://app.example.com";
/** Where it is while it is being developed: the provider here speaks plain http, which no page on https may lead to. */
const DEVELOPMENT = "http://app.localhost:4321";
const SECRET = "a secret of more than thirty-two bytes";
const SESSION = "__Host-cardea.session-token";

async function signInWithPassword(browser: Browser, password = "nanosecond") {
  const page = await browser.navigate("/members");
  return browser.submit(page, { action: "/auth/callback/credentials", fields: { username: "Grace", password } });
}

const nameOf = async (browser: Browser): Promise<string | undefined> =>
  (await (await browser.fetch("/auth/session")).json())?.user.name;

async function readCsrfToken(browser: Browser): Promise<string> {
  return (await (await browser.fetch("/auth/csrf")).json()).csrfToken;
}

async function update(browser: Browser, data: unknown) {
  const csrfToken = await readCsrfToken(browser);
  const headers = { "content-type": "application/json" };
  return browser.fetch("/auth/session", { method: "POST", headers, body: JSON.stringify({ csrfToken, data }) });
}

/** What a script sends of the answer of an authenticator. */
async function sendKey(browser: Browser, action: string, data: unknown) {
  const { csrfToken } = await (await browser.fetch("/keys/csrf")).json();
  const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
  const body = JSON.stringify({ csrfToken, action, data, callbackUrl: "/members" });
  return (await browser.fetch("/keys/callback/passkey", { method: "POST", headers, body })).json();
}

let provider: RunningOidcProvider;
beforeAll(async () => {
  provider = await startOidcProvider({ redirectUris: [`${DEVELOPMENT}/auth/callback/local`] });
});
afterAll(() => provider.close());

// The table of runtimes in docs/frameworks.md has a row for each test and names these packages.
const named = RUNTIMES.map((runtime) => [`${runtime.package} on ${runtime.name}`, runtime] as const);

describe.each(named)("%s", (_name, runtime) => {
  let app: RunningRuntime;
  let open: (origin?: string) => Browser;
  beforeAll(async () => {
    if (runtime.command === undefined) return;
    const { issuer, clientId, clientSecret } = provider;
    const client = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    app = await startRuntime(runtime, { AUTH_SECRET: SECRET, ...client });
    open = (origin = ORIGIN) =>
      createBrowser(forwardTo(app.url), { origin, routes: { [issuer]: fetch }, follow: "all" });
  });
  afterAll(async () => {
    await app?.end();
    // Nothing that people did here is a problem of the operator's.
    if (app !== undefined) expect(app.output()).not.toContain("[error]");
  });
  // Somewhere else than on Linux on x64 some of them cannot run; `npm test` says so, and in CI it counts as failed.
  if (runtime.command === undefined) console.warn(`SKIPPED: ${runtime.name}. Its package is for Linux on x64.`);
  const test = it.skipIf(runtime.command === undefined);

  test("detects the runtime", async () => {
    expect(await (await fetch(`${app.url}/runtime`)).text()).toMatch(new RegExp(`^${runtime.agent}(?![0-9])`));
  });

  test("password sign-in, reading the session, sign-out", async () => {
    const browser = open();
    expect((await signInWithPassword(browser)).url).toBe(`${ORIGIN}/members`);
    expect(browser.cookies.get(SESSION)).toMatchObject({ secure: true, httpOnly: true });
    expect(await nameOf(browser)).toBe("Grace");
    for (const page of runtime.package === "@cardea/core" ? ["/members", "/read"] : ["/members"])
      expect(await (await browser.navigate(page)).json()).toMatchObject({ user: { name: "Grace" } });
    await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
    expect(browser.cookies.get(SESSION)).toBeUndefined();
    expect(new URL((await browser.navigate("/members")).url).pathname).toBe("/auth/signin");
  });

  test("OpenID Connect sign-in and sign-out", async () => {
    const browser = open(DEVELOPMENT);
    const chooser = await browser.submit(await browser.navigate("/members"), { action: "/auth/signin/local" });
    expect(chooser.url).toMatch(`${provider.issuer}/`);
    const members = await browser.submit(chooser, { button: "Continue", fields: { other: "ada" } });
    expect(members.url).toBe(`${DEVELOPMENT}/members`);
    expect(await members.json()).toMatchObject({ user: { email: "ada@example.com" } });
    await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
    expect(await nameOf(browser)).toBeUndefined();
  });

  test("updates a session larger than one cookie", async () => {
    const browser = open();
    await signInWithPassword(browser);
    expect(await (await update(browser, { name: "Amazing Grace" })).json()).toMatchObject({
      user: { name: "Amazing Grace" },
    });
    const long = "Grace ".repeat(1000);
    await update(browser, { name: long });
    expect(browser.cookies.get(`${SESSION}.1`)).toBeDefined();
    expect(await nameOf(browser)).toBe(long);
    await update(browser, { name: "Grace" });
    expect(browser.cookies.list().filter(({ name }) => name.startsWith(SESSION))).toHaveLength(1);
    expect(await nameOf(browser)).toBe("Grace");
  });

  test("encrypts and decrypts tokens (JWE), also those of another runtime", async () => {
    const ask = async (body: object) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`${app.url}/jwt`, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    const shared = { secret: SECRET, salt: "runtimes" };
    const { token } = await ask({ claims: { sub: "7", name: "Grace ☃" } });
    expect(await decode({ ...shared, token })).toMatchObject({ sub: "7", name: "Grace ☃" });
    expect(await ask({ token })).toMatchObject({ claims: { sub: "7" } });
    expect(await ask({ token: await encode({ ...shared, token: { sub: "8" } }) })).toMatchObject({
      claims: { sub: "8" },
    });
    expect(await ask({ token: `${token}A` })).toEqual({ claims: null });
  });

  test("passkey registration and sign-in; database sessions", async () => {
    const browser = open();
    const authenticator = createAuthenticator({ origin: ORIGIN });
    const ask = async (query: string) =>
      (await (await browser.fetch(`/keys/webauthn-options/passkey?${query}`)).json()).options;
    const made = await authenticator.create(await ask("action=register&email=grace@example.com"));
    expect(await sendKey(browser, "register", made)).toEqual({ url: `${ORIGIN}/members` });
    const session = async () => (await browser.fetch("/keys/session")).json();
    expect(await session()).toMatchObject({ user: { email: "grace@example.com" } });
    await browser.submit(await browser.navigate("/keys/signout"), { action: "/keys/signout" });
    expect(await session()).toBeNull();
    const signed = await authenticator.get(await ask("action=authenticate"));
    const broken = { ...signed, response: { ...signed.response, signature: made.response.clientDataJSON } };
    expect(await sendKey(browser, "authenticate", broken)).toMatchObject({ url: expect.stringContaining("error=") });
    expect(await session()).toBeNull();
    const again = await authenticator.get(await ask("action=authenticate"));
    expect(await sendKey(browser, "authenticate", again)).toEqual({ url: `${ORIGIN}/members` });
    expect(await session()).toMatchObject({ user: { email: "grace@example.com" } });
  });

  test("rejects wrong passwords, cross-site forms and unbounded request bodies", async () => {
    const browser = open();
    expect((await signInWithPassword(browser, "picosecond")).url).toContain("error=CredentialsSignin");
    const form = { csrfToken: await readCsrfToken(browser), username: "Grace", password: "nanosecond" };
    const foreign = { form, initiator: "https://evil.example.net", follow: "none" } as const;
    expect((await browser.navigate("/auth/callback/credentials", foreign)).status).toBe(403);
    expect((await update(browser, { name: "x".repeat(70_000) })).status).toBe(413);
    expect(browser.cookies.get(SESSION)).toBeUndefined();
  });
});
