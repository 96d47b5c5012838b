import type { Account } from "@cardea/core/types";
import type { EndpointScript } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type Case, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  attempt,
  begin,
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

/** The sign-in was not begun: no redirect to the provider, no cookies of a pending sign-in. */
async function expectNotBegun(c: Case): Promise<void> {
  const visit = await start(c);
  expect(visit.redirectsTo).toBe(
    `${ORIGIN}/api/auth/signin?error=OAuthSignin&callbackUrl=${encodeURIComponent(`${ORIGIN}/dash`)}`,
  );
  expect(pendingCookies(c)).toEqual([]);
  expect(recordOf(visit).logs.map(({ level }) => level)).toEqual(["error"]);
}

describe("oauth callback: endpoints", () => {
  it.each([
    ["authorization_endpoint", "javascript:alert(1)"],
    ["authorization_endpoint", "http://op.example.com/authorize"],
    ["authorization_endpoint", "//evil.example/authorize"],
    ["authorization_endpoint", "data:text/html,x"],
    ["authorization_endpoint", 7],
    ["token_endpoint", "http://op.example.com/token"],
    ["token_endpoint", "http://localhost.evil.example/token"],
    ["userinfo_endpoint", "http://op.example.com/userinfo"],
    ["jwks_uri", "http://op.example.com/jwks"],
    ["jwks_uri", "ftp://op.example.com/jwks"],
  ])("H103 refuses the %s %s", async (name, url) => {
    const c = setUp();
    c.op.script = { metadata: { set: { [name]: url } } };
    await expectNotBegun(c);
    expect(calls(c)).toMatchObject({ token: 0, jwks: 0, userinfo: 0, other: 0 });
  });

  it("H103 recovers as soon as the metadata are right: nothing of the bad ones is kept", async () => {
    const c = setUp();
    c.op.script = { metadata: { set: { token_endpoint: "http://op.example.com/token" } } };
    await expectNotBegun(c);
    c.op.script = {};
    await expectSignedIn(c, await attempt(c));
  });

  it.each<[string, EndpointScript]>([
    ["200 with an error", { body: { error: "invalid_grant" } }],
    ["200 with an error beside the tokens", { patch: { set: { error: "invalid_grant" } } }],
    ["400 with an error", { status: 400, body: { error: "invalid_grant", error_description: "no" } }],
    ["400 with the tokens", { status: 400 }],
    ["401 with a challenge", { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } }],
    ["500 in plain text", { status: 500, raw: "oops", headers: { "content-type": "text/plain" } }],
    ["500 with the tokens", { status: 500 }],
    ["200 with HTML", { raw: "<h1>Sign in</h1>", headers: { "content-type": "text/html" } }],
    ["201 with the tokens", { status: 201 }],
    ["204", { status: 204 }],
    ["truncated JSON", { truncate: 20 }],
    ["null", { body: null }],
    ["a list", { body: [] }],
    ["a string", { body: "x" }],
    ["no access token", { patch: { remove: ["access_token"] } }],
    ["an empty access token", { patch: { set: { access_token: "" } } }],
    ["an access token that is an object", { patch: { set: { access_token: {} } } }],
    ["an unknown token type", { patch: { set: { token_type: "mac" } } }],
    ["a scope that is a list", { patch: { set: { scope: ["openid"] } } }],
    ["a refresh token that is an object", { patch: { set: { refresh_token: {} } } }],
  ])("H104 refuses what the token endpoint answers: %s", async (_, token) => {
    for (const options of [{}, OAUTH2]) {
      const c = setUp(options);
      c.op.script = { token };
      const sent = await begin(c);
      let visit = await comeBack(c, sent);
      const isRefusedCode = JSON.stringify(token).includes("invalid_grant");
      // Another process may have used the code: once, the sign-in begins again.
      if (isRefusedCode) visit = await comeBack(c, expectAgain(c, visit, sent));
      await expectNoSignIn(c, visit);
      expect(calls(c)).toMatchObject({ token: isRefusedCode ? 2 : 1, userinfo: 0 });
    }
  });

  it("H106 takes who the account belongs to from the profile alone", async () => {
    const accounts: unknown[] = [];
    const evil = { provider: "evil", userId: "admin", type: "credentials", providerAccountId: "admin", id: "admin" };
    for (const options of [{}, OAUTH2]) {
      const c = setUp({
        ...options,
        provider: { ...options.provider, account: (tokens) => tokens },
        config: {
          callbacks: {
            signIn: ({ account }) => {
              accounts.push(account);
              return true;
            },
          },
        },
      });
      c.op.script = { token: { patch: { set: evil } } };
      await expectSignedIn(c, await attempt(c));
    }
    expect(accounts).toEqual([
      expect.objectContaining({ provider: "op", type: "oidc", providerAccountId: "user-subject-1815" }),
      expect.objectContaining({ provider: "op", type: "oauth", providerAccountId: "1815" }),
    ]);
    for (const account of accounts) {
      expect(account).not.toHaveProperty("userId");
      expect(account).not.toHaveProperty("id");
    }
  });

  it.each<[string, EndpointScript]>([
    ["401", { status: 401, body: { message: "Bad credentials" } }],
    ["403", { status: 403, body: { message: "Forbidden" } }],
    ["500", { status: 500, body: { message: "Server Error" } }],
    ["500 with the profile", { status: 500 }],
    ["201 with the profile", { status: 201 }],
    ["204", { status: 204 }],
  ])("H108 refuses userinfo that answers %s", async (_, userinfo) => {
    await expectUserinfoRefused(userinfo);
  });

  it.each<[string, EndpointScript]>([
    ["an error", { body: { error: "invalid_token" } }],
    ["a list", { body: [] }],
    ["a list with a profile", { body: [{ id: 1, sub: "user-subject-1815" }] }],
    ["null", { body: null }],
    ["a number", { body: 42 }],
    ["true", { body: true }],
  ])("H109 refuses userinfo that is %s", async (_, userinfo) => {
    await expectUserinfoRefused(userinfo);
  });

  it("H110 refuses userinfo that is a string", async () => {
    await expectUserinfoRefused({ body: "x" });
  });

  it.each<[string, EndpointScript]>([
    ["missing", { patch: { remove: ["id", "sub"] } }],
    ["empty", { patch: { set: { id: "", sub: "" } } }],
    ["an object", { patch: { set: { id: {}, sub: {} } } }],
    ["a list", { patch: { set: { id: ["1"], sub: ["1"] } } }],
    ["null", { patch: { set: { id: null, sub: null } } }],
    ["true", { patch: { set: { id: true, sub: true } } }],
  ])("H111 refuses a profile whose id is %s, and never makes one up", async (_, userinfo) => {
    await expectUserinfoRefused(userinfo);
  });

  it("H111 takes a number for an id, zero included, as text", async () => {
    const ids: (string | undefined)[] = [];
    const signIn = ({ account }: { account: Account | null }) => {
      ids.push(account?.providerAccountId);
      return true;
    };
    const c = setUp({ ...OAUTH2, config: { callbacks: { signIn } } });
    for (const id of [0, 1815]) {
      c.op.script = { userinfo: { patch: { set: { id } } } };
      await expectSignedIn(c, await attempt(c));
    }
    expect(ids).toEqual(["0", "1815"]);
  });
});

