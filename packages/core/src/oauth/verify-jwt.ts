import { type AuthorizationServer, customFetch } from "oauth4webapi";
import { verifyHmacSignature, verifyPublished } from "../crypto/verify-signature.ts";
import { InvalidEndpoints, OAuthCallbackError } from "../model/errors.ts";
import type { ExpectedJwt, VerifiedJwt } from "../model/provider-tools.ts";
import type { Profile } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds } from "../model/units.ts";
import {
  audienceOf,
  ID_TOKEN_CLOCK_TOLERANCE,
  ID_TOKEN_EXPIRY_TOLERANCE,
  tenantIssuerOf,
} from "../protocol/id-token.ts";
import { isJsonObject, parseJwtSegment } from "../protocol/received-json.ts";
import { failedKeysOf, findServer, forgetKeys, requestOptions, UNKNOWN_ISSUER } from "./find-server.ts";

/** Maximum length of a token in bytes; longer tokens are rejected. */
const MAX_LENGTH = 16 * 1024;

/**
 * Signature algorithms with a published key. Anything else in the metadata, including `none` and HMAC, is never
 * accepted (RFC 8725 §3.1).
 */
const ASYMMETRIC = new Set([
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
]);

interface Opened {
  readonly header: Profile;
  readonly claims: Profile;
}

/**
 * Verifies a JWT that a provider signed for this client.
 *
 * 1. It has three base64url parts without duplicate members; `typ` is an expected value (RFC 8725 §3.11); `crit` is
 *    absent (RFC 7515 §4.1.11).
 * 2. `iss` is exactly the provider's issuer, and `aud` contains this client (RFC 8725 §3.8, §3.9).
 * 3. `iat`, `nbf` and `exp`, if present, are numbers; the token is neither from the future nor expired.
 * 4. The signature is valid, with an algorithm from the configuration, otherwise from the metadata, otherwise RS256
 *    (RFC 8725 §3.1).
 *
 * @throws AuthError, or an error of fetching the metadata, if the keys could not be read.
 */
export async function verifyJwt(
  provider: ResolvedOAuthProvider,
  token: string,
  expected: ExpectedJwt,
  now: EpochSeconds,
): Promise<VerifiedJwt> {
  const opened = parseJwt(token);
  if (opened === null) return rejected("it is not a JWT");
  const { header, claims } = opened;
  const form = checkHeader(header, expected);
  if (form !== null) return rejected(form);
  const server = await findServer(provider);
  const fault = checkClaims(provider, server, claims, now);
  if (fault !== null) return rejected(fault);
  return (await isSigned(server, provider, token, opened))
    ? { kind: "verified", header, claims }
    : rejected("its signature is invalid");
}

function rejected(why: string): VerifiedJwt {
  return { kind: "refused", why };
}

function parseJwt(token: string): Opened | null {
  if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
  try {
    return { header: parseJwtSegment(token, 0), claims: parseJwtSegment(token, 1) };
  } catch {
    return null;
  }
}

