declare const unit: unique symbol;

/** A length of time in whole seconds. */
export type Seconds = number & { readonly [unit]?: "seconds" };

/** A point in time in whole seconds since 1970-01-01T00:00:00Z (`NumericDate`, RFC 7519 §2). */
export type EpochSeconds = number & { readonly [unit]?: "epoch-seconds" };

/** A point in time in milliseconds since 1970-01-01T00:00:00Z, as databases keep it. */
export type EpochMilliseconds = number & { readonly [unit]?: "epoch-milliseconds" };

/** Fifteen minutes: long enough to sign in at a provider, short enough for a stolen cookie to be worthless (contract 4). */
export const PENDING_SIGN_IN_LIFETIME: Seconds = 15 * 60;

/** A day: how long a form may stay open before its token is refused. */
export const CSRF_TOKEN_LIFETIME: Seconds = 24 * 60 * 60;

/** Default life of a link in an e-mail (contract 8). */
export const DEFAULT_EMAIL_MAX_AGE: Seconds = 24 * 60 * 60;

/** How far two clocks may be apart when the time claims of our own tokens are checked (contract 11). */
export const CLOCK_TOLERANCE: Seconds = 15;

/** Default life of a session: 30 days (spec 8). */
export const DEFAULT_SESSION_MAX_AGE: Seconds = 30 * 24 * 60 * 60;

/** Default time after which a session that is in use is renewed: one day (spec 8). */
export const DEFAULT_SESSION_UPDATE_AGE: Seconds = 24 * 60 * 60;

/** A version with one, two or three parts (spec 9.7). */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`;
