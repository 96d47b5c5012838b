import * as oauth from "oauth4webapi";
import { leftHalfHash } from "../crypto/primitives.ts";
import { InvalidEndpoints, OAuthCallbackError, OAuthProfileParseError } from "../model/errors.ts";
import type { Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-config.ts";
import type { EpochSeconds } from "../model/units.ts";
import { findIdTokenFault } from "../protocol/id-token.ts";
import { forgetKeys, requestOptions, UNKNOWN_ISSUER } from "./oauth-discovery.ts";

/** What the checks of a pending sign-in expect. */
export interface ExpectedChecks {
  readonly state: string;
  readonly nonce: string | undefined;
  readonly codeVerifier: string | undefined;
}

/** What the token endpoint gave: tokens, and for OpenID Connect the verified claims of the ID token. */
export interface CodeExchange {
  readonly tokens: TokenSet;
  readonly claims: Profile | undefined;
}

/**
 * Judges the authorization response and redeems its code (RFC 6749 §4.1, RFC 7636, RFC 9207, OIDC Core §3.1.3).
 *
 * 1. `state` is the pending sign-in's; `iss`, if there or announced, is the server's (RFC 9207 §2.4).
 * 2. The code is redeemed with the client's authentication and the PKCE verifier.
 * 3. For OpenID Connect: claims of the ID token, then its signature, then {@link findIdTokenFault}.
 *
 * @throws errors of oauth4webapi, and OAuthCallbackError for a refused ID token.
 */
export async function redeemCode(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  expected: ExpectedChecks,
  call: { readonly redirectUri: string; readonly now: EpochSeconds },
): Promise<CodeExchange> {
  const client = clientOf(provider);
  const params = oauth.validateAuthResponse(server, client, withoutUnknownIssuer(server, response), expected.state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(provider),
    params,
    call.redirectUri,
    expected.codeVerifier ?? oauth.nopkce,
    { ...requestOptions(provider, server.token_endpoint), additionalParameters: stringParams(provider.token.params) },
  );
  const conformed = (await provider.token.conform?.(answer.clone())) ?? answer;
  await refuseReportedError(provider, conformed);
  return provider.type === "oidc"
    ? readOpenIdAnswer(server, provider, conformed, expected, call.now)
    : readOAuthAnswer(server, provider, conformed, call.now);
}

/** Some servers report an error with status 200; what else their answer holds grants nothing (RFC 6749 §5.2, CVE-2021-41580). */
async function refuseReportedError(provider: ResolvedOAuthProvider, answer: Response): Promise<void> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  if (!isObject(body) || typeof body.error !== "string" || body.error === "" || answer.status !== 200) return;
  const cause = { provider: provider.id, error: body.error, description: body.error_description };
  throw new OAuthCallbackError(`The token endpoint of provider "${provider.id}" reported an error.`, { cause });
}

async function readOpenIdAnswer(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  expected: ExpectedChecks,
  now: EpochSeconds,
): Promise<CodeExchange> {
  const result = await oauth.processAuthorizationCodeResponse(server, clientOf(provider), answer, {
    expectedNonce: expected.nonce ?? oauth.expectNoNonce,
    requireIdToken: true,
  });
  await requireSignature(server, provider, answer);
  const claims = oauth.getValidatedIdTokenClaims(result);
  const header = parseHeader(result.id_token);
  const alg = typeof header.alg === "string" ? header.alg : "";
  const accessTokenHash = await leftHalfHash(result.access_token, alg);
  const fault = findIdTokenFault({ header, claims: { ...claims }, clientId: provider.clientId, accessTokenHash, now });
  if (fault !== null) {
    throw new OAuthCallbackError(`The ID token of provider "${provider.id}" is refused: ${fault}.`);
  }
  return { tokens: toTokenSet(result, now), claims: { ...claims } };
}

/** An OAuth 2 answer may hold an ID token that nothing says how to check; it is kept as opaque text and proves nothing. */
async function readOAuthAnswer(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  now: EpochSeconds,
): Promise<CodeExchange> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  if (!isObject(body) || answer.status !== 200) {
    await oauth.processAuthorizationCodeResponse(server, clientOf(provider), answer);
    throw new OAuthCallbackError(`The token endpoint of provider "${provider.id}" did not answer with a JSON object.`);
  }
  const { id_token, ...rest } = body;
  const plain = Response.json({ token_type: "bearer", ...rest });
  const result = await oauth.processAuthorizationCodeResponse(server, clientOf(provider), plain);
  return {
    tokens: { ...toTokenSet(result, now), ...(typeof id_token === "string" ? { id_token } : {}) },
    claims: undefined,
  };
}