/** Both kinds of provider that ask userinfo refuse it. */
async function expectUserinfoRefused(userinfo: EndpointScript): Promise<void> {
  for (const options of [{ provider: { idToken: false } }, OAUTH2]) {
    const c = setUp(options);
    c.op.script = { userinfo };
    await expectNoSignIn(c, await attempt(c));
    expect(calls(c)).toMatchObject({ token: 1, userinfo: 1 });
  }
}

describe("oauth callback: redirects and mix-ups", () => {
  it.each(["discovery", "jwks", "token", "userinfo"] as const)("H118 follows no redirect of %s", async (endpoint) => {
    for (const redirect of [
      "http://169.254.169.254/latest",
      "https://evil.example/x",
      "https://op.example.com/token",
    ]) {
      const c = setUp({ provider: { idToken: false } });
      c.op.script = { [endpoint]: { redirect } };
      const begun = await start(c);
      if (endpoint === "discovery") expect(begun.redirectsTo).toContain("/signin?error=OAuthSignin&");
      else await expectNoSignIn(c, await comeBack(c, new URL(begun.redirectsTo ?? "")));
      expect(calls(c)).toMatchObject({ [endpoint]: 1, other: 0 });
    }
  });

  it("H119 refuses at one provider an answer to a sign-in that began at another", async () => {
    const c = setUp({
      providers: [
        {
          id: "other",
          name: "Other",
          type: "oidc",
          issuer: "https://other.example",
          clientId: "x",
          clientSecret: "canary-other-secret",
        },
      ],
    });
    const { url } = await c.op.authorize(await begin(c));
    url.pathname = url.pathname.replace(/op$/, "other");
    const visit = await c.browser.navigate(url);
    await expectNoSignIn(c, visit);
    expect(calls(c).token).toBe(0);
  });

  it("H120 refuses an honest provider's answer at a malicious provider that lent its address", async () => {
    const c = setUp({ op: { issuer: "https://evil.example" }, alsoTo: ["https://honest.example"] });
    c.op.script = { metadata: { set: { authorization_endpoint: "https://honest.example/authorize" } } };
    const sent = await begin(c);
    expect(sent.origin).toBe("https://honest.example");
    const answer = new URL(sent.searchParams.get("redirect_uri") ?? "");
    const state = sent.searchParams.get("state") ?? "";
    answer.search = new URLSearchParams({ code: "the-honest-code", state, iss: "https://honest.example" }).toString();
    const visit = await c.browser.navigate(answer, { initiator: "https://honest.example" });
    expectLanding(visit, "OAuthCallbackError");
    await expectNoSignIn(c, visit);
    expect(calls(c).token).toBe(0);
  });
});
