import { describe, expect, it } from "vitest";
import { findOAuthProblems } from "./check-provider.ts";
import { readOAuthProvider } from "./read-provider.ts";

const HOME = "https://op.example.com";
const OAUTH2 = { type: "oauth", authorization: `${HOME}/a`, token: `${HOME}/t`, userinfo: `${HOME}/u` };

const KEYS = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);

/** The member that is wrong with a provider, or null. */
function problemOf(members: object): string | null {
  const problems = findOAuthProblems(readOAuthProvider({ id: "op", name: "Provider", ...members }));
  expect(problems.length).toBeLessThan(2);
  return problems[0]?.member ?? null;
}

describe("findOAuthProblems()", () => {
  it("accepts as max_age only what the check of auth_time can enforce", () => {
    const at = (authorization: object | string) => problemOf({ type: "oidc", issuer: HOME, authorization });
    for (const max_age of [0, 300, "300", () => 300, undefined, null])
      expect([max_age, at({ params: { max_age } })]).toEqual([max_age, null]);
    for (const max_age of ["5m", 300.5, -1, "0x10", " 300", "1e3", 1e21, "", true, {}, () => "5m", () => () => 300])
      expect([max_age, at({ params: { max_age } })]).toEqual([max_age, "authorization.params.max_age"]);
    expect([at(`${HOME}/a?max_age=300`), at({ url: `${HOME}/a?max_age=300` }), at(`${HOME}/a`)]).toEqual([
      null,
      null,
      null,
    ]);
    for (const url of [`${HOME}/a?max_age=5m`, new URL(`${HOME}/a?max_age=`)])
      expect([at({ url }), at(url)]).toEqual(["authorization", "authorization"]);
  });

  it("accepts as response_mode only what the server can read", () => {
    const at = (authorization: object | string) => problemOf({ type: "oidc", issuer: HOME, authorization });
    for (const response_mode of ["query", "form_post", () => "query", undefined, null])
      expect([response_mode, at({ params: { response_mode } })]).toEqual([response_mode, null]);
    for (const response_mode of ["fragment", "jwt", "query.jwt", "form_post.jwt", "web_message", "", "Query", {}])
      expect(at({ params: { response_mode } })).toBe("authorization.params.response_mode");
    expect(at({ params: { "Response-Mode": "fragment" } })).toBe("authorization.params.Response-Mode");
    expect(at(`${HOME}/a?response_mode=fragment`)).toBe("authorization");
    expect(at(`${HOME}/a?response_mode=form_post`)).toBeNull();
  });

  it.each<[string, object]>([
    ["an issuer to discover from", { type: "oidc", issuer: HOME }],
    ["an OAuth 2 issuer", { type: "oauth", issuer: HOME }],
    ["an OAuth 2 issuer with one endpoint of its own", { type: "oauth", issuer: HOME, authorization: `${HOME}/a` }],
    ["every endpoint", OAUTH2],
    ["an own userinfo request", { ...OAUTH2, userinfo: { request: async () => ({}) } }],
    [
      "parameters that are texts, numbers, objects, lists, URLs and functions",
      {
        ...OAUTH2,
        token: { url: `${HOME}/t`, params: { a: "1", b: 2, c: { d: null }, e: [1], f: new URL(HOME), g: () => 1 } },
      },
    ],
    ["endpoints as objects and URLs", { ...OAUTH2, token: { url: new URL(`${HOME}/t`), params: {} } }],
    [
      "every URL as an object",
      {
        type: "oidc",
        ...{ issuer: HOME, wellKnown: new URL(HOME), redirectProxyUrl: new URL(`${HOME}/auth`) },
        ...{ authorization: new URL(`${HOME}/a`), token: new URL(`${HOME}/t`), jwks_endpoint: new URL(`${HOME}/k`) },
      },
    ],
    [
      "a key for private_key_jwt",
      {
        ...OAUTH2,
        token: { url: `${HOME}/t`, clientPrivateKey: { key: KEYS.privateKey, kid: "1" } },
        client: { token_endpoint_auth_method: "private_key_jwt" },
      },
    ],
    [
      "no key for private_key_jwt where a function requests the tokens",
      {
        ...OAUTH2,
        token: { url: `${HOME}/t`, request: async () => ({ tokens: {} }) },
        client: { token_endpoint_auth_method: "private_key_jwt" },
      },
    ],
    ["http on a loopback host", { type: "oidc", issuer: "http://localhost:8080" }],
    ["http on another host", { type: "oidc", issuer: "http://keycloak:8080/realms/a" }],
    ["insecure origins", { type: "oidc", issuer: HOME, insecureOrigins: ["http://keycloak:8080", "http://10.0.0.7"] }],
    ["domains whose addresses the provider owns", { ...OAUTH2, ownsAddresses: ["gmail.com"] }],
    ["a function that decides about addresses", { ...OAUTH2, ownsAddresses: () => true }],
    ["the word none for checks", { ...OAUTH2, checks: ["none"] }],
    ["members that are null", { ...OAUTH2, issuer: null, profile: null, token: { url: `${HOME}/t`, body: null } }],
  ])("accepts %s", (_, members) => {
    expect(problemOf(members)).toBe(null);
  });

  it.each<[string, object]>([
    ["issuer", { type: "oidc" }],
    ["issuer", { type: "oidc", issuer: "" }],
    ["issuer", { type: "oidc", authorization: `${HOME}/a`, token: `${HOME}/t`, jwks_endpoint: `${HOME}/k` }],
    ["authorization", { type: "oauth" }],
    ["token", { type: "oauth", authorization: `${HOME}/a` }],
    ["token", { type: "oauth", authorization: `${HOME}/a`, userinfo: `${HOME}/u` }],
    ["userinfo", { type: "oauth", authorization: `${HOME}/a`, token: `${HOME}/t` }],
    ["userinfo", { ...OAUTH2, userinfo: { params: {} } }],
    ["userinfo", { ...OAUTH2, issuer: HOME, userinfo: undefined }],
    [
      "userinfo",
      { ...OAUTH2, type: "oidc", issuer: HOME, jwks_endpoint: `${HOME}/k`, idToken: false, userinfo: undefined },
    ],
  ])("refuses a provider without %s: %j", (member, members) => {
    expect(problemOf(members)).toBe(`${member}`);
  });

  it.each<[string, unknown]>([
    ...["authorization", "token", "userinfo", "issuer", "wellKnown", "jwks_endpoint", "redirectProxyUrl"].flatMap(
      (name) =>
        ["/relative", "undefined/oauth", "ftp://op.example.com", "javascript:alert(1)", 42, []].map(
          (value): [string, unknown] => [name, value],
        ),
    ),
    ...["profile", "account", "verifiedEmail", "idTokenIssuer", "endSessionParams"].flatMap((name) =>
      [42, "x", {}, true].map((value): [string, unknown] => [name, value]),
    ),
    ["redirectProxyUrl", "http://op.example.com"],
    ...[
      "http://keycloak:8080",
      ["https://op.example.com"],
      ["http://keycloak:8080/"],
      ["http://localhost:8080"],
      [7],
    ].map((value): [string, unknown] => ["insecureOrigins", value]),
    ["audiences", "api"],
    ["audiences", [7]],
    ...[true, "example.com", ["*"], ["a@example.com"], [7], {}].map((value): [string, unknown] => [
      "ownsAddresses",
      value,
    ]),
    ["checks", ["bogus"]],
    ["checks", "pkce"],
    ["checks", { pkce: true }],
    ["cancelled", "user_cancelled"],
    ["cancelled", [1]],
    ["idToken", "false"],
    ["allowDangerousEmailAccountLinking", "true"],
    ["client", "none"],
    ["clientSecret", 42],
    ["name", { text: "x" }],
    ["style", "red"],
  ])("refuses the member %s: %j", (name, value) => {
    expect(problemOf({ ...OAUTH2, [name]: value })).toBe(`${name}`);
  });

  it.each<[string, object]>([
    ["token.request", { token: { url: `${HOME}/t`, request: "x" } }],
    ["token.conform", { token: { url: `${HOME}/t`, conform: {} } }],
    ["userinfo.request", { userinfo: { request: 42 } }],
    ["authorization.params", { authorization: { url: `${HOME}/a`, params: "scope=x" } }],
    ["authorization.params", { authorization: { url: `${HOME}/a`, params: new URLSearchParams("scope=x") } }],
    ["authorization.params", { authorization: { url: `${HOME}/a`, params: { claims: new Map() } } }],
    ["userinfo.params", { userinfo: { url: `${HOME}/u`, params: new Map([["fields", "id"]]) } }],
    ["token.body", { token: { url: `${HOME}/t`, body: new URLSearchParams("a=b") } }],
    ["client", { client: new Map([["token_endpoint_auth_method", "none"]]) }],
    ["issuer", { issuer: new URL(HOME) }],
    ["token.clientPrivateKey", { client: { token_endpoint_auth_method: "private_key_jwt" } }],
    [
      "token.clientPrivateKey",
      {
        token: { url: `${HOME}/t`, request: async () => ({ tokens: {} }) },
        client: { token_endpoint_auth_method: "private_key_jwt" },
        par: true,
      },
    ],
    ["token.clientPrivateKey", { token: { url: `${HOME}/t`, clientPrivateKey: "-----BEGIN PRIVATE KEY-----" } }],
    ["token.clientPrivateKey", { token: { url: `${HOME}/t`, clientPrivateKey: KEYS.publicKey } }],
    ["token.clientPrivateKey", { token: { url: `${HOME}/t`, clientPrivateKey: { key: KEYS.privateKey, kid: 1 } } }],
    ["client.token_endpoint_auth_method", { client: { token_endpoint_auth_method: "bogus" } }],
  ])("refuses the member %s", (path, members) => {
    expect(problemOf({ ...OAUTH2, ...members })).toBe(`${path}`);
  });
});
