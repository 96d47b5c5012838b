/** What the hostile cases of OAuth and OpenID Connect have in common: leaving for the provider and coming back. Test-only. */

import { customFetch } from "@cardea/core/providers";
import { type AuthorizeScript, type Browser, createBrowser, type IdTokenScript, type Visit } from "@cardea/testing";
import { expect } from "vitest";
import { BASE, type CaseOptions, COOKIE } from "./fixture.ts";
import { type Case, expectRefused, ORIGIN, setUp } from "./harness.ts";

/** Where the provider of the fixture sends people back to. */
export const CALLBACK = `${ORIGIN}${BASE}/callback/op`;

/** The provider `op` as an OAuth 2 provider: endpoints known by heart, no ID token. */
export const OAUTH2: CaseOptions = {
  op: { type: "oauth2" },
  provider: {
    type: "oauth",
    authorization: "https://op.example.com/authorize",
    token: "https://op.example.com/token",
    userinfo: "https://op.example.com/userinfo",
  },
};

/** Begins a sign-in as the built-in page does; returns where the browser is sent. */
export async function begin(c: Case, callbackUrl = "/dash", tab: Browser = c.browser): Promise<URL> {
  return new URL((await start(c, callbackUrl, tab)).redirectsTo ?? "about:blank");
}

/** The answer to the press of the button. */
export async function start(c: Case, callbackUrl = "/dash", tab: Browser = c.browser): Promise<Visit> {
  const page = await tab.navigate(`${BASE}/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);
  return tab.submit(page, { action: `${BASE}/signin/op` });
}

/** Plays the person at the provider, and the way back; the redirect after it is not followed. */
export async function comeBack(
  c: Case,
  authorizationUrl: URL,
  script: AuthorizeScript = {},
  tab: Browser = c.browser,
): Promise<Visit> {
  const { url, form } = await c.op.authorize(authorizationUrl, script);
  return tab.navigate(url, { form, initiator: c.op.issuer });
}

/** A whole sign-in, as far as it gets. */
export async function attempt(c: Case, script: AuthorizeScript = {}): Promise<Visit> {
  return comeBack(c, await begin(c), script);
}

/** Landed on a built-in page with a documented `error` and nothing else of the request. */
export function expectLanding(visit: Visit, error: string, page: "signin" | "error" = "signin"): void {
  // A browser that sent no cookie of ours is told so (blocked-cookies.test.ts).
  const url = visit.redirectsTo?.replace("&code=cookies", "");
  expect([visit.status, url]).toEqual([302, `${ORIGIN}${BASE}/${page}?error=${error}`]);
}

/** REJ for an OAuth callback: landed, no one is signed in, nothing of the sign-in is left in the browser. */
export async function expectNoSignIn(c: Case, visit: Visit, error = "OAuthCallbackError"): Promise<void> {
  expectRefused(visit);
  expectLanding(visit, error, error === "AccessDenied" || error === "Configuration" ? "error" : "signin");
  expect(pendingCookies(c), "the pending sign-in is over").toEqual([]);
  expect(await c.session()).toBe(null);
}

/** The sign-in succeeded and led to its callback URL. */
export async function expectSignedIn(c: Case, visit: Visit, callbackUrl = "/dash"): Promise<void> {
  expect([visit.status, visit.redirectsTo]).toEqual([302, `${ORIGIN}${callbackUrl}`]);
  expect(await c.session()).toMatchObject({ user: {}, expires: expect.any(String) });
}

/** Names of the cookies that hold pending sign-ins; what a minute keeps is where one led. */
export function pendingCookies(c: Case, tab: Browser = c.browser): string[] {
  const left = tab.cookies.list().filter(({ expires = 0 }) => expires - Date.now() > 60_000);
  return left.map(({ name }) => name).filter((name) => name.startsWith(`${COOKIE.state}.`));
}

/** Began again at the provider, with new secrets; returns where the browser was sent. */
export function expectAgain(c: Case, visit: Visit, former: URL): URL {
  const url = new URL(visit.redirectsTo ?? "about:blank");
  expect([visit.status, `${url.origin}${url.pathname}`]).toEqual([302, `${c.op.issuer}/authorize`]);
  for (const name of ["state", "nonce", "code_challenge"]) {
    const [then, now] = [former, url].map(({ searchParams }) => searchParams.get(name));
    if (then !== null) expect([now, now === then]).toEqual([expect.any(String), false]);
  }
  return url;
}

/** How often the provider was asked, by endpoint. */
export function calls(c: Case): Record<"discovery" | "token" | "jwks" | "userinfo" | "other", number> {
  const { discovery, token, jwks, userinfo, other } = c.op.calls;
  return {
    discovery: discovery.length,
    token: token.length,
    jwks: jwks.length,
    userinfo: userinfo.length,
    other: other.length,
  };
}

/** The ID token is refused, and the userinfo endpoint never asked. */
export async function expectRefusedToken(idToken: IdTokenScript, c: Case = setUp()): Promise<void> {
  c.op.script = { ...c.op.script, idToken };
  await expectNoSignIn(c, await attempt(c));
  expect(calls(c)).toMatchObject({ token: 1, userinfo: 0, other: 0 });
}

export async function expectAcceptedToken(idToken: IdTokenScript, c: Case = setUp()): Promise<void> {
  c.op.script = { ...c.op.script, idToken };
  await expectSignedIn(c, await attempt(c));
}

/** Another user's browser at the same application. */
export function anotherBrowser(c: Case): Browser {
  return createBrowser(c.visit, { origin: ORIGIN, routes: { [c.op.issuer]: c.op.handler } });
}

/** A case whose provider is reached through `wire`, which gets the honest `fetch`. */
export function setUpWired(
  wire: (honest: typeof fetch, url: string, init: RequestInit) => Promise<Response>,
  options: CaseOptions = {},
): Case {
  const wired: typeof fetch = (input, init = {}) => wire(c.op.fetch, String(input), init);
  const c: Case = setUp({ ...options, provider: { ...options.provider, [customFetch]: wired } });
  return c;
}
