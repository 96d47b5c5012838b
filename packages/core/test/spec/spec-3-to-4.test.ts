/** Sections 3 and 4 of the specification: how a session comes and goes, the HTTP actions, the operations of server code. */

import { createAuth } from "@cardea/core";
import { isAuthError } from "@cardea/core/errors";
import type { JWTCallbackParams } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { BASE, type Case, COOKIE, cookieHeader, installClock, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";

const DASH = `${ORIGIN}/dash`;
const ANN = { username: "ann", password: PASSWORD };

/** A request for a page of the application, with the cookies of the browser or those that an answer has set. */
function pageRequest(cookies: Case | Response): Request {
  const set = cookies instanceof Response ? cookies.headers.getSetCookie().map((line) => line.split(";")[0]) : [];
  const cookie = cookies instanceof Response ? set.join("; ") : cookieHeader(cookies.browser);
  return new Request(DASH, { headers: { cookie } });
}

async function signedIn(c = setUp()): Promise<Case> {
  await c.signIn();
  return c;
}

describe("section 3", () => {
  it("spec 3 there is a session or none: sign-in makes one, use renews it, sign-out ends it", async () => {
    const clock = installClock("2030-01-01T00:00:00Z");
    const c = setUp();
    expect(await c.session()).toBe(null);
    await c.signIn();
    expect(await c.session()).toMatchObject({ expires: "2030-01-31T00:00:00.000Z" });
    clock.advance({ days: 20 });
    expect(await c.session()).toMatchObject({ expires: "2030-02-20T00:00:00.000Z" });
    clock.advance({ days: 20 });
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    await c.post(`${BASE}/signout`);
    expect(await c.session()).toBe(null);
  });
});

describe("spec 4.1 actions", () => {
  it("spec 4.1 each action lies at its path below the base path, default /auth", async () => {
    const c = setUp({ config: { basePath: undefined } });
    const statuses: [string, number][] = [];
    const pages = ["csrf", "error", "providers", "session", "signin", "signout", "verify-request"];
    for (const action of [...pages, "callback/op", "nonsense"]) {
      statuses.push([action, (await c.send(`/auth/${action}`)).status]);
    }
    const answers = pages.map((action): [string, number] => [action, 200]);
    expect(statuses).toEqual([...answers, ["callback/op", 302], ["nonsense", 404]]);
    for (const action of ["session", "signin/op", "signout", "callback/credentials"]) {
      expect((await c.send(`/auth/${action}`, { method: "POST" })).status, action).not.toBe(404);
    }
  });

  it("spec 4.1 callback, spec 4.1 signin POST: the flow of a provider ends in a session and a redirect", async () => {
    const c = setUp();
    const begun = await c.post(`${BASE}/signin/op`, { callbackUrl: "/dash" });
    const location = new URL(begun.redirectsTo ?? "");
    expect([begun.status, location.origin + location.pathname]).toEqual([302, `${c.op.issuer}/authorize`]);
    expect(location.searchParams.get("redirect_uri")).toBe(`${ORIGIN}${BASE}/callback/op`);
    expect(await c.session()).toBe(null);
    const back = await c.browser.navigate((await c.op.authorize(location)).url, { initiator: c.op.issuer });
    expect([back.status, back.redirectsTo]).toEqual([302, DASH]);
    expect(await c.session()).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it("spec 4.1 csrf, spec 5.5 forms carry a token that a sealed cookie holds as well", async () => {
    const c = await signedIn();
    const csrfToken = await c.csrfToken();
    const sealed = c.browser.cookies.get(COOKIE.csrf)?.value ?? "";
    expect(sealed.split(".")).toHaveLength(5);
    expect(sealed).not.toContain(csrfToken);
    const signOut = (form: Record<string, string>) => c.browser.navigate(`${BASE}/signout`, { form });
    expect((await signOut({})).status).toBe(403);
    expect(await c.session()).not.toBe(null);
    expect((await signOut({ csrfToken })).status).toBe(302);
    expect(await c.session()).toBe(null);
  });

  it("spec 4.1 error, spec 4.1 verify-request: built-in pages", async () => {
    const c = setUp();
    const read = async (path: string) => {
      const page = await c.browser.navigate(`${BASE}/${path}`);
      expect(page.headers.get("content-type")).toContain("text/html");
      return /<h1[^>]*>([^<]+)/.exec(await page.text())?.[1];
    };
    const titles = [await read("error"), await read("error?error=Verification"), await read("verify-request")];
    expect(titles).toEqual([expect.any(String), expect.stringMatching(/link/i), expect.stringMatching(/mail/i)]);
    expect(new Set(titles).size).toBe(3);
  });

  it("spec 4.1 providers, spec 2.7 five members of each provider, and no secret", async () => {
    const urls = (id: string) => ({
      signinUrl: `${ORIGIN}${BASE}/signin/${id}`,
      callbackUrl: `${ORIGIN}${BASE}/callback/${id}`,
    });
    expect(await (await setUp().send(`${BASE}/providers`)).json()).toEqual([
      { id: "op", name: "Provider", type: "oidc", ...urls("op") },
      { id: "credentials", name: "Password", type: "credentials", ...urls("credentials") },
    ]);
  });

  it("spec 4.1 session, spec 4.1 signout POST: the session or null, and its end", async () => {
    const c = setUp();
    expect(await c.session()).toBe(null);
    await c.signIn();
    expect(await c.session()).toEqual({
      user: { name: "ann", email: "ann@example.com", image: null },
      expires: expect.any(String),
    });
    const answer = await c.post(`${BASE}/signout`, { callbackUrl: "/bye" });
    expect([answer.status, answer.redirectsTo]).toEqual([302, `${ORIGIN}/bye`]);
    expect(c.browser.cookies.get(COOKIE.session)).toBe(undefined);
    expect(await c.session()).toBe(null);
  });

  it("spec 4.1 session POST, spec 3 update: the session after an update, of which the jwt callback learns", async () => {
    const updates: unknown[] = [];
    const jwt = ({ token, trigger, session }: JWTCallbackParams) => {
      if (trigger !== "update") return token;
      updates.push(session);
      return { ...token, name: "Ann B." };
    };
    const c = await signedIn(setUp({ config: { callbacks: { jwt } } }));
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ csrfToken: await c.csrfToken(), data: { nickname: "B." } });
    const answer = await c.browser.fetch(`${BASE}/session`, { method: "POST", headers, body });
    expect(await answer.json()).toMatchObject({ user: { name: "Ann B." } });
    expect(updates).toEqual([{ nickname: "B." }]);
    expect(await c.session()).toMatchObject({ user: { name: "Ann B." } });
  });

  it("spec 4.1 signin, spec 4.1 signout: built-in pages that begin and that ask", async () => {
    const c = setUp();
    const page = await c.browser.navigate(`${BASE}/signin`);
    await c.browser.submit(page, { action: `${BASE}/callback/credentials`, fields: ANN });
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    const question = await c.browser.navigate(`${BASE}/signout`);
    expect(await c.session()).not.toBe(null);
    expect((await c.browser.submit(question, { action: `${BASE}/signout` })).status).toBe(302);
    expect(await c.session()).toBe(null);
  });
});

describe("spec 4.2 signIn and its siblings", () => {
  it("spec 4.2 signIn begins a sign-in and redirects, to the sign-in page without a provider", async () => {
    const c = setUp();
    const { signIn } = createAuth(c.config);
    const begun = await signIn(pageRequest(c), "op", { redirectTo: "/dash" }, { login_hint: "ada" });
    const location = new URL(begun.headers.get("location") ?? "");
    expect([begun.status, location.origin, location.searchParams.get("login_hint")]).toEqual([302, c.op.issuer, "ada"]);
    const page = await signIn(pageRequest(c), undefined, { redirectTo: "/dash" });
    expect(page.headers.get("location")).toMatch(`${ORIGIN}${BASE}/signin?callbackUrl=`);
  });

  it("spec 4.2 signIn answers without a redirect where that is asked for, and throws AuthError on failure", async () => {
    const { signIn } = createAuth(setUp().config);
    const answer = await signIn(new Request(DASH), "credentials", { ...ANN, redirect: false, redirectTo: "/dash" });
    expect([answer.status, await answer.json()]).toEqual([200, { url: DASH }]);
    const failed = signIn(new Request(DASH), "credentials", { ...ANN, password: "wrong" });
    const error: unknown = await failed.catch((thrown: unknown) => thrown);
    expect([isAuthError(error), error]).toEqual([true, expect.objectContaining({ type: "CredentialsSignin" })]);
  });

  it("spec 1.4, spec 4.2 auth, spec 4.2 signOut: server code has the operations without HTTP", async () => {
    const { signIn, auth, signOut } = createAuth(setUp().config);
    const begun = await signIn(new Request(DASH), "credentials", ANN);
    expect(await auth(new Request(DASH))).toBe(null);
    expect(await auth(pageRequest(begun))).toMatchObject({ user: { name: "ann" } });
    const ended = await signOut(pageRequest(begun), { redirectTo: "/bye" });
    expect([ended.status, ended.headers.get("location")]).toEqual([302, `${ORIGIN}/bye`]);
    expect(ended.headers.getSetCookie()).toContainEqual(expect.stringMatching(`^${COOKIE.session}=;.*Max-Age=0`));
    const told = await signOut(pageRequest(begun), { redirect: false, redirectTo: "/bye" });
    expect([told.status, await told.json()]).toEqual([200, { url: `${ORIGIN}/bye` }]);
  });

  it("spec 4.2 auth wraps a handler whose request carries the session", async () => {
    const c = await signedIn();
    const handler = createAuth(c.config).auth((request) => Response.json({ seen: request.auth }));
    expect(await (await handler(pageRequest(c))).json()).toMatchObject({ seen: { user: { name: "ann" } } });
    expect(await (await handler(new Request(DASH))).json()).toEqual({ seen: null });
  });

  it("spec 4.2 unstable_update changes the session from server code", async () => {
    const jwt = ({ token, trigger, session }: JWTCallbackParams) =>
      trigger === "update" ? { ...token, name: String(session) } : token;
    const c = await signedIn(setUp({ config: { callbacks: { jwt } } }));
    const { auth, unstable_update } = createAuth(c.config);
    const headers = new Headers();
    expect(await unstable_update(pageRequest(c), "Ann B.", headers)).toMatchObject({ user: { name: "Ann B." } });
    const updated = pageRequest(new Response(null, { headers }));
    expect(await auth(updated)).toMatchObject({ user: { name: "Ann B." } });
    expect(await unstable_update(new Request(DASH), "Unknown", new Headers())).toBe(null);
  });

  it("spec 4.2 handlers: GET and POST for a catch-all route", async () => {
    const c = setUp();
    const { GET, POST } = createAuth(c.config).handlers;
    const csrf = await GET(new Request(`${ORIGIN}${BASE}/csrf`));
    const { csrfToken }: { csrfToken: string } = await csrf.json();
    const cookie = pageRequest(csrf).headers.get("cookie") ?? "";
    const body = new URLSearchParams({ csrfToken, ...ANN });
    const url = `${ORIGIN}${BASE}/callback/credentials`;
    const answer = await POST(new Request(url, { method: "POST", headers: { cookie }, body }));
    const { headers } = pageRequest(answer);
    const session = await GET(new Request(`${ORIGIN}${BASE}/session`, { headers }));
    expect(await session.json()).toMatchObject({ user: { name: "ann" } });
  });
});