async function requireSignature(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
): Promise<void> {
  const options = requestOptions(provider, server.jwks_uri);
  try {
    await oauth.validateApplicationLevelSignature(server, answer, options);
  } catch (error) {
    const isKeyMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isKeyMissing) throw error;
    // The provider may have rotated its keys since we fetched them: ask once more, then refuse.
    await oauth.validateApplicationLevelSignature(forgetKeys(provider, server), answer, options);
  }
}

/**
 * Fetches what the provider says of the person (OIDC Core §5.3): a 200 with a JSON object, and nothing else (safety H108).
 *
 * @param expectedSubject for OpenID Connect the `sub` of the ID token, which must be the same (OIDC Core §5.3.2).
 */
export async function fetchUserinfo(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
  expectedSubject: string | undefined,
): Promise<Profile> {
  if (provider.userinfo.request !== undefined) {
    return requireProfile(provider, await provider.userinfo.request({ tokens, provider: provider.source }));
  }
  if (server.userinfo_endpoint === undefined) {
    throw new InvalidEndpoints(`Provider "${provider.id}" has no \`userinfo\` endpoint to read the profile from.`, {
      cause: { provider: provider.id },
    });
  }
  const url = new URL(server.userinfo_endpoint);
  for (const [name, value] of Object.entries(stringParams(provider.userinfo.params))) url.searchParams.set(name, value);
  const there = { ...server, userinfo_endpoint: url.href };
  const options = requestOptions(provider, url.href);
  const client = clientOf(provider);
  const answer = await oauth.userInfoRequest(there, client, tokens.access_token ?? "", options);
  if (expectedSubject !== undefined) {
    return { ...(await oauth.processUserInfoResponse(there, client, expectedSubject, answer)) };
  }
  const body: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null;
  return requireProfile(provider, body, answer.status);
}

function requireProfile(provider: ResolvedOAuthProvider, profile: unknown, status = 200): Profile {
  if (isObject(profile)) return profile;
  throw new OAuthProfileParseError(
    `The userinfo of provider "${provider.id}" is not a JSON object (status ${status}).`,
    {
      cause: { provider: provider.id, status },
    },
  );
}

function clientOf(provider: ResolvedOAuthProvider): oauth.Client {
  return { ...provider.client, client_id: provider.clientId };
}

function clientAuthentication(provider: ResolvedOAuthProvider): oauth.ClientAuth {
  const { clientSecret = "" } = provider;
  const method = provider.client.token_endpoint_auth_method;
  switch (method) {
    case "none":
      return oauth.None();
    case "client_secret_post":
      return oauth.ClientSecretPost(clientSecret);
    case "client_secret_jwt":
      return oauth.ClientSecretJwt(clientSecret);
    case "private_key_jwt":
      return privateKeyJwt(provider);
    default:
      return oauth.ClientSecretBasic(clientSecret);
  }
}

/** The assertion is for the issuer and nobody else (draft-ietf-oauth-security-topics-update §2.1). */
function privateKeyJwt(provider: ResolvedOAuthProvider): oauth.ClientAuth {
  const key = provider.token.clientPrivateKey;
  if (key === undefined) {
    throw new InvalidEndpoints(`Provider "${provider.id}" uses private_key_jwt but has no \`token.clientPrivateKey\`.`);
  }
  return oauth.PrivateKeyJwt(key);
}

/** Without a known issuer `iss` cannot be judged; what ties the answer to the provider is its own path and its own state. */
function withoutUnknownIssuer(server: oauth.AuthorizationServer, response: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(response);
  if (server.issuer === UNKNOWN_ISSUER) params.delete("iss");
  return params;
}

function toTokenSet(result: oauth.TokenEndpointResponse, now: EpochSeconds): TokenSet {
  const { expires_in, token_type, ...rest } = result;
  const expiry = expires_in === undefined ? {} : { expires_in, expires_at: Math.floor(now + expires_in) };
  return { ...rest, token_type, ...expiry };
}

function stringParams(params: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function parseHeader(token: string | undefined): Record<string, unknown> {
  const segment = (token ?? "").split(".")[0] ?? "";
  const header: unknown = JSON.parse(atob(segment.replaceAll("-", "+").replaceAll("_", "/")));
  return isObject(header) ? header : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
