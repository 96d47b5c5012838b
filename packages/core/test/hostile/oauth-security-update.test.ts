/**
 * The update of RFC 9700 (draft-ietf-oauth-security-topics-update): audience injection (§2.1), account takeover across providers and
 * tenants (§2.2), and session fixation across users (§2.3). The honest server (H) and the attacker's (A) know the same client id.
 */

import { createAuth } from "@cardea/core";
import { customFetch, type OAuthProvider, type Provider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { type Browser, createBrowser, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { BASE, CLIENT_SECRET, SECRET } from "../harness/fixture.ts";

const APP = "https://app.example.com";
const HONEST = "https://op.example.com";
const ATTACKER = "https://attacker.example";

/** The attacker's server: its metadata, and every request that it gets. */
function createAttacker(metadata: Readonly<Record<string, unknown>> = {}) {
  const received: { readonly path: string; readonly params: URLSearchParams }[] = [];
  const fetched: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname === "/.well-known/openid-configuration") {
      const own = {
        issuer: ATTACKER,
        authorization_endpoint: `${ATTACKER}/authorize`,
        token_endpoint: `${ATTACKER}/token`,
        jwks_uri: `${ATTACKER}/jwks`,
      };
      return Response.json({ ...own, ...metadata });
    }
    received.push({ path: `${url.origin}${url.pathname}`, params: new URLSearchParams(String(init?.body ?? "")) });
    if (url.pathname === "/par") return Response.json({ request_uri: "urn:x", expires_in: 60 }, { status: 201 });
    return Response.json({ access_token: "x", token_type: "bearer" });
  };
  return { received, fetch: fetched };
}

type Attacker = ReturnType<typeof createAttacker>;

/** Everything that one audience of an assertion may be: what was signed, decoded. */
function audiencesIn({ received }: Attacker): unknown[] {
  const assertions = received.flatMap(({ params }) => params.get("client_assertion") ?? []);
  return assertions.map((jwt) => JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()).aud);
}

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };

function honestProvider(op: ReturnType<typeof createScriptedProvider>, id: string): Provider {
  const { issuer, clientId } = op;
  const client = { issuer, clientId, clientSecret: CLIENT_SECRET, [customFetch]: op.fetch };
  return { id, name: "Honest", type: "oidc", ...client };
}

function attackerProvider(
  attacker: Attacker,
  clientId: string,
  own: Partial<OAuthProvider> = {},
  id = "attacker",
): Provider {
  const client = { clientId, clientSecret: CLIENT_SECRET, [customFetch]: attacker.fetch };
  return { id, name: "Attacker", type: "oidc", issuer: ATTACKER, ...client, ...own };
}

/** An application at one origin or several, and its users' browsers. */
function serve(configure: (request: Request) => Partial<AuthConfig>) {
  const base = { secret: SECRET, basePath: BASE, trustHost: true, logger: silent, debug: false };
  const auth = createAuth((request?: Request) => ({
    ...base,
    providers: [],
    ...configure(request ?? new Request(APP)),
  }));
  return (request: Request) => (request.method === "POST" ? auth.handlers.POST : auth.handlers.GET)(request);
}

/** Presses the button of a provider; returns the URL at its server. */
async function begin(browser: Browser, id: string, base = BASE): Promise<URL> {
  const { csrfToken } = await (await browser.fetch(`${base}/csrf`)).json();
  const visit = await browser.navigate(`${base}/signin/${id}`, { form: { csrfToken } });
  return new URL(visit.redirectsTo ?? "about:blank");
}

const sessionOf = async (browser: Browser) => (await browser.fetch(`${BASE}/session`)).json();

describe("audience injection (§2.1)", () => {
  /** H's token endpoint as the attacker's own, so that an assertion for it would be valid at H. */
  const injected = {
    token_endpoint: `${HONEST}/token`,
    pushed_authorization_request_endpoint: `${ATTACKER}/par`,
    token_endpoint_auth_methods_supported: ["client_secret_jwt"],
  };

  it.each(["private_key_jwt", "client_secret_jwt", undefined])(
    "an assertion that the attacker's server receives is for its own issuer alone: %s",
    async (method) => {
      const { privateKey } = await generateKeyPair("ES256");
      const attacker = createAttacker(injected);
      const client = method === undefined ? {} : { client: { token_endpoint_auth_method: method } };
      const own = { par: true, token: { clientPrivateKey: privateKey }, ...client } as Partial<OAuthProvider>;
      const handle = serve(() => ({ providers: [attackerProvider(attacker, "cid", own)] }));
      await begin(createBrowser(handle, { origin: APP }), "attacker");
      expect(attacker.received.map(({ path }) => path)).toEqual([`${ATTACKER}/par`]);
      expect(audiencesIn(attacker)).toEqual([ATTACKER]);
    },
  );

  it.each([HONEST, `${HONEST}/token`])("metadata that name %s as issuer are refused", async (issuer) => {
    const { privateKey } = await generateKeyPair("ES256");
    const attacker = createAttacker({ ...injected, issuer });
    const client = { client: { token_endpoint_auth_method: "private_key_jwt" as const } };
    const own = { par: true, token: { clientPrivateKey: privateKey }, ...client };
    const handle = serve(() => ({ providers: [attackerProvider(attacker, "cid", own)] }));
    expect((await begin(createBrowser(handle, { origin: APP }), "attacker")).search).toBe("?error=OAuthSignin");
    expect(attacker.received).toEqual([]);
  });
});

