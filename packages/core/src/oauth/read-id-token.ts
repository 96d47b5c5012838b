import * as oauth from "oauth4webapi";
import { encodeBase64url, leftHalfHash } from "../crypto/primitives.ts";
import { verifyHmacSignature } from "../crypto/verify-signature.ts";
import { OAuthCallbackError } from "../model/errors.ts";
import type { Profile } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { checkIdToken, hasTrustedAudience, type IdTokenFacts, tenantIssuerOf } from "../protocol/id-token.ts";
import { parseJwtSegment } from "../protocol/received-json.ts";
import { clientOf } from "./client-authentication.ts";
import { findIssuerMismatch, forgetKeys, requestOptions } from "./find-server.ts";
import { jsonOf } from "./guarded-fetch.ts";

/** A validated token response, and the claims of its ID token. */
interface OpenIdAnswer {
  readonly result: oauth.TokenEndpointResponse;
  readonly claims: Profile;
}

/**
 * Validates a token response with an ID token (OIDC Core §3.1.3.7, §12.2).
 *
 * 1. Issuer and algorithm are the expected ones, for the issuer that {@link tenantIssuerOf} requires: {@link findUnexpected}.
 * 2. oauth4webapi validates the response and the token's claims.
 * 3. The signature is verified.
 * 4. {@link checkIdToken} accepts the claims.
 *
 * @param validate the function of oauth4webapi for this kind of response.
 * @throws OAuthCallbackError for a rejected token, TypeError with text of the token, and errors of oauth4webapi.
 */
export async function readIdToken(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  validate: (issuing: oauth.AuthorizationServer, answer: Response) => Promise<oauth.TokenEndpointResponse>,
  { now, authenticatedSince }: Pick<IdTokenFacts, "now" | "authenticatedSince">,
): Promise<OpenIdAnswer> {
  const issuing = await issuerFor(server, provider, answer);
  const unexpected = findUnexpected(issuing, provider, Object(await jsonOf(answer)).id_token);
  if (unexpected !== null) throw new TypeError(unexpected);
  const { judged, original } = await withoutTrustedAudiences(provider, answer);
  const validated = await validate(issuing, judged);
  const result = original === undefined ? validated : { ...validated, id_token: original };
  const idToken = result.id_token ?? "";
  const signed = original === undefined ? judged : () => presentAlone(issuing, provider, original);
  await requireIdTokenSignature(server, provider, signed, idToken);
  // Read again from the verified token: oauth4webapi's parser loses digits of long numbers.
  const claims = parseJwtSegment(idToken, 1);
  const header = parseJwtSegment(idToken, 0);
  const accessTokenHash = await leftHalfHash(result.access_token, typeof header.alg === "string" ? header.alg : "");
  const { clientId, audiences } = provider;
  const fault = checkIdToken({ header, claims, clientId, audiences, accessTokenHash, authenticatedSince, now });
  if (fault === null) return { result, claims };
  throw new OAuthCallbackError(`The ID token of provider "${provider.id}" was rejected: ${fault}.`);
}

/**
 * What oauth4webapi would reject without a word about the configuration: an issuer or an algorithm that is not the expected one. Nothing
 * is accepted here; an ID token that is missing, encrypted or malformed is rejected later.
 */
function findUnexpected(issuing: oauth.AuthorizationServer, provider: ResolvedOAuthProvider, token: unknown) {
  if (typeof token !== "string" || token.split(".").length !== 3) return null;
  const mismatch = findIssuerMismatch(provider, issuing.issuer, parseJwtSegment(token, 1).iss, "ID token");
  return mismatch ?? findWrongAlgorithm(issuing, provider, String(parseJwtSegment(token, 0).alg));
}

function findWrongAlgorithm(
  { id_token_signing_alg_values_supported: announced }: oauth.AuthorizationServer,
  { id, client: { id_token_signed_response_alg: registered } }: ResolvedOAuthProvider,
  alg: string,
): string | null {
  const ofKeys = (Array.isArray(announced) ? announced : ["RS256"]).filter((name) => !String(name).startsWith("HS"));
  const expected: readonly unknown[] = registered === undefined ? ofKeys : [registered];
  if (expected.includes(alg)) return null;
  const received = `The ID token of provider "${id}" is signed with ${alg}`;
  const option = "`client.id_token_signed_response_alg`";
  if (registered !== undefined || !alg.startsWith("HS"))
    return `${received}, but ${expected.join(", ")} is expected. Set ${option} to the algorithm that is registered for this client.`;
  return `${received}, which uses the client secret. Select a signing key at the provider, or set ${option} to this algorithm.`;
}

/**
 * oauth4webapi accepts further audiences only with `azp`. A token without it, whose audiences are all configured, is therefore
 * validated as a copy for this client alone; its signature and audiences are checked on the original.
 */
async function withoutTrustedAudiences(
  provider: ResolvedOAuthProvider,
  answer: Response,
): Promise<{ readonly judged: Response; readonly original?: string }> {
  if (provider.audiences.length === 0) return { judged: answer };
  const claims = await unverifiedClaims(answer);
  const isMeant = Array.isArray(claims.aud) && claims.aud.includes(provider.clientId);
  if (!isMeant || claims.azp !== undefined || !hasTrustedAudience(claims, provider)) return { judged: answer };
  const body = Object(await jsonOf(answer));
  const original = String(body.id_token);
  const [header = ""] = original.split(".");
  const payload = encodeBase64url(new TextEncoder().encode(JSON.stringify({ ...claims, aud: provider.clientId })));
  return { judged: Response.json({ ...body, id_token: `${header}.${payload}.` }), original };
}

