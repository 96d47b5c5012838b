/** Hostile providers beyond the Foundation's certification modules (safety section 5.5). */

import type { Account } from "@cardea/core/types";
import type { IdTokenScript, JsonObject, ScriptedProviderOptions } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, installClock, ORIGIN, setUp } from "../harness/harness.ts";
import {
  attempt,
  calls,
  expectAcceptedToken,
  expectLanding,
  expectNoSignIn,
  expectRefusedToken,
  expectSignedIn,
  OAUTH2,
  pendingCookies,
} from "../harness/oauth-journeys.ts";

const USERINFO = { provider: { idToken: false } } as const;
const JWT_TYPE = { "content-type": "application/jwt" };
const SIGNED = { metadata: { set: { userinfo_signing_alg_values_supported: ["RS256"] } } } as const;

/** Userinfo as a JWT signed with the provider's own key. */
async function signedUserinfo(c: Case, changes: JsonObject = {}): Promise<string> {
  const claims = { sub: "user-subject-1815", name: "Ada", iss: c.op.issuer, aud: c.op.clientId, ...changes };
  return c.op.keys.sign(claims);
}

describe("extended hostile providers", () => {
  it("X01 refuses an ID token without audience", async () => {
    await expectRefusedToken({ claims: { remove: ["aud"] } });
  });

  it.each<[string, ScriptedProviderOptions, IdTokenScript]>([
    ["a broken ES256 signature", { signatureAlgorithm: "ES256" }, { sign: "xor5a" }],
    ["ES256 where RS256 is announced", {}, { sign: { alg: "ES256" } }],
    ["HS256 with the client secret", {}, { sign: "hmac-with-secret" }],
  ])("X02 refuses %s", async (_, op, idToken) => {
    await expectRefusedToken(idToken, setUp({ op }));
  });

  it("X02 takes HS256 with the client's secret where the client registered for it, and then nothing else", async () => {
    const registered = () => setUp({ provider: { client: { id_token_signed_response_alg: "HS256" } } });
    await expectAcceptedToken({ sign: "hmac-with-secret" }, registered());
    for (const sign of ["hmac-with-public-key-pem", "hmac-with-public-key-jwk", "ok", "none", "stripped"] as const) {
      await expectRefusedToken({ sign }, registered());
    }
  });

  it("X03 takes signed userinfo when its signature, issuer and audience are right", async () => {
    const c = setUp(USERINFO);
    c.op.script = { ...SIGNED, userinfo: { signed: true } };
    await expectSignedIn(c, await attempt(c));
  });

  it("X03 refuses signed userinfo of an algorithm that no one announced", async () => {
    const c = setUp(USERINFO);
    c.op.script = { userinfo: { signed: true } };
    await expectNoSignIn(c, await attempt(c));
  });

  it.each<[string, (c: Case) => Promise<string>]>([
    ["whose payload was changed", async (c) => tamper(await signedUserinfo(c))],
    ["whose signature was cut off", async (c) => (await signedUserinfo(c)).replace(/[^.]+$/, "")],
    ["of another issuer", (c) => signedUserinfo(c, { iss: "https://evil.example" })],
    ["for another client", (c) => signedUserinfo(c, { aud: "other" })],
    ["of another subject", (c) => signedUserinfo(c, { sub: "evil" })],
    ["with alg none", async (c) => `${segment({ alg: "none" })}.${(await signedUserinfo(c)).split(".")[1]}.`],
  ])("X03 refuses signed userinfo %s", async (_, make) => {
    const c = setUp(USERINFO);
    c.op.script = { ...SIGNED, userinfo: { raw: await make(c), headers: JWT_TYPE } };
    await expectNoSignIn(c, await attempt(c));
    expect(calls(c).userinfo).toBe(1);
  });

  it("X03 takes no JWT for the userinfo of an OAuth 2 provider, which nothing says how to check", async () => {
    const c = setUp(OAUTH2);
    c.op.script = { userinfo: { raw: `${segment({ alg: "none" })}.${segment({ id: 1 })}.`, headers: JWT_TYPE } };
    await expectNoSignIn(c, await attempt(c));
  });

  it("X04 sends the access token in the header, not in body or query", async () => {
    const c = setUp(USERINFO);
    await expectSignedIn(c, await attempt(c));
    expect(c.op.calls.userinfo[0]).toMatchObject({ method: "GET", body: "", url: "https://op.example.com/userinfo" });
    const body = setUp(USERINFO);
    body.op.script = { userinfo: { transport: "body" } };
    await expectNoSignIn(body, await attempt(body));
  });

  it("X05 fetches no aggregated or distributed claims", async () => {
    const claims = {
      _claim_names: { address: "src1", email: "src2" },
      _claim_sources: {
        src1: { JWT: "eyJhbGciOiJub25lIn0.e30." },
        src2: { endpoint: "https://op.example.com/claims", access_token: "canary-distributed-token" },
      },
    };
    const c = setUp(USERINFO);
    c.plant("canary-distributed-token");
    c.op.script = { idToken: { claims: { set: claims } }, userinfo: { patch: { set: claims, remove: ["email"] } } };
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).other).toBe(0);
  });

  it("X07 starts no sign-in because a third party's link says so", async () => {
    const c = setUp();
    for (const iss of [c.op.issuer, "https://evil.example"]) {
      const query = new URLSearchParams({ iss, login_hint: "ada", target_link_uri: "https://evil.example" });
      const visit = await c.browser.navigate(`${BASE}/signin/op?${query}`, { initiator: "https://evil.example" });
      expect([visit.status, visit.redirectsTo]).toEqual([200, undefined]);
      expect(await visit.text()).not.toContain("evil.example");
    }
    expect([pendingCookies(c), calls(c).discovery]).toEqual([[], 0]);
  });

  it("X09 refuses an ID token of last week, though it still lasts", async () => {
    await expectRefusedToken({ claims: { shift: { iat: -7 * 24 * 60 * 60 } } });
  });

  it("X11 takes an audience that is a list of one", async () => {
    await expectAcceptedToken({ claims: { set: { aud: ["cid"] } } });
  });

  it("X12 refuses alg none and an algorithm that fits the key but was not announced", async () => {
    await expectRefusedToken({ sign: "none" });
    for (const alg of ["PS256", "RS512"] as const) await expectRefusedToken({ sign: { alg } });
  });

  it("X14 refuses a response whose state is wrong or missing", async () => {
    for (const params of [{ replace: { state: "wrong" } }, { remove: ["state"] }]) {
      const c = setUp();
      expectLanding(await attempt(c, { params }), "OAuthCallbackError");
      expect(calls(c).token).toBe(0);
    }
  });

  it("X15 takes a token type in any case, no lifetime and no scope; then the account has no expiry", async () => {
    const accounts: (Account | null)[] = [];
    const signIn = ({ account }: { account: Account | null }) => accounts.push(account) > 0;
    for (const options of [{}, OAUTH2]) {
      const c = setUp({ ...options, config: { callbacks: { signIn } } });
      c.op.script = { token: { patch: { set: { token_type: "bEaReR" }, remove: ["expires_in", "scope"] } } };
      await expectSignedIn(c, await attempt(c));
    }
    for (const account of accounts) {
      expect(account?.token_type).toBe("bearer");
      expect(account).not.toHaveProperty("expires_at");
      expect(account).not.toHaveProperty("scope");
    }
  });

  it.each([0, "0"])("X15 takes the lifetime %j for an unlimited one, as Auth.js does", async (expires_in) => {
    for (const options of [{}, OAUTH2]) {
      const app = setUpDatabase(options);
      app.op.script = { token: { patch: { set: { expires_in } } } };
      await app.signInWithOp();
      expect(app.memory.snapshot().accounts).toHaveLength(1);
      expect(app.memory.snapshot().accounts[0]).not.toHaveProperty("expires_at");
    }
  });

  it("X15 computes the expiry from a lifetime that is text, and takes an answer without token type as bearer (OAuth 2)", async () => {
    const accounts: (Account | null)[] = [];
    const signIn = ({ account }: { account: Account | null }) => accounts.push(account) > 0;
    const c = setUp({ ...OAUTH2, config: { callbacks: { signIn } } });
    c.op.script = { token: { patch: { set: { expires_in: "3600" }, remove: ["token_type"] } } };
    const before = Math.floor(Date.now() / 1000);
    await expectSignedIn(c, await attempt(c));
    expect(accounts[0]?.token_type).toBe("bearer");
    expect(accounts[0]?.expires_at).toBeGreaterThanOrEqual(before + 3600);
  });

  it("X15 stores times and text only, whatever a token response contains", async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        1e308,
        -1,
        0,
        1.5,
        9e15,
        "soon",
        "1e9",
        "1893456000",
        "1893456000000",
        1893456000,
        {},
        [1893456000],
        true,
      ),
    );
    const response = fc.record({ expires_at: odd, session_state: odd, expires_in: odd }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(response, fc.boolean(), async (set, isOAuth2) => {
        const c = setUpDatabase(isOAuth2 ? OAUTH2 : {});
        c.op.script = { token: { patch: { set: assumeJson(set), remove: "expires_in" in set ? [] : ["expires_in"] } } };
        await c.signInWithOp();
        for (const { expires_at, session_state } of c.memory.snapshot().accounts) {
          const isTime = Number.isSafeInteger(expires_at) && Number(expires_at) >= 0 && Number(expires_at) < 2 ** 31;
          expect(expires_at === undefined || isTime, JSON.stringify(expires_at)).toBe(true);
          expect(["string", "undefined"]).toContain(typeof session_state);
        }
        await c.end();
      }),
      { numRuns: 60 },
    );
  });

  it("X15 takes the time that a server sends instead of a lifetime, as a number or as text", async () => {
    for (const expires_at of [1893456000, "1893456000"]) {
      const c = setUpDatabase();
      c.op.script = { token: { patch: { set: { expires_at }, remove: ["expires_in"] } } };
      await c.signInWithOp();
      expect(c.memory.snapshot().accounts).toMatchObject([{ expires_at: 1893456000 }]);
    }
  });

  it.each(["RSA-OAEP", "RSA1_5", "dir"])("X16 refuses an ID token encrypted with %s", async (alg) => {
    const header = segment({ alg, enc: "A256GCM", cty: "JWT" });
    await expectRefusedToken({ replaceWith: `${header}.a2V5.aXY.Y2lwaGVydGV4dA.dGFn` });
  });

  it("X18 refuses an ID token without auth_time, or with an old one, where max_age was asked for", async () => {
    const asks = () => setUp({ provider: { authorization: { params: { max_age: 600 } } } });
    await expectAcceptedToken({}, asks());
    await expectAcceptedToken({ claims: { shift: { auth_time: -600 } } }, asks());
    await expectRefusedToken({ claims: { shift: { auth_time: -700 } } }, asks());
    await expectRefusedToken({ claims: { remove: ["auth_time"] } }, asks());
    await expectRefusedToken({ claims: { set: { auth_time: "now" } } }, asks());
    await expectAcceptedToken({ claims: { set: { auth_time: 1 } } });
  });

  it("X18 holds the provider to a max_age that came with the sign-in request, however long the person takes", async () => {
    const clock = installClock();
    for (const [shift, error] of [
      [0, null],
      [-61, "OAuthCallbackError"],
    ] as const) {
      const c = setUp();
      const url = new URL((await c.post(`${BASE}/signin/op?max_age=0`)).redirectsTo ?? "");
      const answer = await c.op.authorize(url);
      clock.advance({ seconds: 59 });
      c.op.script = { idToken: { claims: { shift: { auth_time: shift } } } };
      const visit = await c.browser.navigate(answer.url);
      if (error === null) await expectSignedIn(c, visit, "/");
      else await expectNoSignIn(c, visit, error);
    }
  });

  it.each(["javascript:alert(1)", "http://op.example.com/logout", "https://evil.example/logout"])(
    "X22 does not go to the end_session_endpoint %s",
    async (end_session_endpoint) => {
      const c = setUp();
      c.op.script = { metadata: { set: { end_session_endpoint } } };
      await expectSignedIn(c, await attempt(c));
      const visit = await c.post(`${BASE}/signout`);
      expect(visit.redirectsTo).toBe(`${ORIGIN}/`);
      expect(calls(c).other).toBe(0);
    },
  );
});

function segment(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function tamper(jwt: string): string {
  const [header, payload = "", signature] = jwt.split(".");
  const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
  const changed = Buffer.from(JSON.stringify({ ...Object(claims), name: "Mallory" })).toString("base64url");
  return `${header}.${changed}.${signature}`;
}

/** A cast: the values are JSON. */
const assumeJson = (value: object): JsonObject => value as JsonObject;
