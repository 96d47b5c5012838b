import { Auth, createAuth } from "@cardea/core";
import type { JWTCallbackParams } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import {
  AT_ONCE,
  BASE,
  type Case,
  COOKIE,
  cookieHeader,
  expectRefused,
  fastest,
  installClock,
  ORIGIN,
  setUp,
} from "../harness/harness.ts";

const SC = COOKIE.session;

/** A session that takes `bytes` more; of random text, which nothing compresses. */
function withClaim(bytes: () => number) {
  return { jwt: ({ token }: JWTCallbackParams) => ({ ...token, more: "x".repeat(bytes()) }) };
}

/** The session cookies that a browser holds, in the order of their names. */
function sessionCookies(c: Case): string[] {
  const names = c.browser.cookies.list().map(({ name }) => name);
  return names.filter((name) => name.startsWith(SC)).sort();
}

async function read(c: Case, cookie: string) {
  const answer = await c.send(`${BASE}/session`, { headers: { cookie } });
  const cleared = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, session: await answer.json(), cleared };
}

describe("cookie", () => {
  it("H048 every cookie of a whole visit is locked down", async () => {
    const c = setUp();
    await c.signInWithOp();
    await c.signIn();
    await c.post(`${BASE}/signout`);
    const lines = c.visits.flatMap(({ headers }) => headers.getSetCookie());
    const kinds = new Set(lines.map((line) => line.replace(/=.*/, "").replace(/(state)\..*/, "$1")));
    expect([...kinds].sort()).toEqual([...Object.values(COOKIE)].sort());
    for (const line of lines) {
      expect(line).toMatch(/^__Host-/);
      const attributes = line.split("; ").slice(1);
      expect(attributes).toEqual(expect.arrayContaining(["Secure", "Path=/", "SameSite=Lax"]));
      expect(attributes.includes("HttpOnly")).toBe(!line.startsWith(COOKIE.mark));
      expect(attributes.filter((attribute) => /^(domain|samesite=none|partitioned)/i.test(attribute))).toEqual([]);
    }
    expect(c.browser.cookies.refused).toEqual([]);
  });

  it("H048 form_post providers get SameSite=None on their transaction cookies, and only there", async () => {
    const c = setUp({ provider: { authorization: { params: { response_mode: "form_post" } } } });
    const answer = await c.post(`${BASE}/signin/op`);
    for (const line of answer.headers.getSetCookie()) {
      const isTransaction = /^__Host-cardea\.state/.test(line);
      expect(line).toContain(isTransaction ? "SameSite=None" : "SameSite=Lax");
      expect(line).toContain("Secure");
    }
  });

  it("H048 a cookie with a domain has the other prefix", async () => {
    const c = setUp({ config: { cookies: { sessionToken: { options: { domain: "example.com" } } } } });
    const answer = await c.signIn();
    const line = answer.headers.getSetCookie().find((one) => one.includes("session-token")) ?? "";
    expect(line).toMatch(/^__Secure-cardea\.session-token=.*; Domain=example\.com/);
    expect(c.browser.cookies.refused).toEqual([]);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it("H049 on http nothing is secure or prefixed, and the flow works", async () => {
    const c = setUp({ origin: "http://localhost:3000" });
    await c.signInWithOp("/dash");
    const lines = c.visits.flatMap(({ headers }) => headers.getSetCookie());
    expect(lines.filter((line) => /secure|^__/i.test(line))).toEqual([]);
    expect(await c.session()).toMatchObject({ user: {} });
    expect(c.browser.cookies.refused).toEqual([]);
  });

  it("H051 browsers keep a large session under a long name", async () => {
    const name = `__Host-${"n".repeat(393)}`;
    const c = setUp({ config: { cookies: { sessionToken: { name } }, callbacks: withClaim(() => 5_000) } });
    await c.signIn();
    for (const { headers } of c.visits) {
      for (const line of headers.getSetCookie()) expect(line.length).toBeLessThanOrEqual(4096);
    }
    expect(c.browser.cookies.refused).toEqual([]);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it.each([200_000, 40_000])("H052 refuses a session of %i bytes as a whole", async (bytes) => {
    const c = setUp({ config: { callbacks: withClaim(() => bytes) } });
    const answer = await c.signIn();
    expect(answer.redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=Configuration`);
    expectRefused(answer);
    expect(c.logs.filter(({ level }) => level === "error").map(({ text }) => text)).toEqual([
      expect.stringContaining("5 cookies"),
    ]);
  });

  it("H053 a flood of chunks is no session, and is not answered with a flood", async () => {
    const c = setUp();
    const cookie = Array.from({ length: 3000 }, (_, n) => `${SC}.${n}=x`).join("; ");
    const ask = () => c.send(`${BASE}/session`, { headers: { cookie } });
    const answer = await ask();
    expect(await answer.json()).toBe(null);
    expect(await fastest(ask)).toBeLessThan(AT_ONCE);
    expect(answer.headers.getSetCookie().length).toBeLessThanOrEqual(20);
  });

  it("H053 a flood of pending sign-ins is not answered with a flood", async () => {
    const c = setUp();
    await c.csrfToken();
    const flood = Array.from({ length: 1000 }, (_, n) => `${COOKIE.state}.t3abcd${String(n).padStart(8, "0")}=x`);
    const headers = { cookie: `${cookieHeader(c.browser)}; ${flood.join("; ")}` };
    const body = new URLSearchParams({ csrfToken: await c.csrfToken() });
    const answer = await c.send(`${BASE}/signin/op`, { method: "POST", headers, body });
    expect(answer.headers.get("location")).toMatch(/^https:\/\/op\.example\.com\/authorize\?/);
    expect(answer.headers.getSetCookie().length).toBeLessThanOrEqual(20);
  });

  it.each([`${SC}X=garbage`, `${SC}-foo=1`, `${SC}.x=1`, `${SC}.01=1`, `${SC}.-1=1`, `x${SC}=1`, `${SC}.1.0=1`])(
    "H054 the stray cookie %s changes nothing",
    async (stray) => {
      const c = setUp();
      await c.signIn();
      const { session, cleared } = await read(c, `${stray}; ${cookieHeader(c.browser)}`);
      expect([session, cleared]).toMatchObject([{ user: { name: "ann" } }, []]);
    },
  );

  it("H056 only a complete row of chunks is a session; another one is left alone", async () => {
    const c = setUp({ config: { callbacks: withClaim(() => 9_000) } });
    await c.signIn();
    expect(sessionCookies(c)).toEqual([`${SC}.0`, `${SC}.1`, `${SC}.2`, `${SC}.3`]);
    const [a, b, d, e] = sessionCookies(c).map((name) => `${name}=${c.browser.cookies.get(name)?.value}`);
    expect(await read(c, `${e}; ${b}; ${a}; ${d}`)).toMatchObject({ session: { user: { name: "ann" } }, cleared: [] });
    for (const set of [
      [a, d],
      [b, d, e],
      [a, b, d],
      [b, a, d, `${SC}.11=x`],
      [`${SC}.0=`, b, d, e],
    ]) {
      const { session, cleared } = await read(c, set.join("; "));
      expect(session).toBe(null);
      expect(cleared).toEqual([]);
    }
  });

  it("H058 a session that shrinks leaves no chunk behind, and one that grows no whole cookie", async () => {
    let bytes = 9_000;
    const c = setUp({ config: { session: { updateAge: 0 }, callbacks: withClaim(() => bytes) } });
    await c.signIn();
    expect(sessionCookies(c)).toHaveLength(4);
    bytes = 10;
    await c.session();
    expect(sessionCookies(c)).toEqual([SC]);
    bytes = 5_000;
    await c.session();
    expect(sessionCookies(c)).toEqual([`${SC}.0`, `${SC}.1`]);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
  });

  it.each(["%", "%E0%A4%A", '"x"', '"', "%00", "x".repeat(8192), "a b", "é", "=", "==;", "{}", ""])(
    "H060 a cookie of value %j is not a session",
    async (value) => {
      const c = setUp();
      const cookie = Object.values(COOKIE).map((name) => `${name}=${value}`);
      const state = `${COOKIE.state}.t3abcdAAAAAAAA=${value}`;
      const headers = { cookie: encodeLatin1(`${cookie.join("; ")}; ${state}`) };
      expect(await (await c.send(`${BASE}/session`, { headers })).json()).toBe(null);
      expect((await c.send(`${BASE}/csrf`, { headers })).headers.getSetCookie()).toHaveLength(1);
      for (const path of ["signin", "signout", "providers", "error"]) {
        expect((await c.send(`${BASE}/${path}`, { headers })).status).toBe(200);
      }
      expectRefused(await c.send(`${BASE}/callback/op?code=x&state=y`, { headers }));
      expectRefused(await c.send(`${BASE}/signout`, { method: "POST", headers }));
    },
  );

  it.each(["a b", "é", '"x"', "<script>", "a,b", "@", ""])(
    "H060 a pending sign-in named %j harms no one",
    async (name) => {
      const c = setUp();
      await c.csrfToken();
      const stray = Array.from({ length: 8 }, (_, n) => `${COOKIE.state}.${n}${name}=x`).join("; ");
      const headers = { cookie: encodeLatin1(`${cookieHeader(c.browser)}; ${stray}`) };
      const body = new URLSearchParams({ csrfToken: await c.csrfToken() });
      const answer = await c.send(`${BASE}/signin/op`, { method: "POST", headers, body });
      expect(answer.headers.get("location")).toMatch(/^https:\/\/op\.example\.com\/authorize\?/);
    },
  );

  it("H061 names of inherited members are names like any other", async () => {
    const c = setUp();
    await c.signIn();
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const cookie = `${names.map((name) => `${name}=${SC}`).join("; ")}; ${cookieHeader(c.browser)}`;
    expect((await read(c, cookie)).session).toMatchObject({ user: { name: "ann" } });
    expect((await read(c, names.map((name) => `${name}=x`).join("; "))).session).toBe(null);
    expect(Object.keys({}.constructor.prototype)).toEqual([]);
  });

  it("H063 refuses one name for two purposes, at the start", async () => {
    const { config, logs } = setUp({ mayFail: true });
    const shared = { ...config, cookies: { state: { name: SC } } };
    expect(() => createAuth(shared)).toThrow(/cookies\.state\.name.*cookies\.sessionToken/s);
    // On http the other one has no prefix.
    for (const name of ["cardea.session-token", "cardea.session-token.3"])
      expect(() => createAuth({ ...config, cookies: { csrfToken: { name } } })).toThrow(/cookies\.csrfToken\.name/);
    const answer = await Auth(new Request(`${ORIGIN}${BASE}/session`), shared);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
    expect(logs).toMatchObject([{ level: "error", text: expect.stringContaining("cookies.state.name") }]);
  });

  it.each([
    [15 * 60 + 14, true],
    [15 * 60 + 15, false],
    [15 * 60 + 16, false],
  ])("H065 a pending sign-in copied for %i s: accepted is %s", async (seconds, accepted) => {
    const clock = installClock();
    const c = setUp();
    const start = await c.post(`${BASE}/signin/op`);
    const lines = start.headers.getSetCookie().filter((line) => /state/.test(line));
    expect(lines).toHaveLength(1);
    for (const line of lines) expect(line).toContain("; Max-Age=900;");
    const copied = cookieHeader(c.browser);
    clock.advance({ seconds });
    expect(cookieHeader(c.browser)).not.toMatch(/state/);
    const back = await c.op.authorize(start.redirectsTo ?? "");
    const answer = await c.send(back.url.href, { headers: { cookie: copied } });
    if (accepted) expect(answer.headers.get("location")).toBe(ORIGIN);
    else expectRefused(answer);
  });
});

/** As bytes arrive: a header value is Latin-1 to the Fetch API, UTF-8 to who sent it. */
function encodeLatin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
