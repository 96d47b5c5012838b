import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import {
  BASE,
  type Case,
  COOKIE,
  expectRefused,
  ORIGIN,
  PASSWORD,
  recordOf,
  setUp,
  takePrinted,
} from "../harness/harness.ts";
import {
  attempt,
  begin,
  expectNoSignIn,
  expectSignedIn,
  OAUTH2,
  setUpWired,
  start,
} from "../harness/oauth-journeys.ts";
import type { LogRecord } from "../harness/records.ts";

const NOISE = "\r\n\u001b[31m[auth][error] FAKE\u2028\u2029\u0085\u0000";
const UNKNOWN = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "<script>alert(1)</script>",
  "x".repeat(10_000),
];

/** Records that are not about a step but about an outcome. */
function outcomes(logs: readonly LogRecord[]): string[] {
  return logs.filter(({ level }) => level !== "debug").map(({ level, text }) => `${level} ${text.split(":")[0]}`);
}

/** Asserts on every string that was logged in a case: the harness does so at its end, here it is said aloud. */
function expectOneLineEach(c: Case): void {
  for (const { text } of c.logs) expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
}

describe("error leakage", () => {
  it.each(["error", "signin"])(
    "H283 shows its default text on the %s page for a value that it does not know",
    async (page) => {
      const c = setUp();
      const texts = new Set<string>();
      for (const error of [...UNKNOWN, "Unheard-of"]) {
        const visit = await c.browser.navigate(`${BASE}/${page}?${new URLSearchParams({ error })}`);
        expect(visit.status).toBe(200);
        const text = await visit.text();
        expect(text).not.toContain(error);
        texts.add(text.replace(/nonce="[^"]*"|value="[0-9a-f]{64}"/g, ""));
      }
      expect(texts.size).toBe(1);
    },
  );

  it("H284 tells neither a visitor nor a program what is wrong with a configuration", async () => {
    const canary = "/srv/canary/path";
    const broken: object[] = [
      { providers: [{ id: "op", name: canary, type: canary }] },
      { providers: [{ id: "op", name: "x", type: "oidc", issuer: canary, clientId: "c", clientSecret: canary }] },
      { providers: [{ id: "c", name: "x", type: "credentials", credentials: {} }] },
      { secret: 5, basePath: canary },
      { session: { strategy: "database" } },
      { cookies: { state: { name: COOKIE.session }, sessionToken: { name: COOKIE.session } } },
    ];
    for (const config of broken) {
      const c = setUp({ config, mayFail: true });
      for (const path of ["session", "csrf", "providers", "signin", "error", "callback/op"]) {
        const visit = recordOf(await c.send(`${BASE}/${path}`));
        expect(visit.status).toBe(500);
        expect(visit.body).not.toMatch(/canary|providers|secret|cookie|at .*\.ts/i);
        expect(visit.headers.getSetCookie()).toEqual([]);
      }
      expect(takePrinted().join()).not.toContain(canary);
    }
  });

  it.each([["a provider whose issuer is down", { issuer: "https://down.example" }]])(
    "H284 shows OAuthSignin for %s, and the log says which",
    async (_, provider) => {
      const c = setUp({ provider });
      const visit = await start(c);
      expect(visit.redirectsTo).toContain(`${ORIGIN}${BASE}/signin?error=OAuthSignin`);
      expect(outcomes(recordOf(visit).logs)).toEqual([expect.stringMatching(/^error The sign-in with provider "op"/)]);
    },
  );

  it.each([
    ["without endpoints", { issuer: undefined }],
    ["that is not on the web", { issuer: "ftp://op.example.com" }],
  ])("H284 refuses a provider %s at startup, by name, and tells a client nothing", async (_, provider) => {
    const c = setUp({ provider, mayFail: true });
    expect(() => createAuth(c.config)).toThrow(/`providers\[0\]\.issuer` of provider "op"/);
    const visit = recordOf(await c.send(`${BASE}/signin`));
    expect([visit.status, visit.headers.getSetCookie()]).toEqual([500, []]);
    expect(visit.body).not.toMatch(/providers\[|issuer|op\.example/);
  });

  it("H285 writes one line for each thing a client or a provider says, with its controls escaped", async () => {
    const c = setUp();
    const noise = encodeURIComponent(NOISE);
    const agent = { "user-agent": "Mozilla [auth][error] FAKE" };
    await c.send(`${BASE}/signin/${noise}`, { headers: agent });
    await c.send(`${BASE}/callback/${noise}?code=${noise}&state=${noise}`, { headers: agent });
    await c.send(`${BASE}/signin?callbackUrl=${noise}&error=${noise}`);
    await c.post(`${BASE}/signin/op`, { callbackUrl: `/${NOISE}` });
    await c.signIn({ username: NOISE, password: NOISE });
    await attempt(c, { error: { error: NOISE, error_description: NOISE } });
    c.op.script = { token: { status: 400, body: { error: "invalid_grant", error_description: NOISE } } };
    await attempt(c);
    c.op.script = { token: { status: 500, raw: NOISE } };
    await attempt(c);
    c.op.script = { idToken: { claims: { set: { iss: NOISE } } } };
    await attempt(c);
    // The first two are refused for the control characters in their paths, before anything is logged.
    expect(c.logs.length).toBeGreaterThan(4);
    expectOneLineEach(c);
  });

  it("H285 keeps what is logged recognisable, whatever words a client sends as its cookies", async () => {
    const c = setUp();
    const cookie = ["InvalidCheck", "OAuthCallbackError", "warn", "provider"]
      .map((word) => `${word}=${word}`)
      .join("; ");
    const visit = recordOf(await c.send(`${BASE}/callback/op?code=x&state=InvalidCheck`, { headers: { cookie } }));
    expect(visit.logs.map(({ level, text }) => `${level} ${text.slice(0, 14)}`)).toEqual(["warn InvalidCheck: "]);
  });

  it("H287 logs no secret at any level in any flow, successful or not", async () => {
    for (const options of [{}, { provider: { idToken: false } }, OAUTH2]) {
      const c = setUp(options);
      await c.signIn();
      await c.signIn({ password: "wrong canary password" });
      await expectSignedIn(c, await attempt(c));
      await c.post(`${BASE}/session`, { data: "{}" });
      await c.post(`${BASE}/signout`);
      for (const endpoint of ["token", "userinfo", "jwks"] as const) {
        c.op.script = { [endpoint]: { status: 500, raw: "oops" } };
        await attempt(c);
      }
      c.op.script = { idToken: { claims: { append: { nonce: "1", iss: "1" } } } };
      await attempt(c);
    }
    // The harness has planted every secret of these flows and looks for them in logs, bodies and headers.
  });

  it("H287 does not log what a provider repeats of a request: code, verifier, secret, tokens", async () => {
    for (const status of [200, 400, 500]) {
      const c = setUpWired(async (honest, url, init) => {
        if (!url.endsWith("/token")) return honest(url, init);
        const said = `${init.body} ${Object.values(Object(init.headers)).join(" ")}`;
        const words = [said, ...new URLSearchParams(String(init.body)).values()].join(" | ");
        await honest(url, init);
        return Response.json({ error: words, error_description: words, error_uri: words, more: [words] }, { status });
      });
      await expectNoSignIn(c, await attempt(c));
    }
  });

  it("H287 does not log what the application's own functions throw of what they were given", async () => {
    const spill = (...given: unknown[]): never => {
      throw new Error(`given ${JSON.stringify(given)}`, { cause: { given } });
    };
    for (const hook of ["signIn", "jwt", "session", "redirect"] as const) {
      const c = setUp({ config: { callbacks: { [hook]: spill } }, mayFail: true });
      await attempt(c);
      await c.signIn();
      await c.session();
    }
    for (const provider of [
      { profile: spill },
      { idToken: false, userinfo: { request: spill } },
      { token: { conform: spill } },
    ]) {
      const c = setUp({ provider });
      await expectNoSignIn(c, await attempt(c));
    }
  });

  it("H287 does not log a code that comes to the wrong place", async () => {
    const c = setUp();
    const { url } = await c.op.authorize(await begin(c));
    for (const path of ["/callback/other", "/callback/credentials", "/signin/op", "/error", "/nowhere"]) {
      await c.send(`${BASE}${path}${url.search}`);
    }
    await c.send(`${BASE}/callback/op${url.search}`);
  });

  it("H290 leaves a trace of every attempt: who was signed in where, or why not", async () => {
    const c = setUp({ config: { callbacks: { signIn: ({ user }) => user.name !== "banned" } } });
    const trace: [string, unknown][] = [];
    const seen = (name: string, visit: Response) => {
      const { logs, events } = recordOf(visit);
      trace.push([name, [...outcomes(logs), ...events.map(({ message }) => Object(message).account.provider)]]);
    };
    seen("password", await c.signIn());
    seen("provider", await attempt(c));
    seen("wrong password", await c.signIn({ password: "wrong" }));
    seen("banned", await c.signIn({ username: "banned" }));
    seen("cancelled", await attempt(c, { error: { error: "access_denied" } }));
    seen("foreign answer", await attempt(c, { params: { replace: { state: "x" } } }));
    seen("bad answer", await attempt(c, { params: { add: { iss: "https://evil.example" } } }));
    expect(trace).toEqual([
      ["password", ["credentials"]],
      ["provider", ["op"]],
      ["wrong password", ["warn CredentialsSignin"]],
      ["banned", ["warn AccessDenied"]],
      ["cancelled", ["warn AccessDenied"]],
      ["foreign answer", ["warn InvalidCheck"]],
      ["bad answer", [expect.stringMatching(/^error The sign-in with provider "op" failed/)]],
    ]);
    for (const { level, text } of c.logs) if (level === "warn") expect(text).toMatch(/"provider":"(?:op|credentials)"/);
  });

  it("H290 leaves a trace of a form that another site sent", async () => {
    const c = setUp();
    const form = { csrfToken: await c.csrfToken(), username: "ann", password: PASSWORD };
    const visit = await c.browser.navigate(`${BASE}/callback/credentials`, { form, initiator: "https://evil.example" });
    expectRefused(visit);
    expect(outcomes(recordOf(visit).logs)).toEqual(["warn MissingCSRF"]);
  });
});