describe("account takeover across providers and tenants (§2.2)", () => {
  /**
   * The attacker's server gets the user's request and sends the browser on to H with `state` and the registered redirect URI of
   * H's context. H, where the user has agreed before, answers at once, without `iss` (RFC 9207): nothing but the redirect URI and
   * the pending sign-in tells one context from the other.
   */
  async function takeOver(op: ReturnType<typeof createScriptedProvider>, sent: URL, redirectUri: string) {
    const url = new URL(`${HONEST}/authorize`);
    for (const [name, value] of sent.searchParams) url.searchParams.set(name, value);
    url.searchParams.set("redirect_uri", redirectUri);
    const answer = (await op.authorize(url)).url;
    answer.searchParams.delete("iss");
    return answer;
  }

  const createHonest = () => createScriptedProvider({ clientSecret: CLIENT_SECRET });

  it("two providers of one application: H's code does not reach the attacker, wherever it arrives", async () => {
    const op = createHonest();
    const attacker = createAttacker();
    const handle = serve(() => ({
      providers: [honestProvider(op, "honest"), attackerProvider(attacker, op.clientId)],
    }));
    const browser = createBrowser(handle, { origin: APP });
    const answer = await takeOver(op, await begin(browser, "attacker"), `${APP}${BASE}/callback/honest`);
    await browser.navigate(answer);
    expect([attacker.received, op.calls.token.length, await sessionOf(browser)]).toEqual([[], 0, null]);
  });

  /** Two tenants, each with a provider of the same id. */
  function createTenants(tenantOf: (request: Request) => string, secretOf = (tenant: string) => `${SECRET} ${tenant}`) {
    const op = createHonest();
    const attacker = createAttacker();
    const handle = serve((request) => {
      const tenant = tenantOf(request);
      const own = tenant === "evil" ? attackerProvider(attacker, op.clientId, {}, "sso") : honestProvider(op, "sso");
      return {
        secret: secretOf(tenant),
        redirectProxyOrigins: ["https://evil.example.com", "https://good.example.com"],
        providers: [own],
        ...(tenant === "proxy" ? {} : proxied),
      };
    });
    let proxied: Partial<AuthConfig> = {};
    const useProxy = () => {
      proxied = { redirectProxyUrl: `https://proxy.example.com${BASE}` };
    };
    return { op, attacker, handle, useProxy };
  }

  const byHost = (request: Request) => new URL(request.url).hostname.split(".")[0] ?? "";
  const routesOf = (handle: (request: Request) => Promise<Response>) =>
    Object.fromEntries(["evil", "good", "proxy"].map((one) => [`https://${one}.example.com`, handle]));

  it("tenants on hosts of their own: the code arrives where nothing is pending", async () => {
    const { op, attacker, handle } = createTenants(byHost);
    const browser = createBrowser(handle, {
      origin: "https://evil.example.com",
      routes: routesOf(handle),
      follow: "all",
    });
    const sent = await begin(browser, "sso");
    await browser.navigate(await takeOver(op, sent, `https://good.example.com${BASE}/callback/sso`));
    expect([attacker.received, op.calls.token.length]).toEqual([[], 0]);
  });

  it("tenants behind one redirect proxy: it forwards no code of H to a sign-in that began at another server", async () => {
    // The worst case: one secret for all, so that the proxy decrypts every state.
    const { op, attacker, handle, useProxy } = createTenants(byHost, () => SECRET);
    useProxy();
    const routes = routesOf(handle);
    const evil = createBrowser(handle, { origin: "https://evil.example.com", routes, follow: "all" });
    const shared = `https://proxy.example.com${BASE}/callback/sso`;
    const sent = await begin(evil, "sso");
    expect(sent.searchParams.get("redirect_uri")).toBe(shared);
    const stopped = await evil.navigate(await takeOver(op, sent, shared));
    expect([attacker.received, op.calls.token.length]).toEqual([[], 0]);
    expect(new URL(stopped.url).origin).toBe("https://proxy.example.com");
    // The same proxy serves the tenant of H.
    const good = createBrowser(handle, { origin: "https://good.example.com", routes, follow: "all" });
    await good.navigate(await takeOver(op, await begin(good, "sso"), shared));
    expect(await sessionOf(good)).toMatchObject({ user: {} });
  });

  it("control: with one callback URL for all tenants, the attacker obtains the code, as the documentation says", async () => {
    const { op, attacker, handle } = createTenants((request) => request.headers.get("x-tenant") ?? "evil");
    const browser = createBrowser(handle, { origin: APP });
    await browser.navigate(await takeOver(op, await begin(browser, "sso"), `${APP}${BASE}/callback/sso`));
    expect(attacker.received.map(({ params }) => params.has("code"))).toEqual([true]);
  });

  it("RFC 9207: with `iss`, one callback URL for all is safe", async () => {
    const { op, attacker, handle } = createTenants((request) => request.headers.get("x-tenant") ?? "evil");
    const browser = createBrowser(handle, { origin: APP });
    const answer = await takeOver(op, await begin(browser, "sso"), `${APP}${BASE}/callback/sso`);
    answer.searchParams.set("iss", HONEST);
    await browser.navigate(answer);
    expect(attacker.received).toEqual([]);
  });
});

