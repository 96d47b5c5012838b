/**
 * The OpenID Foundation's relying-party modules, Basic, Config and Form Post, as scripts (safety section 5.2). The provider
 * is the suite's: issuer with a slash at its end, its key set, no announced PKCE, no announced `iss`.
 */

import type { OAuthProvider } from "@cardea/core/providers";
import type { ProviderScript, ScriptedProviderOptions } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type Case, ORIGIN, recordOf, setUp } from "../harness/harness.ts";
import {
  attempt,
  begin,
  CALLBACK,
  calls,
  comeBack,
  expectNoSignIn,
  expectSignedIn,
  start,
} from "../harness/oauth-journeys.ts";

const ISSUER = "https://op.example.com/";

interface Module {
  readonly script?: ProviderScript;
  readonly op?: ScriptedProviderOptions;
  readonly provider?: Partial<OAuthProvider>;
}

function prepare(mode: "query" | "form_post", { script = {}, op = {}, provider = {} }: Module = {}): Case {
  const params = mode === "form_post" ? { authorization: { params: { response_mode: mode } } } : {};
  const c = setUp({ op: { issuer: ISSUER, ...op }, provider: { ...params, ...provider } });
  c.op.script = { ...script, jwks: { set: "conformance", ...script.jwks } };
  return c;
}

/** No one is signed in, and the userinfo endpoint was not asked after the bad ID token. */
async function expectRejected(c: Case, userinfo = 0): Promise<void> {
  await expectNoSignIn(c, await attempt(c));
  expect(calls(c)).toMatchObject({ token: 1, userinfo, other: 0 });
}

describe.each([
  ["oidcc-client-test", "query"],
  ["oidcc-client-test-form-post", "form_post"],
] as const)("%s: OpenID Foundation, Basic RP", (_, mode) => {
  it("oidcc-client-test: signs in with code, nonce, PKCE and client_secret_basic", async () => {
    const c = prepare(mode);
    const url = await begin(c);
    const query = url.searchParams;
    expect(query.get("response_type")).toBe("code");
    expect(query.get("scope")?.split(" ")).toContain("openid");
    expect(query.get("nonce")).toMatch(/^[\w-]{1,43}$/);
    await expectSignedIn(c, await comeBack(c, url));
    const [token] = c.op.calls.token;
    expect(token?.params.get("redirect_uri")).toBe(query.get("redirect_uri"));
    expect(token?.headers.authorization).toMatch(/^Basic /);
    expect([token?.params.has("client_secret"), token?.url]).toEqual([false, "https://op.example.com/token"]);
    expect(calls(c)).toEqual({ discovery: 1, token: 1, jwks: 1, userinfo: 0, other: 0 });
  });

  it("oidcc-client-test: sends the access token to userinfo in the header, never in a URL", async () => {
    const c = prepare(mode, { provider: { idToken: false } });
    await expectSignedIn(c, await attempt(c));
    const [userinfo] = c.op.calls.userinfo;
    expect(userinfo?.headers.authorization).toBe(`Bearer ${c.op.issued.accessTokens[0]}`);
    expect(userinfo?.url).toBe("https://op.example.com/userinfo");
  });

  it.each<[string, ProviderScript]>([
    ["oidcc-client-test-invalid-iss: rejects the ID token", { idToken: { claims: { append: { iss: "1" } } } }],
    ["oidcc-client-test-missing-sub: rejects the ID token", { idToken: { claims: { remove: ["sub"] } } }],
    ["oidcc-client-test-invalid-aud: rejects the ID token", { idToken: { claims: { append: { aud: "1" } } } }],
    ["oidcc-client-test-missing-iat: rejects the ID token", { idToken: { claims: { remove: ["iat"] } } }],
    ["oidcc-client-test-idtoken-sig-none: rejects the ID token", { idToken: { sign: "none" } }],
    ["oidcc-client-test-invalid-sig-rs256: rejects the ID token", { idToken: { sign: "xor5a" } }],
    ["oidcc-client-test-nonce-invalid: rejects the ID token", { idToken: { claims: { append: { nonce: "1" } } } }],
  ])("%s", async (_, script) => {
    await expectRejected(prepare(mode, { script }));
    await expectRejected(prepare(mode, { script, provider: { idToken: false } }));
  });

  it("oidcc-client-test-kid-absent-single-jwks: takes the one RSA signing key", async () => {
    const c = prepare(mode, {
      script: { jwks: { set: "one-of-each", withoutKid: true }, idToken: { header: { remove: ["kid"] } } },
    });
    await expectSignedIn(c, await attempt(c));
  });

  it("oidcc-client-test-kid-absent-multiple-jwks: rejects what it cannot attribute to a key", async () => {
    const script: ProviderScript = {
      jwks: { set: "three-of-each", withoutKid: true },
      idToken: { header: { remove: ["kid"] } },
    };
    await expectRejected(prepare(mode, { script }));
  });

  it("oidcc-client-test-idtoken-sig-rs256: signs in", async () => {
    const c = prepare(mode, { script: { metadata: { set: { id_token_signing_alg_values_supported: ["RS256"] } } } });
    await expectSignedIn(c, await attempt(c));
  });

  it("oidcc-client-test-userinfo-invalid-sub: rejects the userinfo", async () => {
    const script: ProviderScript = { userinfo: { patch: { append: { sub: "invalid" } } } };
    await expectRejected(prepare(mode, { script, provider: { idToken: false } }), 1);
  });

  it("oidcc-client-test-scope-userinfo-claims: maps the claims that the scopes bring", async () => {
    const c = prepare(mode, { op: { claimsIn: "userinfo" }, provider: { idToken: false } });
    const scopes = (await begin(c)).searchParams.get("scope")?.split(" ");
    expect(scopes).toEqual(["openid", "profile", "email"]);
    await expectSignedIn(c, await attempt(c));
    expect(await c.session()).toMatchObject({ user: { name: "Ada Lovelace", email: "ada@example.com" } });
  });

  it("oidcc-client-test-client-secret-basic: form-encodes id and secret (RFC 6749 §2.3.1)", async () => {
    const clientSecret = "canary s:e/c+r%e=t&ü";
    const c = prepare(mode, {
      op: { clientId: "a client:id", clientSecret, clientAuthentication: ["client_secret_basic"] },
    });
    c.plant(clientSecret);
    await expectSignedIn(c, await attempt(c));
  });
});