function checkHeader({ typ, crit, alg }: Profile, { types, allowsMissingType = false }: ExpectedJwt): string | null {
  if (crit !== undefined) return "it has critical header parameters";
  if (typeof alg !== "string") return "it has no algorithm";
  if (typ === undefined) return allowsMissingType ? null : "its type is missing";
  if (typeof typ !== "string") return "its type is not a string";
  const type = typ.toLowerCase().replace(/^application\//, "");
  return types.includes(type) ? null : "its type is not accepted";
}

function checkClaims(
  provider: ResolvedOAuthProvider,
  { issuer }: AuthorizationServer,
  claims: Profile,
  now: EpochSeconds,
): string | null {
  const { clientId } = provider;
  const required = tenantIssuerOf(provider)?.(claims, issuer) ?? issuer;
  if (issuer === UNKNOWN_ISSUER || claims.iss !== required) return "`iss` is not the issuer of the provider";
  if (!audienceOf(claims).includes(clientId)) return "`aud` does not contain the client id";
  for (const name of ["iat", "nbf", "exp"] as const) {
    if (claims[name] !== undefined && !Number.isFinite(claims[name])) return `\`${name}\` is not a number`;
  }
  const { iat, nbf, exp } = claims;
  const latest = now + ID_TOKEN_CLOCK_TOLERANCE;
  if (typeof iat === "number" && iat > latest) return "`iat` is in the future";
  if (typeof nbf === "number" && nbf > latest) return "`nbf` is in the future";
  return typeof exp === "number" && exp <= now - ID_TOKEN_EXPIRY_TOLERANCE ? "it has expired" : null;
}

/**
 * Whether a JWT is signed for this provider. Of a multi-tenant server, a key that names its issuer verifies only tokens of
 * that issuer: otherwise one tenant's key would sign for all.
 */
async function isSigned(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
  token: string,
  { header, claims }: Opened,
): Promise<boolean> {
  const configured = provider.client.id_token_signed_response_alg;
  if (typeof configured === "string" && configured.startsWith("HS")) {
    return verifyHmacSignature(token, provider.clientSecret ?? "", configured);
  }
  const algorithms = algorithmsOf(configured, server.id_token_signing_alg_values_supported);
  const issuerOf = tenantIssuerOf(provider) ?? (() => claims.iss);
  const verify = async (by: AuthorizationServer) => {
    const keys = await publishedKeys(by, provider);
    const own = keys.filter((key) => issuerOf(claims, server.issuer, { ...key }) === claims.iss);
    return verifyPublished(token, own, algorithms);
  };
  const first = await verify(server);
  if (first !== "unknown-key") return first === "verified";
  const again = forgetKeys(provider, server, header.kid);
  if (again === null) return false;
  const second = await verify(again.server);
  if (second !== "unknown-key") again.found();
  return second === "verified";
}

function algorithmsOf(configured: unknown, announced: unknown): readonly string[] {
  const listed: unknown[] = Array.isArray(announced) ? announced : ["RS256"];
  const given = typeof configured === "string" ? [configured] : listed;
  return given.filter((alg): alg is string => typeof alg === "string" && ASYMMETRIC.has(alg));
}

/** Keyed by the server object, as in oauth4webapi. When keys are dropped, or after an hour, a new object is used. */
const fetched = new WeakMap<AuthorizationServer, Promise<readonly object[]>>();

/**
 * The published keys of a server (RFC 7517 §5), requested once for all tokens.
 *
 * @throws InvalidEndpoints if the server publishes none; OAuthCallbackError if they could not be read.
 */
function publishedKeys(server: AuthorizationServer, provider: ResolvedOAuthProvider): Promise<readonly object[]> {
  const known = fetched.get(server);
  if (known !== undefined) return known;
  const pending = requestKeys(server, provider);
  fetched.set(server, pending);
  pending.catch(() => fetched.delete(server));
  return pending;
}

async function requestKeys(
  { jwks_uri }: AuthorizationServer,
  provider: ResolvedOAuthProvider,
): Promise<readonly object[]> {
  const cause = { provider: provider.id };
  if (jwks_uri === undefined) throw new InvalidEndpoints(`Provider "${provider.id}" has no \`jwks_uri\`.`, { cause });
  const failed = failedKeysOf(provider);
  const call = Symbol("call");
  if (!failed.allows(jwks_uri, call)) throw unreadable(provider);
  failed.note(jwks_uri, call);
  const { [customFetch]: send } = requestOptions(provider, jwks_uri);
  const answer = await send(jwks_uri, { headers: { accept: "application/json, application/jwk-set+json" } });
  const body: unknown = answer.status === 200 ? await answer.json() : null;
  const keys: unknown = isJsonObject(body) ? body.keys : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) throw unreadable(provider);
  failed.forgive(jwks_uri, call);
  return keys;
}

function unreadable({ id }: ResolvedOAuthProvider): OAuthCallbackError {
  return new OAuthCallbackError(`The keys of provider "${id}" could not be read.`, { cause: { provider: id } });
}
