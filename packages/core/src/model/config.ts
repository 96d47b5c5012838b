import type { Adapter, AdapterOfAnyUser, AdapterSession, AdapterUser } from "./adapter.ts";
import type { Provider } from "./provider.ts";
import type { Account, Awaitable, JWT, Profile, Session, User } from "./records.ts";
import type { Store } from "./store.ts";
import type { PartialTexts } from "./texts.ts";
import type { Theme } from "./theme.ts";
import type { Seconds } from "./units.ts";

/** Set as `skipCSRFCheck` to switch CSRF protection off, where a framework has its own. Not recommended. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check");

/** Set as `raw`, for framework adapters: `Auth()` resolves to the parts of the response and rejects with its errors. */
export const raw: unique symbol = Symbol("raw");

/** Attributes of a cookie, as the `cookie` package serialises them. */
export interface CookieAttributes {
  domain?: string | undefined;
  expires?: Date | undefined;
  httpOnly?: boolean | undefined;
  maxAge?: Seconds | undefined;
  partitioned?: boolean | undefined;
  path?: string | undefined;
  priority?: "low" | "medium" | "high" | undefined;
  sameSite?: boolean | "lax" | "strict" | "none" | undefined;
  secure?: boolean | undefined;
}

/** Name and attributes of one of our cookies. */
export interface CookieOption {
  name: string;
  options: CookieAttributes;
}

/** The cookies by what they are for; each can be renamed or given other attributes. */
export interface CookiesOptions {
  /** The session. */
  sessionToken?: Partial<CookieOption> | undefined;
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
  /** Holds the proof of an address while its owner decides on the page `confirm-address`. */
  address?: Partial<CookieOption> | undefined;
  /** When this browser signed in last; set only where a provider has `maxSignInAge`. */
  signInTime?: Partial<CookieOption> | undefined;
}

/** Paths or URLs of the application's own pages; each replaces a built-in one. */
export interface PagesOptions {
  signIn?: string | undefined;
  signOut?: string | undefined;
  error?: string | undefined;
  verifyRequest?: string | undefined;
  newUser?: string | undefined;
}

/** Receives what the library has to say. A method that is missing falls back to the console. */
export interface LoggerInstance {
  error(error: Error): void;
  warn(code: string): void;
  debug(message: string, metadata?: unknown): void;
}

/** What `jwt.encode` gets. */
export interface JWTEncodeParams {
  token?: JWT | undefined;
  /** One secret, or several of which the first seals. */
  secret: string | readonly string[];
  /** Separates keys by use: the full name of the session cookie, prefix included. */
  salt: string;
  /** Life of the token in seconds; default 30 days. */
  maxAge?: Seconds | undefined;
}

/** What `jwt.decode` gets. */
export interface JWTDecodeParams {
  token?: string | undefined;
  /** One secret, or several of which each opens. */
  secret: string | readonly string[];
  /** Separates keys by use: the full name of the session cookie, prefix included. */
  salt: string;
}

/** How session tokens are made and read. */
export interface JWTOptions {
  /** Replaces the secret for session tokens. */
  secret: string | readonly string[];
  maxAge: Seconds;
  encode(params: JWTEncodeParams): Awaitable<string>;
  decode(params: JWTDecodeParams): Awaitable<JWT | null>;
  /**
   * Bytes that opened tokens may take in memory, so that the same token is not decrypted at each read; default 1 MiB, 0 for none.
   * Has no effect with a `decode` of your own.
   */
  tokenCache: number;
}

/** How sessions are kept (docs/sessions.md). */
export interface SessionOptions {
  /** Default `database` with an adapter, else `jwt`. */
  strategy?: "jwt" | "database" | undefined;
  /** Seconds of life; default 30 days. */
  maxAge?: Seconds | undefined;
  /** Seconds after which a session in use is renewed; default one day, 0 renews at each read. */
  updateAge?: Seconds | undefined;
  generateSessionToken?: (() => string) | undefined;
}

/** Parameters of `callbacks.signIn`. */
export interface SignInCallbackParams {
  user: User | AdapterUser;
  account: Account | null;
  /** What the provider said of the person (oauth, oidc). */
  profile?: Profile | undefined;
  /** What was typed (credentials). */
  credentials?: Record<string, unknown> | undefined;
  /** `verificationRequest` is true while the mail has not been sent. */
  email?: { verificationRequest?: boolean | undefined } | undefined;
}

/** Parameters of `callbacks.jwt`: at sign-in what was learned of the user, later the token alone. */
export type JWTCallbackParams = JWTAtSignIn | JWTAfterSignIn;

/** Parameters of `callbacks.jwt` at sign-in. `account` and `user` are always present together. */
export interface JWTAtSignIn {
  token: JWT;
  user: User | AdapterUser;
  account: Account | null;
  /** What the provider states of the user (oauth, oidc). */
  profile?: Profile | undefined;
  trigger: "signIn" | "signUp";
  /** @deprecated Use `trigger === "signUp"`. */
  isNewUser?: boolean | undefined;
  session?: undefined;
}

/** Parameters of `callbacks.jwt` when the session is read, renewed or updated. */
export interface JWTAfterSignIn {
  token: JWT;
  user?: undefined;
  account?: undefined;
  profile?: undefined;
  trigger?: "update" | undefined;
  isNewUser?: undefined;
  /** With `trigger: "update"`: what the client sent, of any type. Validate it before you copy a member into the token. */
  // biome-ignore lint/suspicious/noExplicitAny: callbacks written for Auth.js v5 read its members unchecked.
  session?: any;
}

