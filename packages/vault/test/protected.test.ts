/** PAR, DPoP and signed request objects against npm `oidc-provider`, with its FAPI 2.0 profile on and one by one. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { OIDCProvider } from "@cardea/core/providers";
import { createBrowser, createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { fetchAs, revokeTokens, tokenOf, vault } from "../src/index.ts";
import { FAPI_2, type FapiOptions, type FapiProvider, readJwt, startFapiProvider } from "./fapi-provider.ts";

const ORIGIN = "http://localhost:3000";
const SECRET = "a secret of more than thirty-two bytes";
let op: FapiProvider | undefined;

afterEach(async () => {
  await op?.close();
  op = undefined;
});

interface Application {
  readonly options?: Partial<OIDCProvider>;
  readonly config?: Partial<AuthConfig>;
  readonly memory?: MemoryAdapter;
}

async function start(given: Pick<FapiOptions, "features" | "client">): Promise<FapiProvider> {
  op = await startFapiProvider({ ...given, redirectUri: `${ORIGIN}/auth/callback/op` });
  return op;
}

/** An application of the provider, with the protections that FAPI 2.0 asks for unless the options say otherwise. */
function createApplication(
  provider: FapiProvider,
  { options, config, memory = createMemoryAdapter() }: Application = {},
) {
  const errors: Error[] = [];
  const log = { error: (error: Error) => void errors.push(error), warn: () => {}, debug: () => {} };
  const own: OIDCProvider = {
    ...{ id: "op", name: "Provider", type: "oidc", issuer: provider.issuer, clientId: "app" },
    client: { token_endpoint_auth_method: "private_key_jwt", id_token_signed_response_alg: "ES256" },
    token: { clientPrivateKey: { key: provider.clientKey, kid: "client" } },
    authorization: { params: { scope: "openid email offline_access", prompt: "consent" } },
    ...{ par: "auto", dpop: true, signedRequest: true },
    ...options,
  };
  const apis = { op: { apis: [provider.issuer], refresh: undefined } };
  const auth = createAuth({
    ...{ secret: SECRET, trustHost: true, adapter: memory.adapter, logger: log, store: memoryStore({ instances: 1 }) },
    providers: [own],
    extensions: [vault({ providers: { op: { apis: apis.op.apis } } })],
    ...config,
  });
  const routes = { [provider.issuer]: (request: Request) => fetch(request) };
  const browser = createBrowser(auth.handlers.GET, { origin: ORIGIN, routes, follow: "all" });
  const signIn = async () => {
    const page = await browser.navigate("/auth/signin");
    return browser.submit(page, { action: "/auth/signin/op" });
  };
  const session = async () => (await browser.navigate(`${ORIGIN}/auth/session`)).json();
  const userId = () => String(memory.snapshot().users[0]?.id);
  return { auth, browser, signIn, session, errors, memory, userId };
}

const HIDDEN = ["state", "nonce", "code_challenge", "redirect_uri", "scope"];

