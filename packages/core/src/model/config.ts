import type { Adapter, AdapterOfAnyUser, AdapterSession, AdapterUser } from "./adapter.ts";
import type { Provider } from "./provider.ts";
import type { Account, Awaitable, JWT, Profile, Session, User } from "./records.ts";
import type { Store } from "./store.ts";
import type { PartialTexts } from "./texts.ts";
import type { Theme } from "./theme.ts";
import type { Seconds } from "./units.ts";

/** Set as `skipCSRFCheck` to disable CSRF protection, for frameworks that provide their own. Not recommended. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check");

/** Set as `raw` in framework adapters: `Auth()` then resolves to the parts of the response and rejects with its errors. */
export const raw: unique symbol = Symbol("raw");

/** Cookie attributes, as accepted by the `cookie` package. */
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

/** Name and attributes of one of the library's cookies. */
export interface CookieOption {
  name: string;
  options: CookieAttributes;
}

/** The library's cookies by purpose. Each can be renamed or given other attributes. */
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
  /** Contains the proof of an e-mail address while its owner chooses on the page `confirm-address`. */
  address?: Partial<CookieOption> | undefined;
  /** When this browser signed in last; set only where a provider has `maxSignInAge`. */
  signInTime?: Partial<CookieOption> | undefined;
}

/** Paths or URLs of your own pages. Each replaces a built-in page. */
export interface PagesOptions {
  signIn?: string | undefined;
  signOut?: string | undefined;
  error?: string | undefined;
  verifyRequest?: string | undefined;
  newUser?: string | undefined;
}

/** Receives log output. Missing methods fall back to the console. */
export interface LoggerInstance {
  error(error: Error): void;
  warn(code: string): void;
  debug(message: string, metadata?: unknown): void;
}

/** Parameters of `jwt.encode`. */
export interface JWTEncodeParams {
  token?: JWT | undefined;
  /** One secret or several; the first one encrypts. */
  secret: string | readonly string[];
  /** Derives a separate key for each purpose: the full name of the session cookie, prefix included. */
  salt: string;
  /** Lifetime of the token in seconds; default 30 days. */
  maxAge?: Seconds | undefined;
}

/** Parameters of `jwt.decode`. */
export interface JWTDecodeParams {
  token?: string | undefined;
  /** One secret or several; each of them can decrypt. */
  secret: string | readonly string[];
  /** Derives a separate key for each purpose: the full name of the session cookie, prefix included. */
  salt: string;
}