/**
 * Requires the signature of an ID token: with a published key of the server, or, if the client registered an HMAC
 * algorithm, with the client's own secret (OIDC Core §10.1). The token never chooses: HMAC is never accepted from a
 * provider with keys (RFC 8725 §2.1). Of a multi-tenant server, a key may be of some tenants only.
 *
 * @param answer A response with the token, already processed by oauth4webapi; or a function that makes one.
 * @throws OAuthCallbackError, and errors of oauth4webapi.
 */
async function requireIdTokenSignature(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response | (() => Promise<Response>),
  idToken: string,
): Promise<void> {
  const alg = provider.client.id_token_signed_response_alg;
  if (typeof alg === "string" && alg.startsWith("HS")) {
    if (await verifyHmacSignature(idToken, provider.clientSecret ?? "", alg)) return;
    throw wronglySigned(provider);
  }
  const signed = typeof answer === "function" ? await answer() : answer;
  const { kid } = parseJwtSegment(idToken, 0);
  const keys = await requirePublishedKey(server, provider, signed, kid);
  const issuerOf = tenantIssuerOf(provider);
  if (issuerOf === undefined) return;
  const claims = parseJwtSegment(idToken, 1);
  const own = keys.filter((key) => kid === undefined || key.kid === kid);
  if (own.length === 0 || own.some((key) => issuerOf(claims, server.issuer, { ...key }) !== claims.iss))
    throw wronglySigned(provider);
}

/**
 * oauth4webapi verifies the token of a response that it has processed. An ID token that it did not process as such is presented as a
 * signed document, under the algorithms of ID tokens; RS256 without any (OIDC Core §3.1.3.7 number 7).
 */
async function presentAlone(
  { id_token_signing_alg_values_supported: supported = ["RS256"], ...server }: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  idToken: string,
): Promise<Response> {
  const { id_token_signed_response_alg: alg, ...client } = clientOf(provider);
  const alone = new Response(idToken, { headers: { "content-type": "application/jwt" } });
  await oauth.processUserInfoResponse(
    { ...server, userinfo_signing_alg_values_supported: [...supported] },
    { ...client, ...(alg === undefined ? {} : { userinfo_signed_response_alg: alg }) },
    oauth.skipSubjectCheck,
    alone,
  );
  return alone;
}

function wronglySigned({ id }: ResolvedOAuthProvider): OAuthCallbackError {
  return new OAuthCallbackError(`The ID token of provider "${id}" has an invalid signature.`);
}

/**
 * A multi-tenant server has many issuers; the one required in an ID token depends on its claims. They are not verified
 * here, but immediately afterwards, against this issuer and the server's keys.
 */
async function issuerFor(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
): Promise<oauth.AuthorizationServer> {
  const issuerOf = tenantIssuerOf(provider);
  if (issuerOf === undefined) return server;
  return { ...server, issuer: issuerOf(await unverifiedClaims(answer), server.issuer) };
}

/** The claims of the ID token in a response, before anything about them is verified. */
export async function unverifiedClaims(answer: Response): Promise<Record<string, unknown>> {
  const { id_token } = Object(await jsonOf(answer));
  // Without an ID token the response is an error, which is read later.
  return typeof id_token === "string" ? parseJwtSegment(id_token, 1) : {};
}

/**
 * Requires that the JWT in a response was signed with a published key of the server.
 *
 * @param answer Response with an ID token or signed userinfo, already processed by oauth4webapi.
 * @param keyId The `kid` of the JWT, which distinguishes a rotation from a token that is rejected repeatedly; absent: unknown.
 * @returns the published keys, among which is that of the JWT.
 * @throws errors of oauth4webapi.
 */
export async function requirePublishedKey(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  keyId?: unknown,
): Promise<readonly oauth.JWK[]> {
  try {
    return await verifyWith(server, provider, answer);
  } catch (error) {
    const isKeyMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isKeyMissing) throw error;
    // The provider may have rotated its keys since they were fetched: retry once, then reject.
    const again = forgetKeys(provider, server, keyId);
    if (again === null) throw error;
    const keys = await verifyWith(again.server, provider, answer);
    again.found();
    return keys;
  }
}

/** What oauth4webapi has fetched, and the last keys of it: it empties its cache before it fetches them again. */
interface Fetched {
  readonly cache: oauth.JWKSCacheInput;
  keys: readonly oauth.JWK[];
}

/** Keyed by the server object, as in oauth4webapi. */
const ofResponses = new WeakMap<oauth.AuthorizationServer, Fetched>();

async function verifyWith(server: oauth.AuthorizationServer, provider: ResolvedOAuthProvider, answer: Response) {
  const entry: Fetched = ofResponses.get(server) ?? { cache: {}, keys: [] };
  ofResponses.set(server, entry);
  const options = { ...requestOptions(provider, server.jwks_uri), [oauth.jwksCache]: entry.cache };
  await oauth.validateApplicationLevelSignature(server, answer, options);
  if ("jwks" in entry.cache) entry.keys = entry.cache.jwks.keys;
  return entry.keys;
}