describe("OpenID Foundation, Config RP", () => {
  it("oidcc-client-test-discovery-openid-config: asks the issuer's well-known address first, with one slash", async () => {
    const c = prepare("query");
    await begin(c);
    expect(c.op.calls.discovery.map(({ url }) => url)).toEqual([
      "https://op.example.com/.well-known/openid-configuration",
    ]);
    expect(calls(c)).toMatchObject({ token: 0, jwks: 0, userinfo: 0, other: 0 });
  });

  it("oidcc-client-test-discovery-jwks-uri-keys: fetches the keys from where the metadata say", async () => {
    const jwks_uri = "https://op.example.com/jwksqwertzuiop";
    const c = prepare("query", { script: { metadata: { set: { jwks_uri } } }, provider: { idToken: false } });
    await expectSignedIn(c, await attempt(c));
    expect(c.op.calls.jwks.map(({ url }) => url)).toEqual([jwks_uri]);
    expect(calls(c)).toMatchObject({ discovery: 1, userinfo: 1 });
  });

  it("oidcc-client-test-discovery-issuer-mismatch: stops before the authorization endpoint", async () => {
    const c = prepare("query", { script: { metadata: { append: { issuer: "INVALID" } } } });
    const visit = await start(c);
    expect(visit.redirectsTo).toContain(`${ORIGIN}/api/auth/signin?error=OAuthSignin`);
    expect(c.op.calls.authorize).toEqual([]);
  });

  it("oidcc-client-test-signing-key-rotation-just-before-signing: fetches the keys again and signs in", async () => {
    const c = prepare("query");
    await expectSignedIn(c, await attempt(c));
    c.op.script = { jwks: { set: "conformance", rotate: "beforeSign" } };
    await expectSignedIn(c, await attempt(c));
    expect(calls(c).jwks).toBe(2);
  });

  it("oidcc-client-test-signing-key-rotation: fetches the keys again at the second sign-in", async () => {
    const c = prepare("query", { provider: { idToken: false } });
    await expectSignedIn(c, await attempt(c));
    c.op.keys.rotate();
    await expectSignedIn(c, await attempt(c));
    expect(calls(c)).toMatchObject({ jwks: 2, userinfo: 2, discovery: 1 });
  });
});

describe("OpenID Foundation, Form Post RP", () => {
  it("oidcc-client-test-form-post-error: consumes the posted error and asks for no token", async () => {
    const params = { response_mode: "form_post", prompt: "none", max_age: "0" };
    const c = prepare("query", { provider: { authorization: { params } } });
    const error = { error: "login_required", error_description: "This is a login_required error response" };
    const url = await begin(c);
    expect([url.searchParams.get("prompt"), url.searchParams.get("max_age")]).toEqual(["none", "0"]);
    const visit = await comeBack(c, url, { error });
    await expectNoSignIn(c, visit);
    expect(recordOf(visit)).toMatchObject({ method: "POST", url: new URL(CALLBACK) });
    expect(calls(c).token).toBe(0);
  });
});
