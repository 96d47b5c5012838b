import { inspect } from "node:util";
import { createAuth } from "@cardea/core";
import { defineExtension } from "@cardea/extend";
import { createScriptedProvider, type ScriptedProvider, type ScriptedProviderOptions } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { customFetch, type OAuthProvider } from "../model/oauth-provider.ts";
import type { ProviderTools, RefreshRequest } from "../model/provider-tools.ts";
import { handleOf } from "../server/application-handle.ts";

const ISSUER = "https://op.example.com";
const REDIRECT = "https://app.example.com/auth/callback/op";

interface Setting {
  readonly op: ScriptedProvider;
  readonly tools: ProviderTools;
  readonly logged: string[];
}

/** The tools of a provider, as an extension gets them. */
async function setUp(overrides: Partial<OAuthProvider> = {}, options: ScriptedProviderOptions = {}): Promise<Setting> {
  const op = createScriptedProvider({ issuer: ISSUER, ...options });
  const logged: string[] = [];
  const common = { id: "op", name: "Provider", clientId: "cid", clientSecret: "csecret", [customFetch]: op.fetch };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes",
    logger: { error: (error) => logged.push(String(error)) },
    providers: [{ type: "oidc", issuer: op.issuer, ...common, ...overrides }],
    extensions: [defineExtension({ id: "probe" })],
  });
  const tools = await (await handleOf(auth, "probe").tools()).provider("op");
  if (tools === null) throw new Error("no provider");
  return { op, tools, logged };
}

/** A refresh token that the provider knows. */
async function refreshTokenOf({ op }: Setting): Promise<{ refreshToken: string; idToken: string | undefined }> {
  const url = new URL(`${op.issuer}/authorize`);
  const asked = { client_id: "cid", response_type: "code", redirect_uri: REDIRECT, scope: "openid offline_access" };
  for (const [name, value] of Object.entries({ ...asked, state: "s", nonce: "n" })) url.searchParams.set(name, value);
  const { url: back } = await op.authorize(url);
  const code = new URL(back).searchParams.get("code") ?? "";
  const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: REDIRECT });
  const headers = { authorization: `Basic ${btoa("cid:csecret")}` };
  const answer = await op.fetch(`${op.issuer}/token`, { method: "POST", body, headers });
  const { refresh_token, id_token } = await answer.json();
  return { refreshToken: refresh_token, idToken: id_token };
}

async function refresh(setting: Setting, request: Partial<RefreshRequest> = {}) {
  return setting.tools.refresh({ ...(await refreshTokenOf(setting)), ...request });
}

describe("tools.provider()", () => {
  it("is null for an id that is not an OAuth provider's", async () => {
    const auth = createAuth({
      secret: "a secret of more than thirty-two bytes",
      providers: [{ id: "form", name: "Form", type: "credentials", credentials: {}, authorize: () => null }],
      extensions: [defineExtension({ id: "probe" })],
    });
    const tools = await handleOf(auth, "probe").tools();
    expect([tools.providers, await tools.provider("form"), await tools.provider("other")]).toEqual([[], null, null]);
  });

  it("says what the server announces, and leaves out endpoints that are not https", async () => {
    const announced = { end_session_endpoint: "https://op.example.com/end", backchannel_logout_supported: true };
    const { op, tools } = await setUp({ authorization: { params: { scope: "openid mail" } } });
    op.script = { metadata: { set: { ...announced, revocation_endpoint: "http://op.example.com/revoke" } } };
    expect(tools).toMatchObject({ id: "op", name: "Provider", type: "oidc", clientId: "cid", scope: "openid mail" });
    expect(await tools.metadata()).toEqual({
      issuer: op.issuer,
      endSessionEndpoint: "https://op.example.com/end",
      revocationEndpoint: undefined,
      backchannelLogout: true,
      backchannelLogoutSession: false,
    });
  });
});