describe("session fixation across users (§2.3)", () => {
  function setUp(config: Partial<AuthConfig> = {}) {
    const op = createScriptedProvider({ clientSecret: CLIENT_SECRET });
    const memory = createMemoryAdapter();
    const credentials: Provider = {
      id: "password",
      name: "Password",
      type: "credentials",
      credentials: { name: {} },
      authorize: ({ name }) => memory.snapshot().users.find((user) => user.name === name) ?? null,
    };
    const handle = serve(() => ({
      adapter: memory.adapter,
      session: { strategy: "jwt" },
      providers: [honestProvider(op, "op"), credentials],
      ...config,
    }));
    const browserOf = (cookies: Browser["cookies"] | null = null) => {
      const browser = createBrowser(handle, { origin: APP, routes: { [op.issuer]: op.handler } });
      for (const { name, value } of cookies?.list() ?? []) browser.cookies.set(name, value);
      return browser;
    };
    const signIn = async (name: string, browser = browserOf()) => {
      await memory.adapter.createUser?.({ id: name, name, email: `${name}@example.com`, emailVerified: new Date() });
      const { csrfToken } = await (await browser.fetch(`${BASE}/csrf`)).json();
      await browser.navigate(`${BASE}/callback/password`, { form: { csrfToken, name } });
      expect(await sessionOf(browser)).toMatchObject({ user: { name } });
      return browser;
    };
    return { op, memory, browserOf, signIn };
  }

  it.each(["a visitor", "a signed-in user"])(
    "a request that the attacker began links nothing when %s completes it",
    async (who) => {
      const c = setUp();
      const mallory = await c.signIn("mallory");
      const victim = who === "a visitor" ? c.browserOf() : await c.signIn("ann");
      const sent = await begin(mallory, "op");
      await victim.navigate((await c.op.authorize(sent)).url);
      expect([c.op.calls.token.length, c.memory.snapshot().accounts]).toEqual([0, []]);
    },
  );

  it("nor when the attacker planted the cookie of the pending sign-in in the other user's browser", async () => {
    const c = setUp();
    const mallory = await c.signIn("mallory");
    const victim = await c.signIn("ann");
    const sent = await begin(mallory, "op");
    for (const { name, value } of mallory.cookies.list())
      if (name.startsWith("__Host-cardea.state")) victim.cookies.set(name, value);
    await victim.navigate((await c.op.authorize(sent)).url);
    const owners = c.memory.snapshot().accounts.map(({ userId }) => userId);
    expect(owners).not.toContain("mallory");
    expect(owners).not.toContain("ann");
  });

  it("control: the user who began links their own account", async () => {
    const c = setUp();
    const ann = await c.signIn("ann");
    await ann.navigate((await c.op.authorize(await begin(ann, "op"))).url);
    expect(c.memory.snapshot().accounts).toMatchObject([{ provider: "op" }]);
    expect(await sessionOf(ann)).toMatchObject({ user: { name: "ann" } });
  });

  it("no URL begins a sign-in: there is nothing that an attacker could have a browser open", async () => {
    const c = setUp();
    const victim = await c.signIn("ann");
    for (const query of ["", "?csrfToken=x", "?provider=op", "?auth_session_id=6064f11c", "?state=x"]) {
      const visit = await victim.navigate(`${BASE}/signin/op${query}`, { initiator: ATTACKER });
      expect([visit.status, visit.redirectsTo]).toEqual([200, undefined]);
    }
    expect(victim.cookies.list().filter(({ name }) => name.startsWith("__Host-cardea.state"))).toEqual([]);
  });

  it("through a redirect proxy, the response ends in the browser that began", async () => {
    const c = setUp({ redirectProxyUrl: `https://proxy.example.com${BASE}` });
    const proxy = serve(() => ({ providers: [honestProvider(c.op, "op")], redirectProxyOrigins: [APP] }));
    const mallory = await c.signIn("mallory");
    const answer = (await c.op.authorize(await begin(mallory, "op"))).url;
    const forwarded = (await proxy(new Request(answer))).headers.get("location") ?? "";
    expect(new URL(forwarded).origin).toBe(APP);
    const victim = await c.signIn("ann");
    await victim.navigate(forwarded);
    expect([c.op.calls.token.length, c.memory.snapshot().accounts]).toEqual([0, []]);
    await mallory.navigate(forwarded);
    expect(c.memory.snapshot().accounts).toMatchObject([{ provider: "op" }]);
  });
});
