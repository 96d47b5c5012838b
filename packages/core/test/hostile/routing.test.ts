import { describe, expect, it } from "vitest";
import { BASE, type Case, COOKIE, cookieHeader, expectRefused, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";

const FORM = "application/x-www-form-urlencoded";
const ACTIONS = ["csrf", "providers", "session", "signin", "signin/op", "signout", "callback/op", "error"];
const ALLOWED: Readonly<Record<string, string>> = {
  csrf: "GET, HEAD",
  providers: "GET, HEAD",
  session: "GET, HEAD, POST",
  signin: "GET, HEAD, POST",
  "signin/op": "GET, HEAD, POST",
  signout: "GET, HEAD, POST",
  "callback/op": "GET, HEAD, POST",
  error: "GET, HEAD",
};

async function signedIn(): Promise<Case> {
  const c = setUp();
  await c.signIn();
  return c;
}

describe("routing", () => {
  it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "post", "PROPFIND"])(
    "H264 %s is no method of any action",
    async (method) => {
      const c = await signedIn();
      const headers = { cookie: cookieHeader(c.browser), "content-type": FORM };
      for (const action of ACTIONS) {
        // `Request` makes "post" upper case itself; it is POST then, and has no token.
        const answer = await c.send(`${BASE}/${action}`, { method, headers });
        if (method === "post" && ALLOWED[action]?.includes("POST") === true) continue;
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, ALLOWED[action]]);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    },
  );

  it("H264 POST is no method of what only reads", async () => {
    const c = setUp();
    for (const action of ["csrf", "providers", "error"]) {
      const answer = await c.post(`${BASE}/${action}`);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("H264 HEAD is GET without body and without effect", async () => {
    const c = setUp({ config: { session: { updateAge: 0 } } });
    await c.signIn();
    const start = await c.post(`${BASE}/signin/op`);
    const { url } = await c.op.authorize(start.redirectsTo ?? "");
    const before = cookieHeader(c.browser);
    for (const path of [...ACTIONS.map((action) => `${BASE}/${action}`), `${url.pathname}${url.search}`]) {
      const answer = await c.browser.navigate(path, { method: "HEAD" });
      expect([answer.status, await answer.clone().text(), answer.headers.getSetCookie()]).toEqual([200, "", []]);
    }
    expect(cookieHeader(c.browser)).toBe(before);
    expect(c.op.calls.token).toEqual([]);
    expect((await c.browser.navigate(url)).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it.each(["x-http-method-override", "x-http-method", "x-method-override"])(
    "H264 the header %s overrides nothing",
    async (name) => {
      const c = await signedIn();
      const token = await c.csrfToken();
      for (const path of [`signout?csrfToken=${token}`, `signin/op?csrfToken=${token}&_method=POST`]) {
        const answer = await c.browser.navigate(`${BASE}/${path}`, { headers: { [name]: "POST" } });
        expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
      }
      expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    },
  );

  it.each([
    "/api/authsession",
    "/api/authxsession",
    "/api/auth.session",
    "/api/auth%2Fsession",
    "/api/auth",
    "/api/auth/",
    "/api/authx/session",
    "/api",
    "/",
    "/session",
    "/API/AUTH/session",
  ])("H265 there is nothing at %s", async (path) => {
    expect((await setUp().send(path)).status).toBe(404);
  });

  it.each([
    ...[
      "/api/auth//session",
      "//api/auth/session",
      "/api//auth/session",
      "/api/auth/session//",
      "/api/auth/session;a=b",
    ],
    ...[
      "/api/auth/%73ession",
      "/api/auth/SESSION",
      "/api/auth/session%2f",
      "/api/auth/session%00",
      "/api/auth/session%20",
    ],
    ...[
      "/api/auth/session.",
      "/api/auth/session/x",
      "/api/auth%2fsession",
      "/%61pi/auth/session",
      "/api/auth/ses%73ion",
    ],
    ...[
      "/api/auth/signin/op/",
      "/api/auth/signin//op",
      "/api/auth/signin/op/extra",
      "/api/auth/csrf/op",
      "/api/auth/callback",
    ],
    ...["/api/auth/__proto__", "/api/auth/constructor", "/api/auth/toString", "/api/auth/hasOwnProperty/op"],
  ])("H266 %s is no second spelling", async (path) => {
    const c = await signedIn();
    const answer = await c.send(path, { headers: { cookie: cookieHeader(c.browser) } });
    if (path === "/api/auth/signin/op/") expect(answer.status).toBe(200);
    else if (path === "/api/auth/session%00") expect(answer.status).toBe(400);
    else expect([answer.status, await answer.clone().text()]).toEqual([404, "Not found."]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    "/api/auth/session/",
    "/api/auth/./session",
    "/api/auth/x/../session",
    "/api/auth/%2e/session",
    "\\api\\auth\\session",
  ])("H266 %s is the same path: the URL standard or contract 3 says so", async (path) => {
    const c = await signedIn();
    const answer = await c.send(path, { headers: { cookie: cookieHeader(c.browser) } });
    expect(await answer.json()).toMatchObject({ user: { name: "ann" } });
  });

  it("H266 a trailing slash does not go round the token", async () => {
    const c = await signedIn();
    expectRefused(await c.browser.navigate(`${BASE}/signout/`, { form: {} }));
  });

  it("H268 an odd first request changes nothing for the next", async () => {
    const c = setUp({ alsoTo: ["https://odd.example"] });
    for (const odd of [
      "//evil.example/api/auth/session",
      "/api/auth/../../x",
      "/api/auth/signin/..%2f",
      "/?x=/api/auth",
    ]) {
      await c.send(`${ORIGIN}${odd}`, { headers: { host: "odd.example", "x-forwarded-prefix": "/odd" } });
    }
    expect((await c.signIn()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(Object.isFrozen(c.config) && Object.isFrozen(c.config.providers[0])).toBe(true);
  });

  it.each(["csrfToken=GOOD&csrfToken=bad", "csrfToken=bad&csrfToken=GOOD", "csrfToken=GOOD&csrfToken=GOOD"])(
    "H271 refuses a form that names its token twice: %s",
    async (body) => {
      const c = await signedIn();
      const headers = { "content-type": FORM };
      const init = { method: "POST", headers, body: body.replaceAll("GOOD", await c.csrfToken()) };
      const answer = await c.browser.fetch(`${BASE}/signout`, init);
      expect(answer.status).toBe(400);
      expectRefused(answer);
    },
  );

  it.each(['{"csrfToken":"GOOD","csrfToken":"bad"}', '{"csrfToken":"bad","csrfToken":"GOOD"}'])(
    "H271 refuses JSON that names its token twice: %s",
    async (body) => {
      const c = await signedIn();
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body: body.replaceAll("GOOD", await c.csrfToken()) };
      const answer = await c.browser.fetch(`${BASE}/signout`, init);
      expect(answer.status).toBe(400);
      expectRefused(answer);
    },
  );

  it.each(["csrfToken[]", "csrfToken.x", "csrfToken[0]", "csrftoken", " csrfToken", "csrf%54oken"])(
    "H271 a field named %j is not the token",
    async (name) => {
      const c = await signedIn();
      expectRefused(await c.browser.navigate(`${BASE}/signout`, { form: { [name]: await c.csrfToken() } }));
    },
  );

  it.each(["null", "[]", '"x"', "1", "{", "\ufeff{}", '{"a":"\\ud800"}'])(
    "H272 refuses the JSON body %j",
    async (body) => {
      const c = await signedIn();
      for (const action of ["signin/op", "signout", "session", "callback/credentials"]) {
        const headers = { "content-type": "application/json" };
        const answer = await c.browser.fetch(`${BASE}/${action}`, { method: "POST", headers, body });
        expect(answer.status).toBe(400);
        expectRefused(answer);
      }
    },
  );

  it("H276 a form and JSON of the same meaning have the same result", async () => {
    const results = await Promise.all(
      (["form", "json"] as const).map(async (kind) => {
        const c = setUp();
        const send = async (action: string, fields: Record<string, string>) => {
          const all = { csrfToken: await c.csrfToken(), ...fields };
          const body = kind === "form" ? new URLSearchParams(all).toString() : JSON.stringify(all);
          const headers = { "content-type": kind === "form" ? FORM : "application/json" };
          const init = { method: "POST", headers, body, follow: "none" } as const;
          const answer = await c.browser.fetch(`${BASE}/${action}`, init);
          const location = answer.headers.get("location")?.replace(/(state|nonce|code_challenge)=[^&]+/g, "$1");
          const cookies = answer.headers.getSetCookie().map((line) => line.split("=")[0]?.replace(/\.t\w+$/, ""));
          return [answer.status, location, cookies.map((name) => name?.replace(/\.[\w-]{14,}$/, ""))];
        };
        return [
          await send("callback/credentials", { username: "ann", password: PASSWORD, callbackUrl: "/a" }),
          await send("session", { data: "x" }),
          await send("signin/op", { callbackUrl: "/b" }),
          await send("signout", { callbackUrl: "/c" }),
          await send("callback/credentials", { username: "ann", password: "wrong" }),
        ];
      }),
    );
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.map(([status]) => status)).toEqual([302, 200, 302, 302, 302]);
    expect(results[0]?.[0]?.[2]).toContain(COOKIE.session);
  });
});
