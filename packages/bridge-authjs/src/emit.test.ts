// The shared session: what we write the real library reads, and the other way round.
import { type AuthConfig, createAuth } from "@cardea/core";
import { getToken } from "@cardea/core/jwt";
import { defineExtension, handleOf, type SessionFacts } from "@cardea/extend";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { decodeFormer, encodeFormer, NAMES, SECRET, type Version, versions } from "../test/former-tokens.ts";
import { bridge } from "./bridge.ts";

const ORIGIN = "https://app.example.com";
const base = { secret: SECRET, trustHost: true, logger: { warn: () => {} } } as const;
const password = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {} },
  authorize: ({ username }: Partial<Record<string, unknown>>) => ({
    id: `id of ${username}`,
    name: String(username),
    email: `${username}@example.com`,
  }),
} as const;

/** An application, and a browser that it has no session with. */
function setUp(version: Version, config: Partial<AuthConfig> = {}) {
  const seen: (SessionFacts | null)[] = [];
  const watching = defineExtension({
    id: "watching",
    async checkSession(session): Promise<"valid"> {
      seen.push(await session.facts());
      return "valid";
    },
  });
  const auth = createAuth({
    ...base,
    providers: [password],
    extensions: [bridge({ accept: [version], emit: version }), watching],
    ...config,
  });
  const browser = createBrowser(
    (request) => (request.method === "GET" ? auth.handlers.GET(request) : auth.handlers.POST(request)),
    { origin: ORIGIN },
  );
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } });
  };
  const signIn = (username: string) => post("/auth/callback/password", { username });
  const session = async () => (await browser.fetch("/auth/session")).json();
  const setToken = (token: string) => browser.cookies.set(`${NAMES[version]}=${token}; Secure; HttpOnly; Path=/`);
  return {
    auth,
    browser,
    post,
    signIn,
    session,
    setToken,
    seen,
    token: () => browser.cookies.get(NAMES[version])?.value ?? "",
  };
}

