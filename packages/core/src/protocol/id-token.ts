import type { EpochSeconds, Seconds } from "../model/units.ts";

/**
 * An ID token is minutes old at most when it comes with the answer of the token endpoint (OIDC Core §3.1.3.7 rule 10).
 * Microsoft Entra ID dates its tokens five minutes back, for clients whose clocks are slow.
 */
export const ID_TOKEN_MAX_AGE: Seconds = 8 * 60;

/** How far the provider's clock may be ahead of ours. */
export const ID_TOKEN_CLOCK_TOLERANCE: Seconds = 60;

/** How long after its end an ID token is accepted. */
export const ID_TOKEN_EXPIRY_TOLERANCE: Seconds = 30;

/**
 * Types of an ID token, where it names one. The same keys sign JWTs of other types, `at+jwt` and `logout+jwt` among them, so
 * that a type that is not known is refused (RFC 8725 §3.11).
 */
const ID_TOKEN_TYPES = /^(?:application\/)?(?:id_token\+)?jwt$/i;

/** OIDC Core §2; control characters, which databases treat differently, are not for identifiers. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** What is judged beyond the checks that oauth4webapi makes. */
export interface IdTokenFacts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  /** What `at_hash` must be if it is there. */
  readonly accessTokenHash: string | undefined;
  /** When the person must have proved themselves last, if `max_age` was asked for. */
  readonly authenticatedSince: EpochSeconds | undefined;
  readonly now: EpochSeconds;
}

/**
 * Judges an ID token whose signature, issuer, expiry and nonce have been checked. Never throws.
 *
 * 1. It is an ID token, not another JWT of the same issuer (OIDC Core §2, RFC 8725 §3.11).
 * 2. `sub` is 1 to 255 ASCII characters (OIDC Core §2).
 * 3. `aud` names this client and no other (OIDC Core §3.1.3.7 rule 3).
 * 4. `azp`, if there, is this client (rule 5).
 * 5. It has not expired, give or take half a minute (rule 9).
 * 6. `iat` is neither in the future nor minutes in the past (rule 10).
 * 7. `auth_time` is there, late enough and not in the future, where `max_age` was asked for (rule 13).
 * 8. `at_hash`, if there, fits the access token (OIDC Core §3.1.3.8).
 *
 * @returns what is wrong, or null.
 */
export function checkIdToken(facts: IdTokenFacts): string | null {
  const { header, claims, clientId, now } = facts;
  const { typ = "JWT" } = header;
  if (typeof typ !== "string" || !ID_TOKEN_TYPES.test(typ) || "events" in claims) return "it is not an ID token";
  if (typeof claims.sub !== "string" || !SUBJECT.test(claims.sub)) return "`sub` is not 1 to 255 ASCII characters";
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (audience.length === 0 || audience.some((entry) => entry !== clientId)) return "`aud` names another client";
  if (claims.azp !== undefined && claims.azp !== clientId) return "`azp` names another client";
  if (typeof claims.exp !== "number" || claims.exp <= now - ID_TOKEN_EXPIRY_TOLERANCE) return "it has expired";
  if (typeof claims.iat !== "number") return "`iat` is missing";
  if (claims.iat > now + ID_TOKEN_CLOCK_TOLERANCE) return "`iat` is in the future";
  if (claims.iat < now - ID_TOKEN_MAX_AGE) return "`iat` is too far in the past";
  if (isStale(claims.auth_time, facts.authenticatedSince, now))
    return "`auth_time` is missing, too far in the past or in the future";
  if (claims.at_hash !== undefined && claims.at_hash !== facts.accessTokenHash)
    return "`at_hash` does not fit the access token";
  return null;
}

function isStale(authTime: unknown, since: EpochSeconds | undefined, now: EpochSeconds): boolean {
  if (since === undefined) return false;
  if (typeof authTime !== "number") return true;
  return authTime < since - ID_TOKEN_CLOCK_TOLERANCE || authTime > now + ID_TOKEN_CLOCK_TOLERANCE;
}
