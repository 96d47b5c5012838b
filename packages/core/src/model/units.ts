/** Names the unit of a number for the type checker; no value has it. */
declare const unit: unique symbol;

/** A length of time in whole seconds. */
export type Seconds = number & { readonly [unit]?: "seconds" };

/** A point in time in whole seconds since 1970-01-01T00:00:00Z (`NumericDate`, RFC 7519 §2). */
export type EpochSeconds = number & { readonly [unit]?: "epoch-seconds" };

/** A point in time in milliseconds since 1970-01-01T00:00:00Z, as stored in databases. */
export type EpochMilliseconds = number & { readonly [unit]?: "epoch-milliseconds" };

/**
 * Fifteen minutes: long enough to sign in with a provider, short enough to make a stolen cookie worthless
 * (docs/behaviour.md#cookies).
 */
export const PENDING_SIGN_IN_LIFETIME: Seconds = 15 * 60;

/** A day: how long a form may stay open before its token is rejected. */
export const CSRF_TOKEN_LIFETIME: Seconds = 24 * 60 * 60;

/** A day: a sign-in counts as recent for hours at most, so a longer lifetime is not needed. */
export const SIGN_IN_TIME_LIFETIME: Seconds = 24 * 60 * 60;

/** Default lifetime of an e-mail link (docs/behaviour.md#e-mail). */
export const DEFAULT_EMAIL_MAX_AGE: Seconds = 24 * 60 * 60;

/** How long our own tokens are accepted after they expire, to allow for different server clocks. */
export const CLOCK_TOLERANCE: Seconds = 15;

/**
 * How far the clock of another server of this application may be ahead of ours, so that new values may seem to come from
 * the future.
 */
export const SERVER_CLOCK_DIFFERENCE: Seconds = 60;

/** Default size of the cache of decrypted session tokens in bytes: about two thousand typical tokens. */
export const DEFAULT_TOKEN_CACHE = 1024 * 1024;

/** Default session lifetime: 30 days (docs/sessions.md). */
export const DEFAULT_SESSION_MAX_AGE: Seconds = 30 * 24 * 60 * 60;

/** Default time after which a session in use is renewed: one day, unless it would have ended (docs/sessions.md). */
export const DEFAULT_SESSION_UPDATE_AGE: Seconds = 24 * 60 * 60;

/** 400 days: browsers limit the lifetime of cookies to that (RFC 6265bis §5.6.2). */
export const MAX_LIFETIME: Seconds = 400 * 24 * 60 * 60;

/** A version with one, two or three parts (docs/configuration.md). */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`;

/** Value of the header `Retry-After`, in seconds, of a response to a request that an outage prevented. */
export const RETRY_AFTER = "5";

/** A hundred years: the longest time that may be configured. Beyond it there are no valid dates. */
export const MAX_SECONDS: Seconds = 100 * 366 * 24 * 60 * 60;
