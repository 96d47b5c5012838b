import type { OAuthProvider } from "../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";

/**
 * Maximum age of an ID token in a token response (OIDC Core §3.1.3.7 rule 10). Microsoft Entra ID dates its tokens five
 * minutes back, for clients with slow clocks.
 */
export const ID_TOKEN_MAX_AGE: Seconds = 8 * 60;

/** How far the provider's clock may be ahead of ours. */
export const ID_TOKEN_CLOCK_TOLERANCE: Seconds = 60;

/** How long an ID token is accepted after it expires. */
export const ID_TOKEN_EXPIRY_TOLERANCE: Seconds = 30;

/**
 * The `typ` of an ID token, if present. The same keys sign other JWTs, such as `at+jwt` and `logout+jwt`, so unknown types
 * are rejected (RFC 8725 §3.11).
 */
const ID_TOKEN_TYPES = /^(?:application\/)?(?:id_token\+)?jwt$/i;

/** OIDC Core §2; without control characters, which databases treat differently. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** Input of the checks beyond those of oauth4webapi. */
export interface IdTokenFacts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  /** Audiences that a token without `azp` may have besides the client. */
  readonly audiences: readonly string[];
  /** The required value of `at_hash`, if the token has one. */
  readonly accessTokenHash: string | undefined;
  /** The earliest allowed time of authentication, if `max_age` was requested. */
  readonly authenticatedSince: EpochSeconds | undefined;
  readonly now: EpochSeconds;
}

/**
 * Checks an ID token whose signature, issuer, expiry and nonce have been verified. Never throws.
 *
 * 1. It is an ID token, not another JWT of the same issuer (OIDC Core §2, RFC 8725 §3.11).
 * 2. `sub` is 1 to 255 ASCII characters (OIDC Core §2).
 * 3. `aud` contains this client (OIDC Core §3.1.3.7 rule 3).
 * 4. `azp`, if present, is this client (rule 5). Without it, every further audience is one of the configuration (rule 3).
 * 5. It has not expired, within half a minute (rule 9).
 * 6. `iat` is neither in the future nor minutes in the past (rule 10).
 * 7. `auth_time` is present, recent enough and not in the future, if `max_age` was requested (rule 13).
 * 8. `at_hash`, if present, matches the access token (OIDC Core §3.1.3.8).
 *
 * @returns the reason for rejection, or null.
 */
export function checkIdToken(facts: IdTokenFacts): string | null {
  const { header, claims, clientId, now } = facts;
  const { typ = "JWT" } = header;
  if (typeof typ !== "string" || !ID_TOKEN_TYPES.test(typ) || "events" in claims) return "it is not an ID token";
  if (typeof claims.sub !== "string" || !SUBJECT.test(claims.sub)) return "`sub` is not 1 to 255 ASCII characters";
  const audience = audienceOf(claims);
  if (!audience.includes(clientId) || audience.some((entry) => typeof entry !== "string"))
    return "`aud` does not contain the client id";
  if (claims.azp !== undefined && claims.azp !== clientId) return "`azp` does not match the client id";
  if (claims.azp === undefined && !hasTrustedAudience(claims, facts))
    return "`aud` contains an audience that the provider option `audiences` does not list, and `azp` is missing";
  if (typeof claims.exp !== "number" || claims.exp <= now - ID_TOKEN_EXPIRY_TOLERANCE)
    return expiredMessage(claims.exp, now);
  if (typeof claims.iat !== "number") return "`iat` is missing";
  if (claims.iat > now + ID_TOKEN_CLOCK_TOLERANCE) return clockMessage(claims.iat - now);
  if (claims.iat < now - ID_TOKEN_MAX_AGE) return clockMessage(claims.iat - now);
  if (isStale(claims.auth_time, facts.authenticatedSince, now))
    return "`auth_time` is missing, too far in the past or in the future";
  if (claims.at_hash !== undefined && claims.at_hash !== facts.accessTokenHash)
    return "`at_hash` does not match the access token";
  return null;
}

function expiredMessage(exp: unknown, now: EpochSeconds): string {
  if (typeof exp !== "number") return "it has no `exp`";
  return `it expired ${now - exp} s ago by this server's clock; if the provider has just issued it, compare the clocks of both`;
}

/** Two clocks differ, and only a third one could tell which is wrong. */
function clockMessage(seconds: number): string {
  const [theirs, ours, where] = seconds > 0 ? ["ahead", "behind", "future"] : ["behind", "ahead", "past"];
  return `\`iat\` is ${Math.abs(seconds)} s in the ${where} by this server's clock: the provider's clock is ${theirs}, or this server's is ${ours}; synchronize them (NTP)`;
}

/** The audiences of a token, untrusted. */
export function audienceOf({ aud }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(aud) ? aud : [aud];
}

/** Whether every audience is this client or one of the configuration. */
export function hasTrustedAudience(
  claims: Readonly<Record<string, unknown>>,
  { clientId, audiences }: Pick<IdTokenFacts, "clientId" | "audiences">,
): boolean {
  return audienceOf(claims).every((entry) => entry === clientId || audiences.some((one) => one === entry));
}

function isStale(authTime: unknown, since: EpochSeconds | undefined, now: EpochSeconds): boolean {
  if (since === undefined) return false;
  if (typeof authTime !== "number") return true;
  return authTime < since - ID_TOKEN_CLOCK_TOLERANCE || authTime > now + ID_TOKEN_CLOCK_TOLERANCE;
}

/** The tenant of personal Microsoft accounts (https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference). */
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

/**
 * The issuers of a multi-tenant server; undefined for any other.
 *
 * Packages for Auth.js v5 use symbols to mark special behaviour of its core. One of them is a Microsoft issuer that stands
 * for several tenants: the issuer of an ID token then contains the tenant in its claim `tid`, and that of a key may too.
 */
export function tenantIssuerOf({ type, source }: ResolvedOAuthProvider): OAuthProvider["idTokenIssuer"] {
  const { idTokenIssuer, issuer: configured = "" } = source;
  if (idTokenIssuer !== undefined) return idTokenIssuer;
  const isMarked = Object.getOwnPropertySymbols(source).some(({ description }) => description === "conform-internal");
  const [, tenants] = /^https:\/\/[^/]+\/(common|organizations|consumers)\/v2\.0$/.exec(configured) ?? [];
  if (type !== "oidc" || !isMarked || tenants === undefined) return undefined;
  return ({ tid }, issuer, key) => {
    const isOutside = tenants === (tid === CONSUMERS ? "organizations" : "consumers");
    if (typeof tid !== "string" || isOutside) return issuer;
    return typeof key?.issuer === "string"
      ? key.issuer.replace("{tenantid}", tid)
      : issuer.replace(`/${tenants}/`, `/${tid}/`);
  };
}
