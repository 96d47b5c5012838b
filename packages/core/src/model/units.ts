declare const unit: unique symbol;

/** A length of time in whole seconds. */
export type Seconds = number & { readonly [unit]?: "seconds" };

/** A point in time in whole seconds since 1970-01-01T00:00:00Z (`NumericDate`, RFC 7519 §2). */
export type EpochSeconds = number & { readonly [unit]?: "epoch-seconds" };

/** A point in time in milliseconds since 1970-01-01T00:00:00Z, as databases keep it. */
export type EpochMilliseconds = number & { readonly [unit]?: "epoch-milliseconds" };

/** Fifteen minutes: long enough to sign in at a provider, short enough for a stolen cookie to be worthless (docs/behaviour.md#cookies). */
export const PENDING_SIGN_IN_LIFETIME: Seconds = 15 * 60;

/** A day: how long a form may stay open before its token is refused. */
export const CSRF_TOKEN_LIFETIME: Seconds = 24 * 60 * 60;

/** A day: a sign-in is recent for hours at most, so that a longer memory of it serves nothing. */
export const SIGN_IN_TIME_LIFETIME: Seconds = 24 * 60 * 60;

/** Default life of a link in an e-mail (docs/behaviour.md#e-mail). */
export const DEFAULT_EMAIL_MAX_AGE: Seconds = 24 * 60 * 60;

/** How long after its end a token of ours is accepted, for servers whose clocks differ. */
export const CLOCK_TOLERANCE: Seconds = 15;

/** How far the clock of another server of this application may be ahead of ours: what it made a moment ago is from our future. */
export const SERVER_CLOCK_DIFFERENCE: Seconds = 60;

/** Default for the bytes of opened session tokens that are kept: some two thousand of usual size. */
export const DEFAULT_TOKEN_CACHE = 1024 * 1024;

/** Default life of a session: 30 days (docs/sessions.md). */
export const DEFAULT_SESSION_MAX_AGE: Seconds = 30 * 24 * 60 * 60;

/** Default time after which a session that is in use is renewed: one day (docs/sessions.md). */
export const DEFAULT_SESSION_UPDATE_AGE: Seconds = 24 * 60 * 60;

/** 400 days: browsers keep no cookie for longer (RFC 6265bis §5.6.2). */
export const MAX_LIFETIME: Seconds = 400 * 24 * 60 * 60;

/** A version with one, two or three parts (docs/configuration.md). */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`;