/** How session tokens are created and read. */
export interface JWTOptions {
  /** Replaces the application's secret for session tokens. */
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

/** How sessions are stored (docs/sessions.md). */
export interface SessionOptions {
  /** Default `database` with an adapter, else `jwt`. */
  strategy?: "jwt" | "database" | undefined;
  /** Session lifetime in seconds; default 30 days. */
  maxAge?: Seconds | undefined;
  /** Seconds after which a session is renewed when it is read; default one day. 0 renews it on every read. */
  updateAge?: Seconds | undefined;
  generateSessionToken?: (() => string) | undefined;
}

/** Parameters of `callbacks.signIn`. */
export interface SignInCallbackParams {
  user: User | AdapterUser;
  account: Account | null;
  /** The provider's claims about the user (oauth, oidc). */
  profile?: Profile | undefined;
  /** The submitted fields (credentials). */
  credentials?: Record<string, unknown> | undefined;
  /** `verificationRequest` is true before the e-mail is sent. */
  email?: { verificationRequest?: boolean | undefined } | undefined;
}

/** Parameters of `callbacks.jwt`: at sign-in with information about the user, afterwards only the token. */
export type JWTCallbackParams = JWTAtSignIn | JWTAfterSignIn;

/** Parameters of `callbacks.jwt` at sign-in. `account` and `user` are always present together. */
export interface JWTAtSignIn {
  token: JWT;
  user: User | AdapterUser;
  account: Account | null;
  /** The provider's claims about the user (oauth, oidc). */
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
  /**
   * With `trigger: "update"`: the data that the client sent, of any type. Validate it before copying members into the
   * token.
   */
  // biome-ignore lint/suspicious/noExplicitAny: callbacks written for Auth.js v5 read its members unchecked.
  session?: any;
}

/** Parameters of `callbacks.session`. */
export interface SessionCallbackParams {
  /**
   * Name, e-mail address and image, and when the session ends. With the `database` strategy, `expires` is a `Date` while
   * the callback runs, as in Auth.js. The returned value is converted to an ISO 8601 string, as the type declares.
   */
  session: Session & { user: User };
  /** The claims of the session token; `jwt` strategy only. */
  token: JWT;
  /** The user from the database; `database` strategy only. */
  user: AdapterUser;
  /** With `trigger: "update"`: the data that the client sent. Validate it. */
  newSession?: unknown;
  trigger?: "update" | undefined;
}

/** Parameters of `callbacks.allowAttempt`. */
export interface AttemptParams {
  /** Id of the provider. */
  provider: string;
  /**
   * The operation that follows: calling `authorize()`, sending an e-mail or opening its link, creating passkey options or
   * verifying the passkey response. The path of `request` tells which: `signin`, `webauthn-options` or `callback`.
   */
  type: "credentials" | "email" | "webauthn";
  /** The normalised e-mail address; `email` only. */
  identifier?: string | undefined;
  /** The submitted fields, as `authorize()` will receive them; `credentials` only. */
  credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The original request, with a readable body. */
  request: Request;
}

/**
 * Functions that decide outcomes (docs/callbacks.md). `S` is the session that `session` returns and `auth()` resolves to,
 * `A` the session that `authorized` receives, `R` the framework's request type (decisions/016).
 */
export interface Callbacks<S = Session, A = S, R = Request> {
  /**
   * Rate-limits sign-in attempts: called before credentials are checked, an e-mail is sent or a passkey is verified (ASVS
   * 6.3.1). Any result other than `true`, or an exception, denies the attempt. For e-mail the response is then the usual
   * one.
   */
  allowAttempt?(params: AttemptParams): Awaitable<boolean>;
  /** Return `true` to continue, `false` (or throw) to deny, or a URL to redirect to. */
  signIn?(params: SignInCallbackParams): Awaitable<boolean | string>;
  /** Returns the destination after sign-in or sign-out. Default: the same origin only. */
  redirect?(params: { url: string; baseUrl: string }): Awaitable<string>;
  /** Returns the content of the session token, or null to end the session. */
  jwt?(params: JWTCallbackParams): Awaitable<JWT | null>;
  /** Returns the session that the client sees. */
  session?(params: SessionCallbackParams): Awaitable<S>;
  /**
   * Decides in middleware, and before wrapped handlers, whether a request may continue. Return `true` to continue, or a
   * response to send. Any other value denies access.
   */
  authorized?(params: { request: R; auth: A | null }): Awaitable<boolean | Response | undefined>;
}

/** The callbacks under their Auth.js v4 name, typed with the provider's profile and the account. */
export type CallbacksOptions<P = Profile, A = Account> = Omit<Callbacks, "signIn"> & {
  signIn?(
    params: Omit<SignInCallbackParams, "profile" | "account"> & { profile?: P; account: A | null },
  ): ReturnType<NonNullable<Callbacks["signIn"]>>;
};

/** Functions that observe (docs/callbacks.md). Their results are ignored; their errors are logged. */
export interface EventCallbacks {
  signIn?(message: { user: User; account?: Account | null; profile?: Profile; isNewUser?: boolean }): Awaitable<void>;
  signOut?(message: { session: AdapterSession | null | undefined } | { token: JWT | null }): Awaitable<void>;
  createUser?(message: { user: User }): Awaitable<void>;
  updateUser?(message: { user: User }): Awaitable<void>;
  linkAccount?(message: { user: User | AdapterUser; account: Account; profile: User | AdapterUser }): Awaitable<void>;
  /** Called when a session is read. `token` is set with the `jwt` strategy only. */
  session?(message: { session: Session; token?: JWT | undefined }): Awaitable<void>;
}

/** The configuration of an application (docs/configuration.md). */
export interface AuthConfig<S = Session, A = S, R = Request> {
  /**
   * The sign-in methods. Entries that are `false`, `null`, `undefined` or empty are ignored: `process.env.AUTH_GITHUB_ID &&
   * GitHub`.
   */
  providers: readonly (Provider | false | null | undefined | "")[];
  adapter?: Adapter | AdapterOfAnyUser | undefined;
  /** Path prefix of the endpoints, as browsers see it; default `/auth`, in Next.js `/api/auth`. */
  basePath?: string | undefined;
  callbacks?: Callbacks<S, A, R> | undefined;
  cookies?: CookiesOptions | undefined;
  /** Logs every step; ignored if `logger` is set. Secrets are redacted. */
  debug?: boolean | undefined;
  /**
   * Whether `callbacks.authorized` is called for paths with `%2F`. Routers disagree on whether that is a slash, so the
   * default, `"refuse"`, responds with 400. Use `"allow"` if the callback decides correctly for both interpretations.
   */
  encodedSlashes?: "allow" | "refuse" | undefined;
  events?: EventCallbacks | undefined;
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined;
  jwt?: Partial<JWTOptions> | undefined;
  logger?: Partial<LoggerInstance> | undefined;
  pages?: PagesOptions | undefined;
  /**
   * Base URL of the deployment whose callback URLs are registered with the providers
   * (docs/deployment.md#preview-deployments).
   */
  redirectProxyUrl?: string | undefined;
  /**
   * On that deployment: the origins to which it forwards provider responses, exact or as `https://*.previews.example.com`.
   */
  redirectProxyOrigins?: readonly string[] | undefined;
  /**
   * Encrypts cookies and hashes tokens. In a list, the first secret is used for new values, and all of them for existing
   * ones, which allows rotation.
   */
  secret?: string | readonly string[] | undefined;
  session?: SessionOptions | undefined;
  skipCSRFCheck?: typeof skipCSRFCheck | undefined;
  /** The symbol of that name, for framework adapters: see {@link raw}. */
  raw?: typeof raw | undefined;
  /**
   * State shared by the processes of the application, for extensions that need it (docs/stores.md); default: the adapter's
   * store.
   */
  store?: Store | undefined;
  theme?: Theme | undefined;
  /** Texts of the built-in pages, for another language or tone. */
  texts?: PartialTexts | undefined;
  /** Whether to trust the `Host` header (and `X-Forwarded-*`) of requests. */
  trustHost?: boolean | undefined;
  useSecureCookies?: boolean | undefined;
}