describe("a provider with the FAPI 2.0 profile", () => {
  it("signs in, with every protection, and nothing of the request in the browser", async () => {
    const provider = await start(FAPI_2);
    const app = createApplication(provider);
    await app.signIn();
    expect(app.errors).toEqual([]);
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
    const [authorization] = provider.at("/auth");
    expect([...(authorization?.params.keys() ?? [])].sort()).toEqual(["client_id", "request_uri"]);
    const pushed = provider.at("/request").at(-1);
    const request = pushed?.params.get("request") ?? "";
    expect(readJwt(request).header).toMatchObject({ alg: "ES256", typ: "oauth-authz-req+jwt", kid: "client" });
    expect(readJwt(request).claims).toMatchObject({ aud: provider.issuer, iss: "app", code_challenge_method: "S256" });
    for (const name of HIDDEN) {
      expect(readJwt(request).claims).toHaveProperty(name);
      expect(pushed?.params.has(name)).toBe(false);
    }
    expect(readJwt(pushed?.params.get("client_assertion") ?? "").claims.aud).toBe(provider.issuer);
  });

  it("binds the code and the tokens to one key, with the nonce that the server asks for", async () => {
    const provider = await start(FAPI_2);
    const app = createApplication(provider);
    await app.signIn();
    const proofs = provider.seen.flatMap(({ dpop, path }) => (dpop === undefined ? [] : [{ path, dpop }]));
    const keys = new Set(proofs.map(({ dpop }) => JSON.stringify(readJwt(dpop).header.jwk)));
    expect(keys.size).toBe(1);
    expect([...keys][0]).not.toContain('"d"');
    const accepted = proofs.filter(({ path }) => path === "/token").at(-1);
    expect(readJwt(accepted?.dpop ?? "").claims).toMatchObject({ htm: "POST", htu: `${provider.issuer}/token` });
    expect(readJwt(accepted?.dpop ?? "").claims.nonce).toEqual(expect.any(String));
    const request = readJwt(provider.at("/request").at(-1)?.params.get("request") ?? "").claims;
    expect(request.dpop_jkt).toEqual(expect.any(String));
    const jtis = proofs.map(({ dpop }) => readJwt(dpop).claims.jti);
    expect(new Set(jtis).size).toBe(jtis.length);
  });

  it("reads userinfo with a proof", async () => {
    const provider = await start(FAPI_2);
    const app = createApplication(provider, { options: { idToken: false } });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
    const asked = provider.at("/me").at(-1);
    expect(asked?.authorization).toMatch(/^DPoP /);
    expect(readJwt(asked?.dpop ?? "").claims.ath).toEqual(expect.any(String));
  });

  it("refreshes with the same key, and presents tokens to an API with a proof", async () => {
    const provider = await start(FAPI_2);
    const app = createApplication(provider);
    await app.signIn();
    const before = provider.at("/token").length;
    const call = () => fetchAs(app.auth, "op", { userId: app.userId() })(`${provider.issuer}/me`);
    expect(await (await call()).json()).toMatchObject({ email: "ann@example.com" });
    const { accessToken } = await tokenOf(app.auth, "op", { userId: app.userId() });
    await tokenOf(app.auth, "op", { userId: app.userId(), refused: accessToken });
    expect(provider.at("/token").length).toBeGreaterThan(before);
    expect((await call()).status).toBe(200);
    const keys = provider.seen.flatMap(({ dpop }) => (dpop === undefined ? [] : [readJwt(dpop).header.jwk]));
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(1);
  });

  it("authenticates for the issuer alone, at every endpoint that an attacker's metadata could name", async () => {
    const { features } = FAPI_2;
    const provider = await start({ ...FAPI_2, features: { ...features, revocation: { enabled: true } } });
    const app = createApplication(provider);
    await app.signIn();
    const userId = app.userId();
    const { accessToken } = await tokenOf(app.auth, "op", { userId });
    await tokenOf(app.auth, "op", { userId, refused: accessToken });
    expect(await revokeTokens(app.auth, "op", { userId })).toBe(true);
    const authenticated = provider.seen.filter(({ params }) => params.has("client_assertion"));
    const paths = new Set(authenticated.map(({ path }) => path));
    expect([...paths].sort()).toEqual(["/request", "/token", "/token/revocation"]);
    const audiences = authenticated.map(({ params }) => readJwt(params.get("client_assertion") ?? "").claims.aud);
    expect(new Set(audiences)).toEqual(new Set([provider.issuer]));
  });

  it.each([
    ["pushed requests", { par: false as const }],
    ["signed requests", { signedRequest: false }],
    ["bound tokens", { dpop: false }],
  ])("signs no one in without %s", async (_name, options) => {
    const app = createApplication(await start(FAPI_2), { options });
    await app.signIn();
    expect(await app.session()).toBeNull();
  });
});

const PUBLIC = { client: { token_endpoint_auth_method: "none" }, token: undefined, signedRequest: false } as const;

describe("the key of bound tokens", () => {
  const bound = {
    features: { dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7) } },
    client: {
      token_endpoint_auth_method: "none",
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: "ES256",
    },
  } as const;
  const publicClient = { client: { token_endpoint_auth_method: "none", id_token_signed_response_alg: "ES256" } };

  /** Signs in by one process and refreshes by another; the refresh token of a public client is bound to the key (RFC 9449 §5). */
  async function refreshElsewhere(first: Partial<AuthConfig>, second: Partial<AuthConfig>): Promise<string> {
    const provider = await start(bound);
    const memory = createMemoryAdapter();
    const options = { ...PUBLIC, ...publicClient };
    const app = createApplication(provider, { options, memory, config: first });
    await app.signIn();
    expect(app.errors).toEqual([]);
    const other = createApplication(provider, { options, memory, config: second });
    const request = { userId: app.userId() };
    const { accessToken } = await tokenOf(other.auth, "op", request);
    return tokenOf(other.auth, "op", { ...request, refused: accessToken }).then(
      () => "refreshed",
      (error: unknown) => String(error),
    );
  }

  it("is one for all processes that share a store", async () => {
    const store = memoryStore({ instances: 1 });
    expect(await refreshElsewhere({ store }, { store })).toBe("refreshed");
  });

  it("outlives the secret that sealed it", async () => {
    const store = memoryStore({ instances: 1 });
    const secret = ["a newer secret of more than thirty-two bytes", SECRET];
    expect(await refreshElsewhere({ store }, { store, secret })).toBe("refreshed");
  });

  it("is in no other store: without a shared one the account has to consent again", async () => {
    const refused = await refreshElsewhere(
      { store: memoryStore({ instances: 1 }) },
      { store: memoryStore({ instances: 1 }) },
    );
    expect(refused).toContain("ReauthRequired");
  });
});

