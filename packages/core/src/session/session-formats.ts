import { sha256 } from "../crypto/primitives.ts";
import { isCurrent } from "../crypto/sealed-claims.ts";
import type { JWT } from "../model/records.ts";
import type { SessionFormats } from "../model/resolved-extensions.ts";
import type { SessionFormat } from "../model/session-format.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { prefixedNames } from "../protocol/received-cookies.ts";

/** Session cookies of other libraries (docs/extensions.md#session-formats). Not part of applications without extensions. */
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

/** Length of the hash that serves as id for a token without one. */
const ID_LENGTH = 22;

/**
 * Returns the claims with `sub` and `jti` as text: adapters look users up by one, and extensions end sessions by the other. The
 * other library's callbacks may have written any value.
 *
 * 1. `sub` is text, or a number, which becomes text. If it is absent, the session names no user. Any other value is rejected.
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
 * The claims of another library's token if they have not expired, otherwise null.
 *
 * 1. They are an object with plausible `iat` and `exp` (RFC 7519 §4.1.4 to §4.1.6).
 * 2. If the token's lifetime is longer than ours, ours applies, counted from `iat`.
 */
function limitClaims(claims: JWT | null, maxAge: Seconds, now: EpochSeconds): JWT | null {
  if (typeof claims?.iat !== "number" || !isCurrent(claims)) return null;
  const ends = claims.iat + maxAge;
  return ends > now ? { ...claims, exp: Math.min(claims.exp ?? ends, ends) } : null;
}