describe("refresh()", () => {
  it("exchanges a refresh token, and verifies a new ID token", async () => {
    const setting = await setUp();
    const result = await refresh(setting);
    expect(result).toMatchObject({ kind: "tokens", tokens: { token_type: "bearer" } });
    expect(Object(result).tokens.expires_at).toBeGreaterThan(Date.now() / 1000);
    expect(setting.op.calls.token.at(-1)?.params.get("grant_type")).toBe("refresh_token");
  });

  it("calls `beforeSend` last, and sends nothing where it says no", async () => {
    const setting = await setUp();
    const grant = await refreshTokenOf(setting);
    const calls: number[] = [];
    const beforeSend = () => calls.push(setting.op.calls.token.length) < 0;
    expect(await setting.tools.refresh({ ...grant, beforeSend })).toEqual({ kind: "stopped" });
    expect([calls, setting.op.calls.token.length, setting.op.calls.discovery.length]).toEqual([[1], 1, 1]);
  });

  it("ends a request that waits for a connection when the time is over", async () => {
    let signal: AbortSignal | null | undefined;
    const server = createScriptedProvider({ issuer: ISSUER });
    const wait: typeof fetch = (input, init) => {
      if (!String(input).endsWith("/token")) return server.fetch(input, init);
      signal = init?.signal;
      return new Promise(() => undefined);
    };
    const setting = await setUp({ [customFetch]: wait });
    const result = await setting.tools.refresh({ refreshToken: "r", within: 5 });
    expect(result).toMatchObject({ kind: "failed", sent: true });
    expect(signal?.aborted).toBe(true);
  });

  it("sends nothing once the time is over", async () => {
    const setting = await setUp();
    const grant = await refreshTokenOf(setting);
    let release = (_: boolean): void => {};
    const held = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const result = await setting.tools.refresh({ ...grant, within: 5, beforeSend: () => held });
    expect(result).toMatchObject({ kind: "failed", sent: false });
    release(true);
    await held;
    await Promise.resolve();
    expect(setting.op.calls.token).toHaveLength(1);
  });

  it.each([
    ["invalid_grant", { status: 400, body: { error: "invalid_grant", error_description: "gone" } }],
    ["invalid_grant", { status: 200, body: { error: "bad_refresh_token" } }],
    ["invalid_grant", { status: 200, body: { ok: false, error: "invalid_refresh_token" } }],
    [
      "invalid_grant",
      { status: 403, body: { error: "unauthorized_client", error_description: "refresh_token is invalid" } },
    ],
    ["invalid_grant", { status: 400, body: { error: "x", error_description: "The refresh token has expired." } }],
    ["invalid_grant", { status: 400, body: { error: "invalid_request", error_description: "session not found" } }],
    [
      "invalid_grant",
      { status: 400, body: { error: "invalid_request", error_description: `Invalid "refresh_token" in request.` } },
    ],
    ["invalid_grant", { status: 401, body: { error: "invalid_token" } }],
    ["invalid_grant", { status: 400, body: { error: "interaction_required", error_description: "AADSTS50076" } }],
    ["invalid_grant", { status: 200, body: { ok: false, error: "token_expired" } }],
    ["temporarily_unavailable", { status: 400, body: { error: "temporarily_unavailable" } }],
    ["server_error", { status: 400, body: { error: "server_error", error_description: "session not found" } }],
    [
      "unauthorized_client",
      { status: 400, body: { error: "unauthorized_client", error_description: "The session has expired" } },
    ],
    [
      "unauthorized_client",
      { status: 400, body: { error: "unauthorized_client", error_description: "Invalid refresh_token grant type" } },
    ],
    ["incorrect_client_credentials", { status: 200, body: { error: "incorrect_client_credentials" } }],
    ["Not Found", { status: 404, body: { status: 404, error: "Not Found" } }],
    [
      "invalid_request",
      { status: 400, body: { error: "invalid_request", error_description: "refresh_token is missing" } },
    ],
    [
      "unauthorized_client",
      { status: 403, body: { error: "unauthorized_client", error_description: "no such client" } },
    ],
    [
      "invalid_client",
      { status: 401, body: { error: "invalid_client", error_description: "refresh token is invalid" } },
    ],
  ])("gives back the error %s for %o", async (error, token) => {
    const setting = await setUp();
    const grant = await refreshTokenOf(setting);
    setting.op.script = { token };
    expect(await setting.tools.refresh(grant)).toMatchObject({ kind: "refused", error });
  });

  it.each([
    ["a failing server", { status: 503, body: { error: "invalid_grant" } }],
    ["a server that is busy", { status: 429, body: { error: "slow_down" } }],
    ["a connection that breaks", { network: "reset" as const }],
    ["an answer that is no token response", { body: ["x"] }],
  ])("takes %s for no refusal", async (_, token) => {
    const setting = await setUp();
    const grant = await refreshTokenOf(setting);
    setting.op.script = { token };
    expect(await setting.tools.refresh(grant)).toMatchObject({ kind: "failed", sent: true });
  });

  it.each([
    ["another user", { claims: { set: { sub: "someone-else" } } }],
    ["another issuer", { claims: { set: { iss: "https://other.example.com" } } }],
    ["another client", { claims: { set: { aud: "other" } } }],
    ["another key", { sign: "other-key" as const }],
    ["a further audience", { claims: { set: { aud: ["cid", "other"], azp: "cid" } } }],
    ["another authorized party", { claims: { set: { azp: "other" } } }],
  ])("rejects an ID token of %s", async (_, idToken) => {
    const setting = await setUp();
    setting.op.script = { idToken: { claims: { set: { azp: "cid" } } } };
    const grant = await refreshTokenOf(setting);
    setting.op.script = { idToken };
    expect(await setting.tools.refresh(grant)).toMatchObject({ kind: "failed", sent: true });
  });

  it("accepts an ID token after the user has signed in again at the provider", async () => {
    const setting = await setUp();
    setting.op.script = { idToken: { claims: { set: { auth_time: 2 } } } };
    const grant = await refreshTokenOf(setting);
    setting.op.script = { idToken: { claims: { set: { auth_time: 3 } } } };
    expect(await setting.tools.refresh(grant)).toMatchObject({ kind: "tokens" });
  });

  it("accepts an ID token of the same audiences, in any order", async () => {
    const setting = await setUp();
    setting.op.script = { idToken: { claims: { set: { aud: ["cid", "other"], azp: "cid" } } } };
    const grant = await refreshTokenOf(setting);
    setting.op.script = { idToken: { claims: { set: { aud: ["other", "cid"], azp: "cid" } } } };
    expect(await setting.tools.refresh(grant)).toMatchObject({ kind: "tokens" });
  });

  it("honours `clientSecret` as a function, `token.params`, `token.body` and `token.conform`", async () => {
    const setting = await setUp({
      clientSecret: ({ clientId }) => `c${clientId === "cid" ? "secret" : ""}`,
      token: {
        params: { tenant: "t1" },
        body: { client_key: "k1" },
        conform: async (answer) => Response.json({ ...(await answer.json()), scope: "conformed" }),
      },
    });
    expect(await refresh(setting)).toMatchObject({ kind: "tokens", tokens: { scope: "conformed" } });
    const { params, url } = setting.op.calls.token.at(-1) ?? {};
    expect([params?.get("client_key"), url]).toEqual(["k1", expect.stringContaining("tenant=t1")]);
  });

  it("lets `token.request` make the request", async () => {
    const asked: object[] = [];
    const setting = await setUp({
      token: {
        request: ({ params }) => {
          asked.push(params);
          return { tokens: { access_token: "a", token_type: "bearer" } };
        },
      },
    });
    expect(await setting.tools.refresh({ refreshToken: "r1" })).toMatchObject({ tokens: { access_token: "a" } });
    expect(asked).toEqual([{ grant_type: "refresh_token", refresh_token: "r1" }]);
  });

  it("keeps the tokens of an answer that it cannot use out of its error", async () => {
    const setting = await setUp();
    const grant = await refreshTokenOf(setting);
    setting.op.script = { token: { raw: '{"access_token":"canary","token_type":7}' } };
    const result = await setting.tools.refresh(grant);
    expect(result).toMatchObject({ kind: "failed", sent: true });
    expect(inspect(result, { depth: null })).not.toContain("canary");
  });
});