describe("single protections", () => {
  const plain = { token_endpoint_auth_method: "private_key_jwt", id_token_signed_response_alg: "ES256" } as const;
  const none = { par: undefined, dpop: undefined, signedRequest: undefined };
  const announced = { pushedAuthorizationRequests: { enabled: true } };
  const required = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } };

  it.each([
    ["by default where it is required", required, undefined, true],
    ["not by default where it is announced", announced, undefined, false],
    ["where it is announced, with auto", announced, "auto", true],
    ["not where it is not announced, with auto", { pushedAuthorizationRequests: { enabled: false } }, "auto", false],
    ["where it is announced, with true", announced, true, true],
  ] as const)("pushes requests %s", async (_name, features, par, pushes) => {
    const provider = await start({ features, client: plain });
    const app = createApplication(provider, { options: { ...none, par } });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
    expect(provider.at("/request").length).toBe(pushes ? 1 : 0);
    expect(provider.at("/auth")[0]?.params.has("state")).toBe(!pushes);
  });

  it("is an error where the server has no endpoint for pushed requests, with true", async () => {
    const provider = await start({ features: { pushedAuthorizationRequests: { enabled: false } }, client: plain });
    const app = createApplication(provider, { options: { ...none, par: true } });
    expect((await app.signIn()).url).toContain("error=OAuthSignin");
    expect(provider.at("/auth")).toEqual([]);
  });

  it("signs a request in the browser's way, where nothing of it can be changed", async () => {
    const features = { requestObjects: { enabled: true, requireSignedRequestObject: true } };
    const provider = await start({ features, client: plain });
    const app = createApplication(provider, { options: { ...none, signedRequest: true } });
    await app.signIn();
    expect(await app.session()).toMatchObject({ user: { email: "ann@example.com" } });
    const params = provider.at("/auth")[0]?.params ?? new URLSearchParams();
    expect([...params.keys()].sort()).toEqual(["client_id", "request", "response_type", "scope"]);
  });

  it("refuses tokens that are not bound, where binding was asked for", async () => {
    const provider = await start({ features: { dPoP: { enabled: false } }, client: plain });
    const app = createApplication(provider, { options: { ...none, dpop: true } });
    expect((await app.signIn()).url).toContain("error=OAuthCallbackError");
    expect(JSON.stringify(app.errors.map(({ message, cause }) => [message, String(Object(cause).err)]))).toContain(
      "not bound",
    );
    expect(await app.session()).toBeNull();
  });

  it("keeps a visitor from setting the key that a code is bound to", async () => {
    const provider = await start({ features: announced, client: plain });
    const app = createApplication(provider, { options: none });
    await app.browser.navigate("/auth/signin");
    const { csrfToken } = await (await app.browser.fetch("/auth/csrf")).json();
    await app.browser.navigate("/auth/signin/op?dpop_jkt=x&ui_locales=de", {
      form: { csrfToken },
      method: "POST",
      follow: "all",
    });
    expect(provider.at("/auth")[0]?.params.get("ui_locales")).toBe("de");
    expect(provider.at("/auth")[0]?.params.has("dpop_jkt")).toBe(false);
  });
});

describe("at start", () => {
  const provider: OIDCProvider = {
    ...{ id: "op", name: "Provider", type: "oidc", issuer: "https://op.example.com", clientId: "app" },
    clientSecret: "secret",
  };
  const create = (options: object) => () => createAuth({ secret: SECRET, providers: [{ ...provider, ...options }] });

  it.each([
    [{ par: "yes" }, "providers[0].par"],
    [{ dpop: 1 }, "providers[0].dpop"],
    [{ signedRequest: "x" }, "providers[0].signedRequest"],
    [{ signedRequest: true }, "providers[0].token.clientPrivateKey"],
    [{ dpop: true, token: { request: () => ({}) } }, "providers[0].token.request"],
    [{ dpop: true, userinfo: { request: () => ({}) } }, "providers[0].userinfo.request"],
  ])("refuses %j", (options, option) => {
    expect(create(options)).toThrow(option);
  });

  it.each([{ par: true }, { par: "auto" }, { par: false }, { dpop: true }, { dpop: false }])(
    "accepts %j",
    (options) => {
      expect(create(options)).not.toThrow();
    },
  );
});
