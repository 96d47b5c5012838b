import * as oauth from "oauth4webapi";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { FlowContext } from "../model/context.ts";
import { OAuthCallbackError } from "../model/errors.ts";
import type { TokenRequestContext } from "../model/oauth-provider.ts";
import type { Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds } from "../model/units.ts";
import { tenantIssuerOf } from "../protocol/id-token.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { findInexactNumber, isJsonObject } from "../protocol/received-json.ts";
import { clientAuthentication, clientOf } from "./client-authentication.ts";
import { findIssuerMismatch, requestOptions, UNKNOWN_ISSUER } from "./find-server.ts";
import { answerFacts, endpointUrl, hookFetch, hookProvider, jsonOf } from "./guarded-fetch.ts";
import { type PendingOAuth, redirectUriOf } from "./pending-sign-in.ts";
import { protectionOf } from "./protection.ts";
import { readIdToken, unverifiedClaims } from "./read-id-token.ts";
import { readOAuthAnswer, receiveTokens, toTokenSet } from "./token-response.ts";

/** The result of the token endpoint: tokens, and for OpenID Connect the verified claims of the ID token. */
export interface CodeExchange {
  readonly tokens: TokenSet;
  readonly claims: Profile | undefined;
}

/**
 * Validates the authorization response and exchanges its code (RFC 6749 §4.1, RFC 7636, RFC 9207, OIDC Core §3.1.3).
 *
 * 1. `state` matches the pending sign-in; `iss`, if present or announced, is the server's (RFC 9207 §2.4), or that of one of its tenants.
 * 2. The code is exchanged with client authentication and the PKCE verifier.
 * 3. For OpenID Connect: claims of the ID token, then its signature, see {@link readIdToken}. Its tenant is that of the response.
 *
 * @throws errors of oauth4webapi, and OAuthCallbackError for a rejected ID token.
 */
export async function exchangeCode(
  context: FlowContext,
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  expected: PendingOAuth,
): Promise<CodeExchange> {
  const now = context.now();
  const redirectUri = redirectUriOf(context, provider);
  const client = clientOf(provider);
  const { known, tenant } = withServerIssuer(server, provider, response);
  requireResponseIssuer(provider, server.issuer, known.get("iss"));
  const params = oauth.validateAuthResponse(server, client, known, expected.state);
  const protection = await protectionOf(context.config, provider);
  const request = async () =>
    oauth.authorizationCodeGrantRequest(
      withTokenParams(server, provider.token.params),
      client,
      await clientAuthentication(provider, context.redact),
      params,
      redirectUri,
      expected.codeVerifier ?? oauth.nopkce,
      {
        ...requestOptions(provider, server.token_endpoint),
        ...protection.options,
        additionalParameters: provider.token.body,
      },
    );
  const answer =
    provider.token.request === undefined
      ? await protection.send(request)
      : await requestTokensByHook(server, provider, {
          params: Object.fromEntries(params),
          checks: { code_verifier: expected.codeVerifier, nonce: expected.nonce, state: expected.state },
          callbackUrl: redirectUri,
        });
  const received = await receiveTokens(provider, answer, context.redact);
  await rejectReportedError(provider, received);
  const exchange =
    provider.type === "oidc"
      ? await readOpenIdAnswer(server, provider, received, expected, now)
      : { tokens: await readOAuthAnswer(server, provider, received, now), claims: undefined };
  protection.require(exchange.tokens);
  if (tenant !== null) requireResponseIssuer(provider, String(exchange.claims?.iss), tenant);
  return exchange;
}

/** `token.params` are added to the URL of the token endpoint, as in the provider objects of Auth.js. */
export function withTokenParams(
  server: oauth.AuthorizationServer,
  params: Readonly<Record<string, string>>,
): oauth.AuthorizationServer {
  return { ...server, token_endpoint: endpointUrl(server.token_endpoint ?? "", params).href };
}