/** Parameters of `callbacks.session`. */
export interface SessionCallbackParams {
  /**
   * Name, e-mail and image, and when the session ends. With the `database` strategy `expires` is a `Date` while the callback runs,
   * as in Auth.js; what it returns is turned into ISO 8601 text, which is what the type says.
   */
  session: Session & { user: User };
  /** The claims of the session token; only with the `jwt` strategy. */
  token: JWT;
  /** The user from the database; only with the `database` strategy. */
  user: AdapterUser;
  /** With `trigger: "update"`: what the client sent. Validate it. */
  newSession?: unknown;
  trigger?: "update" | undefined;
}

/** Parameters of `callbacks.allowAttempt`. */
export interface AttemptParams {
  /** Id of the provider. */
  provider: string;
  /**
   * What would be done next: `authorize()` called, a mail sent or its link redeemed, a passkey's options made or its response verified.
   * The path of `request` says which: `signin`, `webauthn-options` or `callback`.
   */
  type: "credentials" | "email" | "webauthn";
  /** The address that a mail would be sent to or that a link is of, in the form in which it is stored; only with `email`. */
  identifier?: string | undefined;
  /** What was typed, as `authorize()` would get it; only with `credentials`. */
  credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The request as it came; its body can be read. */
  request: Request;
}

/**
 * Functions that decide outcomes (docs/callbacks.md). `S` is the session that `session` returns and `auth()` resolves to; `A` is what
 * `authorized` reads of it, `R` the framework's request (decisions/016).
 */
export interface Callbacks<S = Session, A = S, R = Request> {
  /**
   * May somebody try to sign in now, before anything is checked, sent or verified? The place for a limit of tries by address
   * or account (ASVS 6.3.1). Anything but true, and a throw, refuse: by e-mail with the answer that everybody gets.
   */
  allowAttempt?(params: AttemptParams): Awaitable<boolean>;
  /** true goes on; false or a throw ends at the error page; a string redirects there. */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>;
  /** Where to go after sign-in or sign-out. Default: the same origin only. */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** What the session token holds; null ends the session. */
  jwt?(params: JWTCallbackParams): Awaitable<JWT | null>;
  /** What the client sees of the session. */
  session?(params: SessionCallbackParams): Awaitable<S>;
  /** In middleware and in front of handlers: may this request go on? Only `true` lets it; a response is the answer instead. */
  authorized?(params: { request: R; auth: A | null }): Awaitable<boolean | Response | undefined>;
}

/** The callbacks under their Auth.js v4 name, with the types of a provider's profile and of the account. */
export type CallbacksOptions<P = Profile, A = Account> = Omit<Callbacks, "signIn"> & {
  signIn?(
    params: Omit<SignInCallbackParams, "profile" | "account"> & { profile?: P; account: A | null },
  ): ReturnType<NonNullable<Callbacks["signIn"]>>;
};

/** Functions that observe (docs/callbacks.md). What they return is ignored, what they throw is logged. */
export interface EventCallbacks {
  signIn?(message: { user: User; account?: Account | null; profile?: Profile; isNewUser?: boolean }): Awaitable<void>;
  signOut?(message: { session: AdapterSession | null | undefined } | { token: JWT | null }): Awaitable<void>;
  createUser?(message: { user: User }): Awaitable<void>;
  updateUser?(message: { user: User }): Awaitable<void>;
  linkAccount?(message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }): Awaitable<void>;
  /** A session was read. `token`: only with the `jwt` strategy; with a database there is none. */
  session?(message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
}

/** Everything an application configures (docs/configuration.md). */
export interface AuthConfig<S = Session, A = S, R = Request> {
  /** The ways to sign in. An entry that is `false`, `null`, `undefined` or empty is left out: `process.env.AUTH_GITHUB_ID && GitHub`. */
  providers: readonly (Provider | false | null | undefined | "")[];
  adapter?: Adapter | AdapterOfAnyUser | undefined;
  /** Path under which the actions live, as browsers see it; default `/auth`, in Next.js `/api/auth`. */
  basePath?: string | undefined;
  callbacks?: Callbacks<S, A, R> | undefined;
  cookies?: CookiesOptions | undefined;
  /** Logs every step; ignored when `logger` is set. Secrets are redacted. */
  debug?: boolean | undefined;
  /**
   * Whether `callbacks.authorized` is asked about a path with `%2F`. Routers disagree on whether that is a slash, so that the
   * default, `"refuse"`, answers 400. `"allow"` where the callback decides right for both readings.
   */
  encodedSlashes?: "allow" | "refuse" | undefined;
  events?: EventCallbacks | undefined;
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined;
  jwt?: Partial<JWTOptions> | undefined;
  logger?: Partial<LoggerInstance> | undefined;
  pages?: PagesOptions | undefined;
  /** Base URL of an application whose callback URLs are registered at the providers instead (docs/deployment.md#preview-deployments). */
  redirectProxyUrl?: string | undefined;
  /** As that application: the origins whose sign-ins are passed on; exact, or `https://*.previews.example.com`. */
  redirectProxyOrigins?: readonly string[] | undefined;
  /** Seals cookies and hashes tokens; with a list the first makes and each verifies, so that it can be rotated. */
  secret?: string | readonly string[] | undefined;
  session?: SessionOptions | undefined;
  skipCSRFCheck?: typeof skipCSRFCheck | undefined;
  /** The symbol of that name, for framework adapters: see {@link raw}. */
  raw?: typeof raw | undefined;
  /** What the processes of the application share, for extensions that need it (docs/stores.md); default: the adapter's own. */
  store?: Store | undefined;
  theme?: Theme | undefined;
  /** Words of the built-in pages, for another language or another tone. */
  texts?: PartialTexts | undefined;
  /** Whether the `Host` header (and `X-Forwarded-*`) of a request may be believed. */
  trustHost?: boolean | undefined;
  useSecureCookies?: boolean | undefined;
}
