import { sha256 } from "../crypto/primitives.ts";
import { isCurrent } from "../crypto/sealed-claims.ts";
import type { JWT } from "../model/records.ts";
import type { SessionFormats } from "../model/resolved-extensions.ts";
import type { SessionFormat } from "../model/session-format.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { prefixedNames } from "../protocol/cookie-prefix.ts";

/** Session cookies of other libraries (docs/extensions.md#session-formats). An application without extensions has none of this. */
export function createSessionFormats(given: readonly SessionFormat[]): SessionFormats {
  const formats = given.map((format) => {
    const { cookie, nameOf = (secure: boolean) => `${secure ? "__Secure-" : ""}${cookie}` } = format;
    return { format, nameOf };
  });
  const accepted: SessionFormats["accepted"] = (maxAge, now) =>
    formats.filter(({ format: { emit, until = Number.POSITIVE_INFINITY } }) => now < until + (emit ? maxAge : 0));
  return {
    accepted,
    emitted: (now) => formats.find(({ format: { emit, until = Number.POSITIVE_INFINITY } }) => emit && now < until),
    cleared: (maxAge, now) => [...new Set(accepted(maxAge, now).flatMap(({ format }) => prefixedNames(format.cookie)))],
    open: async (format, token, name, { secrets, maxAge }, now) => {
      const claims = limitClaims(await format.open(token, name, secrets), maxAge, now);
      return claims === null ? null : identifyClaims(claims, token);
    },
  };
}

/** Characters of the hash that stands for the id of a token without one. */
const ID_LENGTH = 22;

/**
 * The claims with a user and an id that are text: adapters look them up, and extensions end sessions by them. Callbacks of the other library
 * may have written anything there.
 *
 * 1. `sub` is text, or a number and becomes text; without it the session names no user. Anything else is not a session.
 * 2. A `jti` that is not text is replaced by a hash of the token, so that no two sessions share one.
 */
async function identifyClaims(claims: JWT, token: string): Promise<JWT | null> {
  const { sub: user, jti: id, ...others }: Record<string, unknown> = claims;
  const sub = Number.isSafeInteger(user) ? String(user) : (user ?? undefined);
  if (sub !== undefined && typeof sub !== "string") return null;
  const jti = typeof id === "string" && id !== "" ? id : (await sha256(`session ${token}`)).slice(0, ID_LENGTH);
  return { ...others, ...(sub === undefined ? {} : { sub }), jti };
}

/**
 * The claims of another library's token, if they are current; null otherwise.
 *
 * 1. They are an object. `iat` and `exp` are required; both are plausible (RFC 7519 §4.1.4 to §4.1.6).
 * 2. The lifetime is ours, counted from `iat`, if the token names a longer one.
 */
function limitClaims(claims: JWT | null, maxAge: Seconds, now: EpochSeconds): JWT | null {
  if (typeof claims?.iat !== "number" || !isCurrent(claims)) return null;
  const ends = claims.iat + maxAge;
  return ends > now ? { ...claims, exp: Math.min(claims.exp ?? ends, ends) } : null;
}