describe("present()", () => {
  const send = async ({ tools }: Setting, answers: readonly Response[]) => {
    const sent: Headers[] = [];
    const answer = await tools.present("a", {
      ...{ url: new URL("https://api.example.com/"), method: "GET", headers: new Headers({ authorization: "mine" }) },
      send: async (headers) => {
        sent.push(new Headers(headers));
        return answers[sent.length - 1] ?? new Response("done");
      },
    });
    return { status: answer.status, sent };
  };
  const challenge = (scheme: string, error: string) =>
    new Response(null, {
      status: 401,
      headers: { "www-authenticate": `${scheme} error="${error}"`, "dpop-nonce": "the-nonce" },
    });

  it("sends the token, and returns a challenge of the API to the caller", async () => {
    const { status, sent } = await send(await setUp(), [challenge("Bearer", "invalid_token")]);
    expect([status, sent.map((one) => one.get("authorization"))]).toEqual([401, ["Bearer a"]]);
  });

  it("sends a proof of the key once more with the nonce that the API asks for, and for no other challenge (RFC 9449 §9)", async () => {
    const setting = await setUp({ dpop: true });
    const asked = await send(setting, [challenge("DPoP", "use_dpop_nonce")]);
    expect([asked.status, asked.sent.map((one) => one.get("authorization"))]).toEqual([200, ["DPoP a", "DPoP a"]]);
    const [, payload = ""] = asked.sent[1]?.get("dpop")?.split(".") ?? [];
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({ nonce: "the-nonce" });
    const refused = await send(setting, [challenge("DPoP", "invalid_token")]);
    expect([refused.status, refused.sent.length]).toEqual([401, 1]);
  });
});

