import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/harness/deep-freeze.ts";
import { customFetch, type OAuthProvider } from "../model/oauth-provider.ts";
import type { Provider } from "../model/provider.ts";
import type { ResolvedCredentialsProvider, ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { standardParts } from "../standard.ts";
import { resolveProviders } from "./resolve-providers.ts";

const OP: OAuthProvider = {
  id: "op",
  name: "Provider",
  type: "oidc",
  issuer: "https://op.example.com",
  clientId: "cid",
  clientSecret: "csecret",
};

/** What a program without types might pass. */
function parseProvider(value: unknown): Provider {
  return value as Provider;
}

function resolve(given: unknown, env: Record<string, string> = {}) {
  const { methods } = standardParts;
  const resolved = resolveProviders({ providers: [false, false, false, parseProvider(given)] }, env, methods);
  const [provider] = resolved.providers.values();
  return provider === undefined ? resolved : { provider, warnings: resolved.warnings };
}

function resolveOAuth(overrides: Partial<OAuthProvider> = {}, env: Record<string, string> = {}): ResolvedOAuthProvider {
  const resolution = resolve({ ...OP, ...overrides }, env);
  if (!("provider" in resolution) || resolution.provider.kind !== "oauth") throw new Error(JSON.stringify(resolution));
  return resolution.provider;
}

function problemOf(given: unknown, env: Record<string, string> = {}) {
  const resolution = resolve(given, env);
  return "problems" in resolution ? (resolution.problems[0] ?? null) : null;
}

describe("resolveProviders()", () => {
  it("takes an object, or the function that makes it", () => {
    expect(resolveOAuth()).toMatchObject({ kind: "oauth", id: "op", clientId: "cid", formPost: false });
    const made = resolve(() => OP);
    expect(made).toMatchObject({ provider: { id: "op" } });
  });

  it("lays `options` over the defaults, and changes neither", () => {
    const given = deepFreeze({
      ...OP,
      authorization: { params: { scope: "openid", prompt: "login" } },
      options: { clientId: "mine", authorization: { params: { scope: "openid email" } } },
    });
    const resolution = resolve(given);
    expect(resolution).toMatchObject({
      provider: { clientId: "mine", authorization: { params: { scope: "openid email", prompt: "login" } } },
    });
  });

  it("takes from the environment what is missing, and only that", () => {
    const env = { AUTH_OP_ID: "eid", AUTH_OP_SECRET: "esecret", AUTH_OP_ISSUER: "https://env.example.com" };
    const { issuer: _, clientId: __, clientSecret: ___, ...bare } = OP;
    expect(resolve(bare, env)).toMatchObject({
      provider: { clientId: "eid", clientSecret: "esecret", issuer: "https://env.example.com" },
    });
    expect(resolveOAuth({}, env)).toMatchObject({ clientId: "cid", clientSecret: "csecret", issuer: OP.issuer });
  });

  it("the environment's issuer counts before a provider package's default, and after the application's", () => {
    const env = { AUTH_OP_ISSUER: "https://env.example.com" };
    const packaged = { ...OP, options: {} };
    expect(resolve(packaged, env)).toMatchObject({ provider: { issuer: "https://env.example.com" } });
    const chosen = { ...OP, options: { issuer: "https://mine.example.com" } };
    expect(resolve(chosen, env)).toMatchObject({ provider: { issuer: "https://mine.example.com" } });
  });

  it.each([
    [{ ...OP, clientId: undefined }, "providers[3].clientId", "AUTH_OP_ID"],
    [{ ...OP, clientId: "" }, "providers[3].clientId", "AUTH_OP_ID"],
    [{ ...OP, clientSecret: undefined }, "providers[3].clientSecret", "AUTH_OP_SECRET"],
    [{ ...OP, clientSecret: "" }, "providers[3].clientSecret", "none"],
    [{ ...OP, issuer: "op.example.com" }, "providers[3].issuer", "URL"],
    [{ ...OP, type: "saml" }, "providers[3].type", "oidc"],
    [{ id: "pw", type: "credentials" }, "providers[3].authorize", "function"],
    [{ id: "mail", type: "email" }, "providers[3].sendVerificationRequest", "function"],
    ["op", "providers[3]", "provider object"],
    ["github", "providers[3]", "provider object"],
    [() => null, "providers[3]", "provider object"],
    [[OP], "providers[3]", "provider object"],
  ])("names what is wrong with %o: %s", (given, option, remedy) => {
    expect(problemOf(given)).toMatchObject({ option, message: expect.stringContaining(remedy) });
  });

  it("a problem repeats no secret", () => {
    expect(JSON.stringify(problemOf({ ...OP, issuer: "nonsense" }))).not.toContain("csecret");
  });

  it("needs no secret of a public client", () => {
    const client = { token_endpoint_auth_method: "none" };
    expect(problemOf({ ...OP, clientSecret: undefined, client })).toBe(null);
  });

  it.each(["a", "A9", "a.b", "a_b", "a~b", "a-b", "x".repeat(64)])("H280 takes the id %s", (id) => {
    expect(problemOf({ ...OP, id })).toBe(null);
  });

  it.each([
    "",
    "-",
    ".a",
    "a/b",
    "a b",
    "a%2f",
    "é",
    "session",
    "verify-request",
    "webauthn-options",
    "x".repeat(65),
    7,
    null,
  ])("H280 refuses the id %j", (id) => {
    expect(problemOf({ ...OP, id })?.option).toBe("providers[3].id");
  });

  it.each([
    ["oidc", undefined, { pkce: true, nonce: true, allowsMissingNonce: false }, 0],
    ["oidc", [], { pkce: true, nonce: true, allowsMissingNonce: false }, 0],
    ["oidc", ["pkce"], { pkce: true, nonce: false, allowsMissingNonce: false }, 0],
    ["oidc", ["state"], { pkce: false, nonce: true, allowsMissingNonce: true }, 1],
    ["oidc", ["nonce"], { pkce: false, nonce: true, allowsMissingNonce: false }, 0],
    ["oidc", ["state", "nonce"], { pkce: false, nonce: true, allowsMissingNonce: false }, 0],
    ["oidc", ["none"], { pkce: false, nonce: true, allowsMissingNonce: true }, 1],
    ["oauth", undefined, { pkce: true, nonce: false, allowsMissingNonce: false }, 0],
    ["oauth", ["state"], { pkce: false, nonce: false }, 0],
    ["oauth", ["none"], { pkce: false, nonce: false }, 1],
  ] as const)("H161 of %s with checks %j it uses %j", (type, checks, expected, warned) => {
    const resolution = resolve({ ...OP, type, checks });
    expect(resolution).toMatchObject({ provider: { checks: expected } });
    expect("warnings" in resolution ? resolution.warnings : []).toHaveLength(warned);
  });

  it.each([
    [{}, { scope: "openid profile email" }],
    [{ authorization: { params: { scope: "openid" } } }, { scope: "openid" }],
    [{ authorization: "https://op.example.com/authorize?scope=a" }, {}],
    [{ type: "oauth" }, { scope: "openid profile email" }],
    [{ type: "oauth", authorization: { params: { scope: "" } } }, { scope: "" }],
    [{ type: "oauth", authorization: "https://op.example.com/authorize?scope" }, {}],
    [
      { authorization: { params: { max_age: 5, prompt: undefined, claims: { a: 1 } } } },
      { scope: "openid profile email", max_age: "5", claims: '{"a":1}' },
    ],
  ] as const)("of %j the authorization parameters are %j", (overrides, params) => {
    const resolution = resolve({ ...OP, ...overrides });
    expect(resolution).toMatchObject({ provider: { authorization: { params } } });
  });

  it("form_post is what the parameters ask for, or the query of the URL", () => {
    const url = `${OP.issuer}/authorize?response_mode=form_post`;
    expect(resolveOAuth({ authorization: { params: { response_mode: "form_post" } } }).formPost).toBe(true);
    expect(resolveOAuth({ authorization: url }).formPost).toBe(true);
    expect(resolveOAuth({ authorization: { url } }).formPost).toBe(true);
    expect(resolveOAuth({ authorization: { url, params: { response_mode: "query" } } }).formPost).toBe(false);
  });

  it("finds the fetch under the symbol of another package, too", async () => {
    const own = async () => new Response("own");
    const provider = Object.assign({ ...OP }, { [Symbol("custom-fetch")]: own });
    const resolution = resolve(provider);
    if (!("provider" in resolution) || resolution.provider.kind !== "oauth") throw new Error("not resolved");
    expect(resolution.provider.fetch()).toBe(own);
    expect(resolveOAuth({ [customFetch]: own }).fetch()).toBe(own);
    expect(resolveOAuth().fetch()).toBe(globalThis.fetch);
  });

  it("H111 the standard profile makes no id up", async () => {
    const { profile } = resolveOAuth();
    expect(await profile({}, {})).toMatchObject({ id: "" });
    expect(await profile({ sub: "7", nickname: "n", picture: { a: 1 } }, {})).toEqual({
      id: "7",
      name: "n",
      email: null,
      image: null,
    });
  });

  it("calls authorize() on the provider itself", async () => {
    const provider = {
      id: "pw",
      type: "credentials",
      answer: { id: "7" },
      authorize(this: { answer: unknown }) {
        return this.answer;
      },
    };
    const resolution = resolve(provider);
    const resolved = "provider" in resolution ? resolution.provider : null;
    expect(resolved).toMatchObject({ kind: "credentials", name: "Credentials", credentials: {} });
    expect(await parseCredentials(resolved).authorize({}, new Request("https://a.example"))).toEqual({ id: "7" });
  });
});

function parseCredentials(provider: unknown): ResolvedCredentialsProvider {
  return provider as ResolvedCredentialsProvider;
}