describe.each(versions)("a session shared with %s", (version) => {
  const name = NAMES[version];

  it("is written so that the other side reads it, and under its name alone", async () => {
    const app = setUp(version);
    await app.signIn("ann");
    expect(await decodeFormer(version, app.token())).toMatchObject({ sub: "id of ann", email: "ann@example.com" });
    expect(app.browser.cookies.list().filter((cookie) => cookie.name.includes("session-token"))).toHaveLength(1);
    expect((await app.session()).user.name).toBe("ann");
  });

  it("ends here when the other side clears its cookie, also where there is a cookie of ours", async () => {
    const before = setUp(version, { extensions: [] });
    await before.signIn("ann");
    const app = setUp(version);
    app.browser.cookies.restore(before.browser.cookies.snapshot());
    expect(await app.session()).toBeNull();
    // It would come back on the day the bridge is removed.
    expect(app.browser.cookies.get("__Host-cardea.session-token")).toBeUndefined();
  });

  it("is the other user's after a sign-in as another user on the other side", async () => {
    const app = setUp(version);
    await app.signIn("ann");
    app.setToken(await encodeFormer(version, { sub: "id of bo", name: "bo", email: "bo@example.com" }));
    expect((await app.session()).user.name).toBe("bo");
  });

  it("ends on the other side with a sign-out here", async () => {
    const app = setUp(version);
    app.setToken(await encodeFormer(version, { sub: "7", name: "ann" }));
    await app.post("/auth/signout");
    expect(app.browser.cookies.get(name)).toBeUndefined();
  });

  it("is not found under the name of the other scheme", async () => {
    const plain = name.slice("__Secure-".length);
    const token = await encodeFormer(version, { sub: "7", name: "eve" }, { salt: plain });
    const { auth } = setUp(version);
    expect(await auth.auth(new Request(ORIGIN, { headers: { cookie: `${plain}=${token}` } }))).toBeNull();
  });

  it("says an `expires` that never goes back, as the other side counts it from each read", async () => {
    const app = setUp(version, { session: { maxAge: 1000, updateAge: 500 } });
    app.setToken(await encodeFormer(version, { sub: "7", name: "ann" }, { maxAge: 600 }));
    const left = (Date.parse((await app.session()).expires) - Date.now()) / 1000;
    expect(Math.abs(left - 1000)).toBeLessThan(30);
  });

  it("is split over several cookies, which the other side joins", async () => {
    const app = setUp(version, { callbacks: { jwt: ({ token }) => ({ ...token, groups: "x".repeat(9000) }) } });
    await app.signIn("ann");
    const parts = app.browser.cookies.list().filter((cookie) => cookie.name.startsWith(`${name}.`));
    expect(parts.length).toBeGreaterThan(2);
    const token = parts.map(({ value }) => value).join("");
    expect(await decodeFormer(version, token)).toMatchObject({ groups: "x".repeat(9000) });
    expect((await app.session()).user.name).toBe("ann");
  });

  it("keeps its facts over what the other side writes, and has none where a client chose them", async () => {
    const app = setUp(version);
    await app.signIn("ann");
    await app.session();
    const [own] = app.seen;
    expect(own?.f).toEqual([["pwd", expect.any(Number)]]);
    // The other side seals the claims again, as its `jwt` callback returned them.
    const { iat: _iat, exp: _exp, jti: _jti, ...claims } = (await decodeFormer(version, app.token())) ?? {};
    expect(typeof claims.cardea).toBe("string");
    app.setToken(await encodeFormer(version, claims));
    await app.session();
    expect(app.seen.at(-1)).toEqual(own);
    for (const planted of [own, { ...own, f: [["otp", 1]] }, `${claims.cardea}A`, undefined]) {
      app.setToken(await encodeFormer(version, { ...claims, cardea: planted }));
      expect((await app.session()).user.name).toBe("ann");
      expect(app.seen.at(-1)).toBeNull();
    }
    app.setToken(await encodeFormer(version, { ...claims, sub: "id of bo" }));
    await app.session();
    expect(app.seen.at(-1)).toBeNull();
  });

  it("is what getToken() reads, and ours is not", async () => {
    const extensions = [bridge({ emit: version })];
    const before = setUp(version, { extensions: [] });
    await before.signIn("ann");
    const own = before.browser.cookies.get("__Host-cardea.session-token");
    const theirs = await encodeFormer(version, { sub: "7" });
    const tokenOf = (cookie: string) =>
      getToken({ req: new Request(ORIGIN, { headers: { cookie } }), secret: SECRET, extensions });
    const cookie = `__Host-cardea.session-token=${own?.value}`;
    expect(await tokenOf(cookie)).toBeNull();
    expect(await tokenOf(`${cookie}; ${name}=${theirs}`)).toMatchObject({ sub: "7" });
  });

  it("becomes ours after `until`, and signs no one out", async () => {
    const until = new Date(Date.now() - 60_000).toISOString();
    const app = setUp(version, { extensions: [bridge({ emit: version, until })], session: { updateAge: 0 } });
    app.setToken(await encodeFormer(version, { sub: "7", name: "ann" }));
    expect((await app.session()).user.name).toBe("ann");
    expect(app.token()).toBe("");
    expect(app.browser.cookies.get("__Host-cardea.session-token")).toBeDefined();
    expect((await app.session()).user.name).toBe("ann");
  });

  it("is refreshed by server code too", async () => {
    const app = setUp(version);
    await app.signIn("ann");
    expect(handleOf(app.auth, "bridge-authjs")).toBeDefined();
    const headers = new Headers();
    const cookie = `${name}=${app.token()}`;
    await app.auth.unstable_update(new Request(ORIGIN, { headers: { cookie } }), {}, headers);
    const written =
      headers
        .getSetCookie()
        .filter((line) => line.startsWith(`${name}=`))
        .at(-1) ?? "";
    expect(await decodeFormer(version, /=([^;]+)/.exec(written)?.[1] ?? "")).toMatchObject({ sub: "id of ann" });
  });
});

describe.each(versions)("a session in a database shared with %s", (version) => {
  it("is one row, found by the value of the other side's cookie", async () => {
    const { adapter } = createMemoryAdapter();
    const user = await adapter.createUser({ id: "", name: "ann", email: "ann@example.com", emailVerified: null });
    const expires = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_123);
    const sessionToken = crypto.randomUUID();
    await adapter.createSession({ sessionToken, userId: user.id, expires });
    const app = setUp(version, { adapter, providers: [], session: { maxAge: 60, updateAge: 30 } });
    app.setToken(sessionToken);
    // To the millisecond, as the other side says it.
    expect(await app.session()).toMatchObject({ user: { name: "ann" }, expires: expires.toISOString() });
    await app.post("/auth/signout");
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull();
    expect(app.token()).toBe("");
  });
});