describe("revoke()", () => {
  it("is false without an endpoint, and names the token and its kind to one", async () => {
    const bare = await setUp();
    expect(await bare.tools.revoke("t", "refresh_token")).toBe(false);
    const sent: string[] = [];
    let answer = Response.json({ error: "unsupported_token_type" }, { status: 400 });
    const { op } = bare;
    const fetchWithRevocation: typeof fetch = async (input, init) => {
      if (!String(input).endsWith("/revoke")) return op.fetch(input, init);
      sent.push(String(init?.body));
      return answer.clone();
    };
    op.script = { metadata: { set: { revocation_endpoint: `${op.issuer}/revoke` } } };
    const { tools } = await setUp({ issuer: op.issuer, [customFetch]: fetchWithRevocation });
    await expect(tools.revoke("t", "refresh_token")).rejects.toThrow("could not be revoked");
    answer = new Response(null, { status: 200 });
    expect(await tools.revoke("t", "refresh_token")).toBe(true);
    expect(sent.at(-1)).toContain("token=t");
    expect(sent.at(-1)).toContain("token_type_hint=refresh_token");
  });
});

const now = () => Math.floor(Date.now() / 1000);

describe("verifyJwt()", () => {
  const expected = { types: ["logout+jwt"] };
  const claims = (op: ScriptedProvider) => ({ iss: op.issuer, aud: "cid", iat: now(), sub: "u" });

  it("verifies what the provider signed for this client", async () => {
    const { op, tools } = await setUp();
    const token = await op.keys.sign(claims(op), { typ: "application/Logout+JWT" });
    expect(await tools.verifyJwt(token, expected)).toMatchObject({ kind: "verified", claims: { sub: "u" } });
  });

  it.each([
    ["another issuer", { iss: "https://other.example.com" }, {}],
    ["the issuer with a slash at its end", { iss: "slash" }, {}],
    ["another audience", { aud: ["other"] }, {}],
    ["no audience", { aud: undefined }, {}],
    ["a time from the future", { iat: now() + 300 }, {}],
    ["an end in the past", { exp: now() - 120 }, {}],
    ["an end that is text", { exp: "9999999999" }, {}],
    ["a beginning in the future", { nbf: now() + 300 }, {}],
    ["the type of an ID token", {}, { typ: "JWT" }],
    ["no type", {}, { typ: undefined }],
    ["critical parameters", {}, { crit: ["b64"], b64: true }],
    ["the algorithm none", {}, { alg: "none" }],
    ["another algorithm", {}, { alg: "PS256" }],
    ["an HMAC algorithm", {}, { alg: "HS256" }],
  ])("refuses %s", async (_, changes, header) => {
    const { op, tools } = await setUp();
    const iss = Object(changes).iss === "slash" ? { iss: `${op.issuer}/` } : {};
    const payload = JSON.parse(JSON.stringify({ ...claims(op), ...changes, ...iss }));
    const token = await op.keys.sign(payload, JSON.parse(JSON.stringify({ typ: "logout+jwt", ...header })));
    expect(await tools.verifyJwt(token, expected)).toMatchObject({ kind: "refused" });
  });

  it("refuses text that is no JWT, a changed payload, a foreign key and a repeated member", async () => {
    const { op, tools } = await setUp();
    const token = await op.keys.sign(claims(op), { typ: "logout+jwt" });
    const [header, payload, signature] = token.split(".");
    const repeated = btoa(`{"iss":"x",${JSON.stringify(claims(op)).slice(1)}`).replace(/=+$/, "");
    const other = createScriptedProvider({ issuer: "https://elsewhere.example.com" });
    const foreign = await other.keys.sign(claims(op), { typ: "logout+jwt" });
    const forged = [
      "",
      "a.b",
      `${header}.${payload}.`,
      `${header}.${btoa(JSON.stringify({ ...claims(op), sub: "v" })).replace(/=+$/, "")}.${signature}`,
      `${header}.${repeated}.${signature}`,
      `${token}.x`,
      "x".repeat(20_000),
      foreign,
    ];
    const results = await Promise.all(forged.map((one) => tools.verifyJwt(one, expected)));
    expect(results.map(({ kind }) => kind)).toEqual(forged.map(() => "refused"));
  });

  it("finds rotated keys once, and does not let unknown ones call the provider again and again", async () => {
    const { op, tools } = await setUp();
    const sign = (header: object) => op.keys.sign(claims(op), { typ: "logout+jwt", ...header });
    expect(await tools.verifyJwt(await sign({}), expected)).toMatchObject({ kind: "verified" });
    op.keys.rotate();
    const rotated = await sign({});
    const all = await Promise.all(Array.from({ length: 10 }, () => tools.verifyJwt(rotated, expected)));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(["verified"]));
    for (let n = 0; n < 10; n++) await tools.verifyJwt(await sign({ kid: `made-up-${n}` }), expected);
    expect(op.calls.jwks.length).toBeLessThanOrEqual(4);
  });

  it("throws when the keys cannot be read, and asks for them a few times at most", async () => {
    const { op, tools } = await setUp();
    op.script = { jwks: { status: 503 } };
    const token = await op.keys.sign(claims(op), { typ: "logout+jwt" });
    for (let n = 0; n < 8; n++) await expect(tools.verifyJwt(token, expected)).rejects.toThrow("keys");
    expect(op.calls.jwks).toHaveLength(3);
  });

  it("uses the client secret where HMAC is configured, and published keys never then", async () => {
    const { op, tools } = await setUp({ client: { id_token_signed_response_alg: "HS256" } });
    const token = await op.keys.sign(claims(op), { typ: "logout+jwt" });
    expect(await tools.verifyJwt(token, expected)).toMatchObject({ kind: "refused" });
    expect(op.calls.jwks).toHaveLength(0);
  });
});
