/**
 * Lifetime of a logout token without `exp`, in seconds (left to the client by Back-Channel Logout §2.6), and the clock
 * tolerance.
 */
const MAX_AGE = 120;

/**
 * How long a `jti` is remembered at most, in seconds: ten years. Some providers give times in milliseconds, and a store
 * refuses such a lifetime.
 */
const MAX_REMEMBERED = 10 * 366 * 24 * 60 * 60;

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** The validated content of a logout token. */
export interface LogoutToken {
  readonly iss: string;
  readonly jti: string;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  /** Until when its `jti` must be remembered, in seconds since the epoch. */
  readonly until: number;
}

/**
 * Checks the claims of a logout token whose type, signature, issuer, audience and times are verified (OIDC Back-Channel Logout §2.6). Never
 * throws.
 *
 * 1. `iat` is present; without `exp`, it is at most two minutes old.
 * 2. `events` contains the logout event, with an object.
 * 3. `sub` or `sid` is a string. One that is `null` is absent.
 * 4. No `nonce`: an ID token is not a logout token.
 * 5. `jti`.
 *
 * @returns the token, or the reason for rejecting it.
 */
export function checkLogoutToken(claims: Readonly<Record<string, unknown>>, now: number): LogoutToken | string {
  const { iss, iat, exp, events, nonce, jti } = claims;
  const sub = claims.sub ?? undefined;
  const sid = claims.sid ?? undefined;
  if (typeof iss !== "string") return "`iss` is missing";
  if (typeof iat !== "number") return "`iat` is missing";
  if (exp === undefined && iat < now - MAX_AGE) return "the token is too old";
  const event: unknown = isObject(events) && Object.hasOwn(events, EVENT) ? events[EVENT] : undefined;
  if (!isObject(event)) return "`events` has no logout event";
  if (nonce !== undefined) return "the token has a `nonce`";
  if (!isTextOrAbsent(sub) || !isTextOrAbsent(sid)) return "`sub` or `sid` is not a string";
  if (sub === undefined && sid === undefined) return "the token has neither `sub` nor `sid`";
  if (typeof jti !== "string" || jti === "" || jti.length > 256) return "`jti` is missing";
  const until = typeof exp === "number" ? Math.min(exp + MAX_AGE, now + MAX_REMEMBERED) : now + 3 * MAX_AGE;
  return { iss, jti, sub, sid, until };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && value !== "" && value.length <= 256);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
