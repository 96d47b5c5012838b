import * as oauth from "oauth4webapi";
import { decodeBase64url } from "../../crypto/primitives.ts";
import { verifyHmacSignature } from "../../crypto/verify-signature.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";
import { tenantIssuerOf } from "../../protocol/id-token.ts";
import { parseJwtSegment } from "../../protocol/received-json.ts";
import { forgetKeys, requestOptions } from "./find-server.ts";

/** Maximum length of a remembered key id. */
const MAX_KEY_ID = 256;

/**
 * Requires the signature of an ID token: with a published key of the server, or, if the client registered an HMAC
 * algorithm, with the client's own secret (OIDC Core §10.1). The token never chooses: HMAC is never accepted from a
 * provider with keys (RFC 8725 §2.1). Of a multi-tenant server, a key may be of some tenants only.
 *
 * @param answer Response of the token endpoint, already processed by oauth4webapi.
 * @throws OAuthCallbackError, and errors of oauth4webapi.
 */
export async function requireIdTokenSignature(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  idToken = "",
): Promise<void> {
  const alg = provider.client.id_token_signed_response_alg;
  if (typeof alg === "string" && alg.startsWith("HS")) {
    if (await verifyHmacSignature(idToken, provider.clientSecret ?? "", alg)) return;
    throw wronglySigned(provider);
  }
  const keys = await requirePublishedKey(server, provider, answer, idToken);
  const issuerOf = tenantIssuerOf(provider);
  if (issuerOf === undefined) return;
  const { kid } = parseJwtSegment(idToken, 0);
  const claims = parseJwtSegment(idToken, 1);
  const own = keys.filter((key) => kid === undefined || key.kid === kid);
  if (own.length === 0 || own.some((key) => issuerOf(claims, server.issuer, { ...key }) !== claims.iss))
    throw wronglySigned(provider);
}

function wronglySigned({ id }: ResolvedOAuthProvider): OAuthCallbackError {
  return new OAuthCallbackError(`The ID token of provider "${id}" has an invalid signature.`);
}

/**
 * Requires that the JWT in a response was signed with a published key of the server.
 *
 * @param answer Response with an ID token or signed userinfo, already processed by oauth4webapi.
 * @param token The JWT, if known. Its key id distinguishes a rotation from a token that is rejected repeatedly.
 * @returns the published keys, among which is that of the JWT.
 * @throws errors of oauth4webapi.
 */
export async function requirePublishedKey(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  token = "",
): Promise<readonly oauth.JWK[]> {
  try {
    return await verifyWith(server, provider, answer);
  } catch (error) {
    const isKeyMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isKeyMissing) throw error;
    // The provider may have rotated its keys since they were fetched: retry once, then reject.
    const again = forgetKeys(provider, server, keyIdOf(token));
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
const fetched = new WeakMap<oauth.AuthorizationServer, Fetched>();

async function verifyWith(server: oauth.AuthorizationServer, provider: ResolvedOAuthProvider, answer: Response) {
  const entry: Fetched = fetched.get(server) ?? { cache: {}, keys: [] };
  fetched.set(server, entry);
  const options = { ...requestOptions(provider, server.jwks_uri), [oauth.jwksCache]: entry.cache };
  await oauth.validateApplicationLevelSignature(server, answer, options);
  if ("jwks" in entry.cache) entry.keys = entry.cache.jwks.keys;
  return entry.keys;
}

/** The key id of a JWT whose header was read before; empty for none. */
function keyIdOf(token: string): string {
  const header = decodeBase64url(token.split(".")[0] ?? "");
  if (header === null || header.length === 0) return "";
  const { kid } = Object(JSON.parse(new TextDecoder().decode(header)));
  return typeof kid === "string" ? kid.slice(0, MAX_KEY_ID) : "";
}
