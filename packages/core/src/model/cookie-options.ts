import type { Seconds } from "./units.ts";

/** Cookie attributes, as accepted by the `cookie` package. */
export interface CookieAttributes {
  /** Hosts that receive the cookie; without it, only the host that set it. */
  domain?: string | undefined;
  /** When the browser deletes the cookie; `maxAge` takes precedence. */
  expires?: Date | undefined;
  /** Whether scripts are prevented from reading the cookie. */
  httpOnly?: boolean | undefined;
  /** Lifetime in seconds; without it and `expires`, until the browser is closed. */
  maxAge?: Seconds | undefined;
  /** Whether the cookie is partitioned by top-level site (CHIPS). */
  partitioned?: boolean | undefined;
  /** Paths that receive the cookie. */
  path?: string | undefined;
  /** Which cookies browsers delete first when there are too many. */
  priority?: "low" | "medium" | "high" | undefined;
  /** Whether requests from other sites carry the cookie; `true` means `strict`. */
  sameSite?: boolean | "lax" | "strict" | "none" | undefined;
  /** Whether only https requests carry the cookie. */
  secure?: boolean | undefined;
}

/** Name and attributes of one of the library's cookies. */
export interface CookieOption {
  /** The full name, prefix included. */
  name: string;
  /** The attributes. */
  options: CookieAttributes;
}

/** The name of the session cookie without prefix. */
export const SESSION_COOKIE = "cardea.session-token";

/** The library's cookies by purpose. Each can be renamed or given other attributes. */
export interface CookiesOptions {
  /** The session. */
  sessionToken?: Partial<CookieOption> | undefined;
  /** A random text that scripts can read, and that changes at sign-in, update and sign-out. */
  sessionMark?: Partial<CookieOption> | undefined;
  /** The redirect target after sign-in. */
  callbackUrl?: Partial<CookieOption> | undefined;
  /** The CSRF token. */
  csrfToken?: Partial<CookieOption> | undefined;
  /** Its `options` apply to the cookie of `state`; its `name` is unused. */
  pkceCodeVerifier?: Partial<CookieOption> | undefined;
  /** A pending sign-in. */
  state?: Partial<CookieOption> | undefined;
  /** Its `options` apply to the cookie of `state`; its `name` is unused. */
  nonce?: Partial<CookieOption> | undefined;
  /** A pending passkey registration or authentication. */
  webauthnChallenge?: Partial<CookieOption> | undefined;
  /** Contains the proof of an e-mail address while its owner chooses on the page `confirm-address`. */
  address?: Partial<CookieOption> | undefined;
  /** Contains the address or user name that was typed on the built-in sign-in page. */
  identifier?: Partial<CookieOption> | undefined;
  /** The id of the provider that was used last; set only with `theme.lastMethod`. */
  lastMethod?: Partial<CookieOption> | undefined;
  /** Time of the last sign-in in this browser; set only if a provider has `maxSignInAge`. */
  signInTime?: Partial<CookieOption> | undefined;
  /** The reference that the error page shows. */
  error?: Partial<CookieOption> | undefined;
}