/** Calls `token.request`, whose result is validated as if the token endpoint had sent it. */
export async function requestTokensByHook(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  { callbackUrl, ...asked }: Pick<TokenRequestContext, "params" | "checks"> & { readonly callbackUrl: string },
): Promise<Response> {
  const described = { ...hookProvider(provider, server), callbackUrl };
  const asking = provider.token.request?.({ ...asked, provider: described, fetch: hookFetch(provider) });
  const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, asking);
  const tokens: unknown = isJsonObject(answer) && isJsonObject(answer.tokens) ? answer.tokens : answer;
  const inexact = findInexactNumber(tokens);
  if (inexact === null) return Response.json(tokens);
  throw new OAuthCallbackError(
    `\`token.request\` of provider "${provider.id}" returned a number that lost digits: ${inexact}.`,
  );
}

/** Some servers report an error with status 200; the rest of such a response is ignored (RFC 6749 §5.2, CVE-2021-41580). */
async function rejectReportedError(provider: ResolvedOAuthProvider, answer: Response): Promise<void> {
  const body = await jsonOf(answer);
  if (!isJsonObject(body) || typeof body.error !== "string" || body.error === "" || answer.status !== 200) return;
  const cause = { provider: provider.id, ...(await answerFacts(answer)) };
  throw new OAuthCallbackError(`The token endpoint of provider "${provider.id}" returned an error.`, { cause });
}

async function readOpenIdAnswer(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  expected: PendingOAuth,
  now: EpochSeconds,
): Promise<CodeExchange> {
  const expectedNonce = await nonceOf(provider, answer, expected.nonce);
  const validate = (issuing: oauth.AuthorizationServer, judged: Response) =>
    oauth.processAuthorizationCodeResponse(issuing, clientOf(provider), judged, {
      expectedNonce,
      requireIdToken: true,
    });
  const times = { now, authenticatedSince: expected.authenticatedSince };
  const { result, claims } = await readIdToken(server, provider, answer, validate, times);
  return { tokens: toTokenSet(result, now), claims };
}

/**
 * The nonce that the ID token must contain. Some providers omit it; if a provider object's own checks allow that, a token
 * without one is accepted. If present, it must be ours. The claims are not verified here, but immediately afterwards.
 */
async function nonceOf(provider: ResolvedOAuthProvider, answer: Response, nonce: string | undefined) {
  if (nonce === undefined) return oauth.expectNoNonce;
  if (!provider.checks.allowsMissingNonce) return nonce;
  return "nonce" in (await unverifiedClaims(answer)) ? nonce : oauth.expectNoNonce;
}

/** @throws TypeError if the authorization response names another issuer. */
function requireResponseIssuer(provider: ResolvedOAuthProvider, expected: string, named: string | null): void {
  const mismatch = findIssuerMismatch(provider, expected, named || undefined, "authorization response");
  if (mismatch !== null) throw new TypeError(mismatch);
}

/**
 * The response with an `iss` that can be compared with the server's before its code is exchanged.
 *
 * 1. Without a known issuer there is nothing to compare; the response is bound to the provider by its own path and state, and
 *    `requireOwnIssuer` has rejected the issuer of another provider.
 * 2. A server with tenants may name the one of the user, which configuration and metadata do not: it is of the server's origin, and is
 *    compared with the ID token.
 */
function withServerIssuer(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
): { readonly known: URLSearchParams; readonly tenant: string | null } {
  const known = new URLSearchParams(response);
  const named = known.get("iss") ?? "";
  const isOther = named !== server.issuer && parseUrl(named)?.origin === new URL(server.issuer).origin;
  const tenant = isOther && tenantIssuerOf(provider) !== undefined ? named : null;
  if (server.issuer === UNKNOWN_ISSUER) known.delete("iss");
  else if (tenant !== null) known.set("iss", server.issuer);
  return { known, tenant };
}
