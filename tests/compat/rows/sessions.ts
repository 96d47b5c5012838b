import * as formerJwt from "@auth/core/jwt";
import { bridge } from "@cardea/bridge-authjs";
import { createMemoryAdapter } from "@cardea/testing";
import { expect } from "vitest";
import { type Library, type Observations, ORIGIN, oauth, password, SECRET, site } from "./library.ts";

const DAY = 86_400;
const user = { id: "", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };

/** A database with a user and a session, and an application that uses it. */
async function withDatabase(library: Library, given: object = {}, over: object = {}) {
  const { adapter } = createMemoryAdapter();
  const { id: userId } = await adapter.createUser(user);
  const expires = new Date(Date.now() + DAY * 1000);
  await adapter.createSession({ sessionToken: "token", userId, expires });
  const one = site(library, {
    adapter: { ...adapter, ...over },
    session: { strategy: "database" },
    providers: [],
    ...given,
  });
  one.browser.cookies.set(`${library.cookie("session-token")}=token; Path=/; Secure`);
  return one;
}

const tokenOf = (library: Library, claims: object, secret = SECRET) =>
  library.jwt.encode({ token: claims, secret, salt: library.cookie("session-token") });

export const SESSIONS: Observations = {
  "cookie-names": async (library) => {
    const one = site(library);
    await one.signIn();
    expect(one.names()).toContain("__Host-cardea.session-token");
  },
  "pending-cookies": async (library) => {
    const one = site(library, { providers: [oauth(library, {}, { checks: ["pkce", "state"] }).provider] });
    await one.post("signin/op");
    expect(one.names().filter((name) => !/csrf|callback/.test(name))).toEqual([expect.stringContaining(".state")]);
  },
  "session-user": async (library) => {
    const session = (given: { session: object }) => given.session;
    const one = await withDatabase(library, { callbacks: { session } });
    expect(await one.session()).toEqual({
      user: { name: "Ann", email: "ann@example.com", image: null },
      expires: expect.any(String),
    });
  },
  "session-empty": async (library) => {
    for (const given of [{}, { user: undefined }]) {
      const one = await withDatabase(library, { callbacks: { session: () => given } });
      expect(await (await one.browser.fetch("/auth/session")).json()).toBe(null);
    }
    const salt = library.cookie("session-token");
    const cookie = `${salt}=${await tokenOf(library, { name: "Ann", sub: "1" })}`;
    const one = site(library, { callbacks: { session: () => ({}) } });
    expect(await (await one.ask("session", { headers: { cookie } })).json()).toBe(null);
  },
  "session-cookie-size": async (library) => {
    const one = site(library, {
      callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, x: "x".repeat(30_000) }) },
    });
    expect((await one.signIn()).searchParams.get("error")).not.toBe(null);
    expect(one.names().filter((name) => name.includes("session-token"))).toEqual([]);
  },
  "session-renewal": async (library) => {
    const cookie = `${library.cookie("session-token")}=${await tokenOf(library, { name: "Ann", sub: "1" })}`;
    const answer = await site(library).ask("session", { headers: { cookie } });
    expect([await answer.json(), answer.headers.getSetCookie()]).toMatchObject([{ user: { name: "Ann" } }, []]);
  },
  "session-lifetime": async (library) => {
    const one = site(library, { session: { maxAge: 500 * DAY } });
    const csrfToken = await one.csrf();
    const body = new URLSearchParams({ csrfToken, username: "ann" });
    const headers = { cookie: one.cookieHeader() };
    const answer = await one.ask("callback/credentials", { method: "POST", body, headers });
    const line = answer.headers.getSetCookie().find((text) => text.includes("session-token=")) ?? "";
    const expires = (Date.parse(/expires=([^;]+)/i.exec(line)?.[1] ?? "") - Date.now()) / 1000;
    expect(Number(/max-age=(\d+)/i.exec(line)?.[1] ?? expires)).toBeLessThanOrEqual(400 * DAY);
  },
  "session-expires": async (library) => {
    const stored: Date[] = [];
    const updateSession = async ({ expires }: { expires?: Date }) => {
      stored.push(...(expires === undefined ? [] : [expires]));
      return null;
    };
    const one = await withDatabase(library, {}, { updateSession });
    await one.session();
    expect(stored.map((time) => time.getTime() % 1000)).toEqual([0]);
  },
  "session-unavailable": async (library) => {
    const getSessionAndUser = () => Promise.reject(new Error("unreachable"));
    const one = await withDatabase(library, {}, { getSessionAndUser });
    expect((await one.browser.fetch("/auth/session")).status).toBe(503);
    expect(one.names()).toContain(library.cookie("session-token"));
  },
  "session-unreadable": async (library) => {
    const name = library.cookie("session-token");
    const cookie = `${name}=${await tokenOf(library, { name: "Ann" }, `another ${SECRET}`)}`;
    const one = site(library);
    const answer = await one.ask("session", { headers: { cookie } });
    await one.ask("session", { headers: { cookie } });
    expect([await answer.json(), one.logged]).toEqual([
      null,
      [{ level: "warn", text: expect.stringMatching(/^other-secret: /) }],
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  },
  "jwt-null": async (library) => {
    const jwt = ({ token }: { token: { name?: string } }) => (token.name === "bo" ? null : token);
    const one = site(library, { callbacks: { jwt } });
    await one.signIn("ann");
    expect((await one.signIn("bo")).searchParams.get("error")).not.toBe(null);
    expect(await one.session()).toMatchObject({ user: { name: "ann" } });
  },
  "jwt-claims": async (library) => {
    const jwt = ({ token, session }: { token: object; session?: object }) => ({ ...token, ...session });
    const session = (given: { session: object; token: { sub?: string } }) => ({
      ...given.session,
      sub: given.token.sub,
    });
    const one = site(library, { callbacks: { jwt, session } });
    await one.signIn();
    const before = (await one.session()).sub;
    const body = JSON.stringify({ csrfToken: await one.csrf(), data: { sub: "other", more: "x" } });
    const headers = { "content-type": "application/json" };
    expect((await one.browser.fetch("/auth/session", { method: "POST", body, headers })).status).toBe(200);
    expect((await one.session()).sub).toBe(before);
  },
  "csrf-bound": async (library) => {
    const one = site(library);
    const csrfToken = await one.csrf();
    const visitor = one.browser.cookies.get(library.cookie("csrf-token"));
    await one.signIn();
    const name = library.cookie("session-token");
    const cookie = `${name}=${one.browser.cookies.get(name)?.value}; ${library.cookie("csrf-token")}=${visitor?.value}`;
    const init = { method: "POST", body: new URLSearchParams({ csrfToken }), headers: { cookie } };
    const answer = await one.ask("signout", init);
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith(name))).toEqual([]);
  },
  "csrf-status": async (library) => {
    const one = site(library);
    await one.signIn();
    const init = {
      method: "POST",
      body: JSON.stringify({ csrfToken: "x" }),
      headers: { "content-type": "application/json" },
    };
    const answer = await one.browser.fetch("/auth/session", init);
    expect([answer.status, await answer.json()]).toEqual([403, null]);
  },
  "get-token": async (library) => {
    const one = site(library);
    await one.signIn();
    const req = new Request(`${ORIGIN}/`, { headers: { cookie: one.cookieHeader() } });
    expect(await library.jwt.getToken({ req, secret: SECRET })).toMatchObject({ name: "ann" });
  },
  "get-token-checks": async (library) => {
    const name = library.cookie("session-token");
    const issuedUnder = { cardea: { sid: "0123456789abcdef", at: 1, e: 0, f: [], c: ["sessions"] } };
    const unverified = { unproven: { id: "7", email: "ann@example.com" } };
    for (const claims of [issuedUnder, unverified]) {
      const token = await library.jwt.encode({ token: { sub: "7", ...claims }, secret: SECRET, salt: name });
      const req = new Request(`${ORIGIN}/`, { headers: { cookie: `${name}=${token}` } });
      await expect(library.jwt.getToken({ req, secret: SECRET })).rejects.toMatchObject({ type: "SessionUnavailable" });
    }
  },
  "jwt-decode": async (library) => {
    const token = await library.jwt.encode({ token: { name: "Ann" }, secret: SECRET, salt: "one" });
    await expect(library.jwt.decode({ token, secret: SECRET, salt: "two" })).resolves.toBeNull();
    await expect(library.jwt.decode({ token: "x", secret: SECRET, salt: "one" })).resolves.toBeNull();
  },
  "get-token-former": async (library) => {
    const salt = "__Secure-authjs.session-token";
    const cookie = `${salt}=${await formerJwt.encode({ token: { sub: "7" }, secret: SECRET, salt })}`;
    const params = { req: new Request(`${ORIGIN}/`, { headers: { cookie } }), secret: SECRET, secureCookie: true };
    expect(await library.jwt.getToken(params)).toBe(null);
    const extensions = [bridge({ accept: ["authjs-v5"] })];
    expect(await library.jwt.getToken({ ...params, extensions })).toMatchObject({ sub: "7" });
  },
  "sign-out-event": async (library) => {
    const seen: unknown[] = [];
    const events = { signOut: (message: unknown) => void seen.push(message) };
    const one = await withDatabase(library, { events }, { deleteSession: async () => null });
    one.browser.cookies.set(`${library.cookie("session-token")}=unknown; Path=/; Secure`);
    await one.post("signout");
    expect(seen).toEqual([]);
  },
  "jwt-salt": async (library) => {
    const made = library.jwt.encode({ token: { sub: "7" }, secret: SECRET });
    await expect(made).resolves.toEqual(expect.any(String));
    const req = new Request(ORIGIN, { headers: { authorization: `Bearer ${await made}` } });
    expect(await library.jwt.getToken({ req, secret: SECRET })).toMatchObject({ sub: "7" });
  },
  "jwt-encode": async (library) => {
    const one = site(library, { jwt: { encode: () => 42, decode: () => null } });
    expect((await one.signIn()).searchParams.get("error")).toBe("Configuration");
  },
  "cookie-neighbours": async (library) => {
    const name = library.cookie("session-token");
    const cookie = `${name}.0=x; ${name}=${await tokenOf(library, { name: "Ann", sub: "1" })}`;
    const answer = await site(library, { providers: [password] }).ask("session", { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ user: { name: "Ann" } });
  },
};
