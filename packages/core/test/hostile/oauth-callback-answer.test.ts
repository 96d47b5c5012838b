import type { AuthorizeScript } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, type Case, COOKIE, recordOf, setUp } from "../harness/harness.ts";
import {
  attempt,
  begin,
  CALLBACK,
  calls,
  comeBack,
  expectAgain,
  expectLanding,
  expectNoSignIn,
  expectSignedIn,
  OAUTH2,
  pendingCookies,
  start,
} from "../harness/oauth-journeys.ts";

/** Refused, and the provider never heard of it. */
async function expectRefusedUnasked(c: Case, script: AuthorizeScript, error?: string): Promise<void> {
  await expectNoSignIn(c, await attempt(c, script), error);
  expect(calls(c).token).toBe(0);
}

describe("oauth callback: the authorization response", () => {
  it("H086 signs in through the provider and leaves nothing of the pending sign-in behind", async () => {
    const c = setUp();
    const visit = await attempt(c);
    await expectSignedIn(c, visit);
    expect(pendingCookies(c)).toEqual([]);
    expect(recordOf(visit).events.map(({ name }) => name)).toEqual(["signIn"]);
    expect(calls(c)).toEqual({ discovery: 1, token: 1, jwks: 1, userinfo: 0, other: 0 });
  });

  it("H087 signs no one in by a replayed callback with the original cookies, and asks for no token again", async () => {
    const c = setUp();
    c.op.script = { token: { skip: ["code"] } };
    const url = await begin(c);
    const cookies = c.browser.cookies.snapshot();
    const answer = await c.op.authorize(url);
    await expectSignedIn(c, await c.browser.navigate(answer.url));
    c.browser.cookies.restore(cookies);
    expectAgain(c, await c.browser.navigate(answer.url), url);
    expect([calls(c).token, await c.session()]).toEqual([1, null]);
    c.browser.cookies.restore(cookies);
    await expectNoSignIn(c, await c.browser.navigate(answer.url));
    expect(calls(c).token).toBe(1);
  });

  it("H087 leads on from a replayed callback in the browser that is signed in, and leaves its session", async () => {
    const c = setUp();
    const answer = await c.op.authorize(await begin(c));
    await c.browser.navigate(answer.url);
    const again = await c.browser.navigate(answer.url);
    await expectSignedIn(c, again);
    expect([recordOf(again).headers.getSetCookie(), recordOf(again).events]).toEqual([[], []]);
    expect(await c.session()).toMatchObject({ user: { name: "Ada Lovelace" } });
    expect(calls(c).token).toBe(1);
  });

  it.each(["state", "code", "iss", "session_state"])("H088 refuses a repeated %s", async (name) => {
    const c = setUp({ op: { responseIss: true } });
    const once = name === "session_state" ? { session_state: "x" } : {};
    const visit = await attempt(c, { params: { replace: once, add: { [name]: "EVIL" } } });
    expectLanding(visit, "OAuthCallbackError");
    expect([calls(c).token, await c.session()]).toEqual([0, null]);
  });

  it("H088 refuses a repeated state whichever comes first, and two that are the same", async () => {
    for (const evilFirst of [true, false]) {
      const c = setUp();
      const params = evilFirst ? { duplicate: { state: "EVIL" } } : { add: { state: "EVIL" } };
      expectLanding(await attempt(c, { params }), "OAuthCallbackError");
      expect(calls(c).token).toBe(0);
    }
    const c = setUp();
    const url = await begin(c);
    const state = url.searchParams.get("state") ?? "";
    expectLanding(await comeBack(c, url, { params: { add: { state } } }), "OAuthCallbackError");
    expect(calls(c).token).toBe(0);
  });

  it("H088 refuses a repeated error", async () => {
    await expectRefusedUnasked(setUp(), { error: { error: "server_error" }, params: { add: { error: "x" } } });
  });

  it.each(["https://evil.example", "https://op.example.com/", "https://op.example.com.evil.example", "x"])(
    "H089 refuses the issuer %s",
    async (iss) => {
      await expectRefusedUnasked(setUp(), { params: { add: { iss } } });
    },
  );

  it("H089 takes the provider's own issuer although it was not announced (RFC 9207 §2.4)", async () => {
    const c = setUp();
    await expectSignedIn(c, await attempt(c, { params: { add: { iss: c.op.issuer } } }));
  });

  it("H090 refuses an answer without the issuer that was announced", async () => {
    const c = setUp({ op: { responseIss: true } });
    await expectRefusedUnasked(c, { params: { remove: ["iss"] } });
    await expectNoSignIn(c, await attempt(c, { params: { replace: { iss: "" } } }));
    await expectSignedIn(c, await attempt(c));
  });

  it("H092 shows AccessDenied to a person who said no, and lets them begin again", async () => {
    const c = setUp();
    await expectRefusedUnasked(c, { error: { error: "access_denied" } }, "AccessDenied");
    await expectSignedIn(c, await attempt(c));
  });

  it("H092 shows AccessDenied for the provider's own words for it, and for those alone", async () => {
    const c = setUp({ provider: { cancelled: ["user_cancelled_login", "user_cancelled_authorize"] } });
    for (const error of ["user_cancelled_login", "user_cancelled_authorize", "access_denied"]) {
      await expectRefusedUnasked(c, { error: { error } }, "AccessDenied");
      expect(c.logs.filter(({ level }) => level === "error")).toEqual([]);
    }
    await expectRefusedUnasked(c, { error: { error: "user_cancelled" } });
    await expectRefusedUnasked(setUp(), { error: { error: "user_cancelled_login" } });
  });

  it("H092 ends a sign-in of which another was begun after it, and only that", async () => {
    const c = setUp();
    const first = await begin(c, "/first");
    const second = await begin(c, "/second");
    expectLanding(await comeBack(c, first, { error: { error: "access_denied" } }), "AccessDenied", "error");
    await expectSignedIn(c, await comeBack(c, second), "/second");
  });

  it.each(["login_required", "server_error", "", "__proto__", "<script>"])(
    "H092 shows OAuthCallbackError for the provider's error %o",
    async (error) => {
      await expectRefusedUnasked(setUp(), { error: { error } });
    },
  );

  it("H094 does not redeem a code that comes with an error", async () => {
    await expectRefusedUnasked(setUp(), { params: { add: { error: "x" } } });
  });

  it("H095 keeps the provider's words out of page and location, and logs them on one bounded line", async () => {
    const c = setUp();
    const fake = `\u001b[31mX\n[auth][error] FAKE\u2028${"<script>".repeat(1250)}`;
    const script = { error: { error: "server_error", error_description: fake, error_uri: "https://evil.example" } };
    const visit = await attempt(c, script);
    await expectNoSignIn(c, visit);
    const page = await c.browser.navigate(visit.redirectsTo ?? "");
    expect(await page.text()).not.toMatch(/FAKE|evil\.example|&lt;script/);
    const { logs } = recordOf(visit);
    expect(logs.map(({ level }) => level)).toEqual(["error"]);
    const description = Object(Object(logs[0]?.values[0]).cause).description;
    expect(description).toMatch(/^\\u001b\[31mX\\n\[auth\]\[error\] FAKE\\u2028<script>/);
    expect(description.length).toBeLessThanOrEqual(1025);
  });

  it.each([
    ["missing", { remove: ["code"] }],
    ["empty", { replace: { code: "" } }],
    ["of 100 kB", { replace: { code: "c".repeat(100_000) } }],
    ["with NUL", { replace: { code: "a\u0000b" } }],
    ["with a line break", { replace: { code: "a\r\nX-Evil: 1" } }],
    ["beyond ASCII", { replace: { code: "ü" } }],
  ])("H097 refuses a code that is %s", async (_, params) => {
    await expectRefusedUnasked(setUp(), { params });
  });

  it("H098 refuses an answer by the mode that was not asked for, and keeps the sign-in for the right one", async () => {
    const query = setUp();
    const url = await begin(query);
    const { searchParams } = (await query.op.authorize(url)).url;
    const posted = await query.browser.navigate(CALLBACK, { form: searchParams, initiator: query.op.issuer });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
    await expectSignedIn(query, await comeBack(query, url));

    const post = setUp(FORM_POST);
    const answer = await post.op.authorize(await begin(post));
    const got = await post.browser.navigate(`${CALLBACK}?${answer.form}`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    expect([calls(query).token, calls(post).token]).toEqual([1, 0]);
  });

  it.each([
    ["in `params`", FORM_POST],
    ["in the URL", { provider: { authorization: "https://op.example.com/authorize?response_mode=form_post" } }],
  ])("H099 signs in by form_post %s: the cookie of the sign-in survives the cross-site POST", async (_, given) => {
    const c = setUp(given);
    const begun = await start(c);
    const set = begun.headers.getSetCookie().filter((line) => line.includes("Max-Age=900"));
    expect(set.map((line) => line.split(".")[1])).toEqual(["state"]);
    for (const line of set) expect(line).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    await expectSignedIn(c, await comeBack(c, new URL(begun.redirectsTo ?? "")));
    expect(c.browser.cookies.get(COOKIE.session)).toMatchObject({ sameSite: "lax" });
    expect(pendingCookies(c)).toEqual([]);
  });

  it.each(["op", OAUTH2] as const)("H101 takes no reserved parameter from the sign-in request", async (kind) => {
    const c = setUp(kind === "op" ? {} : kind);
    const evil = {
      redirect_uri: "https://evil.example",
      client_id: "evil",
      response_type: "token",
      state: "x",
      nonce: "x",
      code_challenge: "x",
      code_challenge_method: "plain",
      response_mode: "fragment",
      request_uri: "https://evil.example",
      request: "x",
    };
    const wanted = { prompt: "login", login_hint: "ada@example.com", scope: "openid admin" };
    const visit = await c.post(`${BASE}/signin/op?${new URLSearchParams({ ...evil, ...wanted })}`);
    const url = new URL(visit.redirectsTo ?? "");
    expect(`${url.origin}${url.pathname}`).toBe("https://op.example.com/authorize");
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      ...wanted,
      scope: "openid profile email admin",
      redirect_uri: CALLBACK,
      client_id: "cid",
      response_type: "code",
    });
    expect(query.code_challenge).toMatch(/^[\w-]{43}$/);
    expect([query.code_challenge_method, query.response_mode, query.request, query.request_uri]).toEqual([
      "S256",
      undefined,
      undefined,
      undefined,
    ]);
    expect([query.state, query.nonce]).not.toContain("x");
    for (const name of url.searchParams.keys()) expect(url.searchParams.getAll(name)).toHaveLength(1);
    await expectSignedIn(c, await comeBack(c, url), "/");
  });

  it("H101 keeps the sign-in's return URL out of the authorization request", async () => {
    const c = setUp();
    const visit = await c.post(`${BASE}/signin/op?callbackUrl=/dash&callbackUrl=https://evil.example`);
    expect(new URL(visit.redirectsTo ?? "").searchParams.has("callbackUrl")).toBe(false);
    await expectSignedIn(c, await comeBack(c, new URL(visit.redirectsTo ?? "")));
  });
});

const FORM_POST = { provider: { authorization: { params: { response_mode: "form_post" } } } } as const;
