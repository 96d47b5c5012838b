/** Seconds that a logout token without `exp` counts (Back-Channel Logout §2.6 leaves it to the client), and clocks may differ. */
const MAX_AGE = 120;

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** What a logout token is about. */
export interface LogoutToken {
  readonly iss: string;
  readonly jti: string;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  /** Until when its `jti` has to be remembered, in seconds since the epoch. */
  readonly until: number;
}

/**
 * Checks the claims of a logout token whose type, signature, issuer, audience and times are verified (OIDC Back-Channel Logout §2.6). Never
 * throws.
 *
 * 1. `iat` is there; without `exp` it is two minutes old at most.
 * 2. `events` has the logout event, with an object.
 * 3. `sub` or `sid`, as text.
 * 4. No `nonce`: an ID token is not a logout token.
 * 5. `jti`.
 *
 * @returns why it is refused, as text.
 */
export function checkLogoutToken(claims: Readonly<Record<string, unknown>>, now: number): LogoutToken | string {
  const { iss, iat, exp, events, nonce, sub, sid, jti } = claims;
  if (typeof iss !== "string") return "`iss` is missing";
  if (typeof iat !== "number") return "`iat` is missing";
  if (exp === undefined && iat < now - MAX_AGE) return "it is too old";
  const event: unknown = isObject(events) && Object.hasOwn(events, EVENT) ? events[EVENT] : undefined;
  if (!isObject(event)) return "`events` has no logout event";
  if (nonce !== undefined) return "it has a `nonce`";
  if (!isTextOrAbsent(sub) || !isTextOrAbsent(sid)) return "`sub` or `sid` is not text";
  if (sub === undefined && sid === undefined) return "it has neither `sub` nor `sid`";
  if (typeof jti !== "string" || jti === "" || jti.length > 256) return "`jti` is missing";
  const until = typeof exp === "number" ? exp + MAX_AGE : now + 3 * MAX_AGE;
  return { iss, jti, sub, sid, until };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && value !== "" && value.length <= 256);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
