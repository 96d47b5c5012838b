/** Mix-up (RFC 9700 §4.4): a real OpenID Provider, and hostile ones beside it under the same client id. */

import { createAuth } from "@cardea/core";
import { customFetch, type Provider } from "@cardea/core/providers";
import { createBrowser } from "@cardea/testing";
import { type RunningOidcProvider, startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const EVIL = "https://evil.example";
const CLIENT = { clientId: "demo", clientSecret: "demo-secret" };
const callbackOf = (id: string) => `${ORIGIN}/auth/callback/${id}`;

let op: RunningOidcProvider;
beforeAll(async () => {
  // The worst case: the honest provider redirects to every callback URL of the application.
  const redirectUris = ["honest", "twin", "evil", "plain", "elsewhere"].map(callbackOf);
  op = await startOidcProvider({ clients: [{ ...CLIENT, redirectUris }] });
});
afterAll(() => op.close());

/** An application with every kind of provider, and what the hostile servers are told. */
function setUp() {
  const told: string[] = [];
  /** What the hostile token endpoint sends besides an access token. */
  const sent: Record<string, unknown> = {};
  const metadata = { issuer: EVIL, token_endpoint: `${EVIL}/token` };
  const evilFetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname === "/.well-known/openid-configuration") return Response.json(metadata);
    if (url.origin !== EVIL) return fetch(input, init);
    told.push(`${url.pathname} ${String(init?.body ?? "")}`);
    return Response.json({ access_token: "x", token_type: "bearer", ...sent });
  };
  const evil = { ...CLIENT, [customFetch]: evilFetch };
  // The authorization endpoint and the keys of the honest provider: configured, because metadata do not lead to loopback.
  const honestEndpoints = { authorization: `${op.issuer}/auth`, jwks_endpoint: `${op.issuer}/jwks` };
  const plain = { token: `${EVIL}/token`, userinfo: `${EVIL}/userinfo`, profile: () => ({ id: "victim" }), ...evil };
  const providers: Provider[] = [
    { id: "honest", name: "Honest", type: "oidc", issuer: op.issuer, ...CLIENT },
    { id: "twin", name: "Twin", type: "oidc", issuer: op.issuer, ...CLIENT },
    { id: "evil", name: "Evil", type: "oidc", issuer: EVIL, ...honestEndpoints, ...evil },
    { id: "plain", name: "Plain", type: "oauth", authorization: `${EVIL}/authorize`, ...plain },
    { id: "elsewhere", name: "Elsewhere", type: "oauth", authorization: `${op.issuer}/auth`, ...plain },
  ];
  const logger = { error: () => {}, warn: () => {}, debug: () => {} };
  const auth = createAuth({ secret: "a secret of more than thirty-two bytes", trustHost: true, logger, providers });
  const handle = (request: Request) => (request.method === "POST" ? auth.handlers.POST : auth.handlers.GET)(request);
  const routes = { [op.issuer]: (request: Request) => fetch(request) };
  const browser = createBrowser(handle, { origin: ORIGIN, routes });
  const session = async () => (await browser.fetch("/auth/session")).json();
  /** Where the application sends the browser. */
  const begin = async (id: string) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken });
    const headers = { "x-auth-return-redirect": "1" };
    return new URL((await (await browser.fetch(`/auth/signin/${id}`, { method: "POST", body, headers })).json()).url);
  };
  /** What the honest provider answers to a request, after its user agreed. */
  const agree = async (request: URL) => {
    const url = new URL(`${op.issuer}/auth${request.search}`);
    if (!url.searchParams.get("scope")?.includes("openid")) url.searchParams.set("scope", "openid");
    const tab = createBrowser(() => Response.json({}), { origin: ORIGIN, routes, follow: "all" });
    const asked = await tab.navigate(url);
    const last = await tab.submit(asked, { button: "Continue", fields: { login: "ada-1815" } });
    return new URL(last.url);
  };
  return { browser, begin, agree, session, told, sent };
}

describe("mix-up of providers", () => {
  it("an honest sign-in works beside them", async () => {
    const c = setUp();
    await c.browser.navigate(await c.agree(await c.begin("honest")));
    expect(await c.session()).toMatchObject({ user: {} });
    expect(c.told).toEqual([]);
  });

  it.each(["evil", "plain"])(
    "RFC 9207 §2.4: the honest code does not reach %s, which sent the user there",
    async (id) => {
      const c = setUp();
      const answer = await c.agree(await c.begin(id));
      expect([answer.origin + answer.pathname, answer.searchParams.get("iss")]).toEqual([callbackOf(id), op.issuer]);
      await c.browser.navigate(answer);
      expect([c.told, await c.session()]).toEqual([[], null]);
    },
  );

  it("two tabs: each answer belongs to the sign-in that it was asked for", async () => {
    const c = setUp();
    const [honest, plain] = [await c.begin("honest"), await c.begin("plain")];
    const answer = await c.agree(honest);
    const swapped = new URL(answer);
    swapped.searchParams.set("state", plain.searchParams.get("state") ?? "");
    for (const id of ["honest", "plain"]) {
      swapped.pathname = `/auth/callback/${id}`;
      await c.browser.navigate(swapped);
    }
    expect([c.told, await c.session()]).toEqual([[], null]);
    await c.browser.navigate(answer);
    expect([c.told, await c.session()]).toEqual([[], { user: expect.anything(), expires: expect.any(String) }]);
  });

  it("an ID token of the honest provider is not one of a hostile provider with its keys and its client id", async () => {
    const c = setUp();
    const request = await c.begin("evil");
    const verifier = "v".repeat(43);
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const own = new URL(request);
    own.searchParams.set("redirect_uri", callbackOf("honest"));
    own.searchParams.set("code_challenge", Buffer.from(hash).toString("base64url"));
    const code = (await c.agree(own)).searchParams.get("code") ?? "";
    const grant = {
      grant_type: "authorization_code",
      code,
      redirect_uri: callbackOf("honest"),
      code_verifier: verifier,
    };
    const authorization = `Basic ${btoa(`${CLIENT.clientId}:${CLIENT.clientSecret}`)}`;
    const body = new URLSearchParams(grant);
    const issued = await fetch(`${op.issuer}/token`, { method: "POST", headers: { authorization }, body });
    Object.assign(c.sent, await issued.json());
    expect(c.sent.id_token).toMatch(/^ey/);
    const state = request.searchParams.get("state") ?? "";
    await c.browser.navigate(`${callbackOf("evil")}?${new URLSearchParams({ code: "x", state, iss: EVIL })}`);
    expect([c.told.length, await c.session()]).toEqual([1, null]);
  });

  it.each(["evil", "plain", "elsewhere", "twin"])("no answer changes its provider: begun at %s", async (id) => {
    const c = setUp();
    const answer = await c.agree(await c.begin(id));
    for (const other of ["honest", "twin", "evil", "plain", "elsewhere"].filter((one) => one !== id)) {
      const moved = new URL(answer);
      moved.pathname = `/auth/callback/${other}`;
      await c.browser.navigate(moved);
    }
    expect([c.told, await c.session()]).toEqual([[], null]);
  });
});
