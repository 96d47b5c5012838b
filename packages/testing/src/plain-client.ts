/**
 * A client with plain `fetch` calls, so that this package's tests verify its providers independently of the library.
 * Strict: throws at the first deviation.
 */
import { createHash, randomBytes } from "node:crypto";
import { createLocalJWKSet, type JWTPayload, jwtVerify } from "jose";

/** A sign-in with code, PKCE, state and nonce. */
export interface CodeFlow {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly fetch: typeof globalThis.fetch;
  /** The user's part: receives the authorization URL and returns the callback's parameters. */
  readonly visit: (url: URL) => Promise<URLSearchParams>;
  /** Additional authorization parameters. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Result of a sign-in. */
export interface FlowResult {
  readonly callback: URLSearchParams;
  readonly tokens: Readonly<Record<string, unknown>>;
  readonly claims: JWTPayload;
  readonly userinfo: Readonly<Record<string, unknown>>;
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url}: ${response.status} ${text}`);
  const members: Record<string, unknown> = JSON.parse(text);
  return members;
}

function authorizationUrl(flow: CodeFlow, endpoint: unknown, verifier: string): URL {
  const url = new URL(String(endpoint));
  url.search = new URLSearchParams({
    client_id: flow.clientId,
    redirect_uri: flow.redirectUri,
    response_type: "code",
    scope: "openid profile email",
    state: "the-state",
    nonce: "the-nonce",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...flow.params,
  }).toString();
  return url;
}

function basic(flow: CodeFlow): string {
  const pair = [flow.clientId, flow.clientSecret].map((part) => new URLSearchParams({ x: part }).toString().slice(2));
  return `Basic ${Buffer.from(pair.join(":")).toString("base64")}`;
}

/** Runs a complete sign-in. Rejects if anything deviates from OIDC Core. */
export async function runCodeFlow(flow: CodeFlow): Promise<FlowResult> {
  const get = async (url: unknown, headers: HeadersInit = {}) => readJson(await flow.fetch(String(url), { headers }));
  const metadata = await get(`${flow.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const verifier = randomBytes(32).toString("base64url");
  const callback = await flow.visit(authorizationUrl(flow, metadata.authorization_endpoint, verifier));
  const code = callback.get("code");
  if (code === null || callback.get("state") !== "the-state") throw new Error(`callback: ${callback}`);

  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: flow.redirectUri,
    code_verifier: verifier,
  });
  const request = { method: "POST", body, headers: { authorization: basic(flow) } };
  const tokens = await readJson(await flow.fetch(String(metadata.token_endpoint), request));
  const { keys } = await get(metadata.jwks_uri);
  const expected = { issuer: flow.issuer, audience: flow.clientId, requiredClaims: ["sub", "iat", "exp"] };
  const { payload: claims } = await jwtVerify(
    String(tokens.id_token),
    createLocalJWKSet({ keys: Array.isArray(keys) ? keys : [] }),
    expected,
  );
  if (claims.nonce !== "the-nonce") throw new Error(`nonce: ${claims.nonce}`);
  const userinfo = await get(metadata.userinfo_endpoint, { authorization: `Bearer ${tokens.access_token}` });
  return { callback, tokens, claims, userinfo };
}
