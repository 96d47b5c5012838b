import type { Adapter, AdapterOfAnyUser } from "./adapter.ts";
import type { Callbacks, EventCallbacks, LoggerInstance } from "./callbacks.ts";
import type { CookiesOptions } from "./cookie-options.ts";
import type { Extension } from "./extension.ts";
import type { Provider } from "./provider.ts";
import type { Awaitable, JWT, Session } from "./records.ts";
import type { Store } from "./store.ts";
import type { PartialTexts } from "./texts.ts";
import type { Theme } from "./theme.ts";
import type { Seconds } from "./units.ts";

/** Set as `skipCSRFCheck` to disable CSRF protection, for frameworks that provide their own. Not recommended. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check");

/** Set as `raw` in framework adapters: `Auth()` then resolves to the parts of the response and rejects with its errors. */
export const raw: unique symbol = Symbol("raw");

/** Paths or URLs of your own pages. Each replaces a built-in page. */
export interface PagesOptions {
  /** Replaces the sign-in page. */
  signIn?: string | undefined;
  /** Replaces the sign-out page. */
  signOut?: string | undefined;
  /** Replaces the error page. */
  error?: string | undefined;
  /** Replaces the page that tells the user to check their e-mail. */
  verifyRequest?: string | undefined;
  /** Where users go after their first sign-in. */
  newUser?: string | undefined;
}

/** Parameters of `jwt.encode`. */
export interface JWTEncodeParams {
  /** The claims. */
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
  /** The token as it was sent. */
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
  /** Lifetime of a token in seconds; default: `session.maxAge`. */
  maxAge: Seconds;
  /** Replaces the function that creates session tokens. */
  encode(params: JWTEncodeParams): Awaitable<string>;
  /** Replaces the function that decrypts session tokens. It returns null for an invalid token. */
  decode(params: JWTDecodeParams): Awaitable<JWT | null>;
  /**
   * Size of the in-memory cache of decrypted tokens, in bytes; default 1 MiB, 0 disables it. Has no effect with a
   * custom `decode`.
   */
  tokenCache: number;
}

/** How sessions are stored (docs/sessions.md). */
export interface SessionOptions {
  /** Default: `database` with an adapter, otherwise `jwt`. */
  strategy?: "jwt" | "database" | undefined;
  /** Session lifetime in seconds; default 30 days. */
  maxAge?: Seconds | undefined;
  /**
   * Seconds after which a session is renewed when it is read; default one day, or half of the session's lifetime if that is less. 0 renews
   * it on every read.
   */
  updateAge?: Seconds | undefined;
  /**
   * Absolute lifetime in seconds, after which a session ends regardless of activity (ASVS 7.3.2); default: unlimited.
   * `maxAge` is the idle lifetime.
   */
  absolute?: Seconds | undefined;
  /** Creates the token of a database session; default: 32 random bytes. */
  generateSessionToken?: (() => string) | undefined;
}

/** The configuration of an application (docs/configuration.md). */
export interface AuthConfig<S = Session, A = S, R = Request> {
  /**
   * The sign-in methods. Entries that are `false`, `null`, `undefined` or empty are ignored: `process.env.AUTH_GITHUB_ID &&
   * GitHub`.
   */
  providers: readonly (Provider | false | null | undefined | "")[];
  /** The database. */
  adapter?: Adapter | AdapterOfAnyUser | undefined;
  /** Path prefix of the endpoints, as browsers see it; default `/auth`, in Next.js `/api/auth`. */
  basePath?: string | undefined;
  /** Functions that decide about sign-ins, redirects, tokens and sessions. */
  callbacks?: Callbacks<S, A, R> | undefined;
  /**
   * Path prefix that a proxy removes before requests arrive, such as `/shop`; default: none. Paths in the configuration are those of
   * the address bar, so `basePath` includes it (docs/deployment.md#a-proxy-that-removes-a-path-prefix).
   */
  strippedPrefix?: string | undefined;
  /** Names and attributes of the cookies. */
  cookies?: CookiesOptions | undefined;
  /** Logs every step; ignored if `logger` is set. Secrets are redacted. */
  debug?: boolean | undefined;
  /**
   * Whether `callbacks.authorized` is called for paths with `%2F`. Routers disagree on whether that is a slash, so the
   * default, `"refuse"`, responds with 400. Use `"allow"` if the callback decides correctly for both interpretations.
   */
  encodedSlashes?: "allow" | "refuse" | undefined;
  /** Event handlers. */
  events?: EventCallbacks | undefined;
  /** Extensions (docs/extensions.md). Entries that are `false`, `null` or `undefined` are ignored. */
  extensions?: readonly (Extension | false | null | undefined)[] | undefined;
  /** Features that may change. */
  experimental?: { enableWebAuthn?: boolean | undefined } | undefined;
  /** Session tokens. */
  jwt?: Partial<JWTOptions> | undefined;
  /** Receives log lines; default: the console. */
  logger?: Partial<LoggerInstance> | undefined;
  /**
   * How many tenants of a configuration function, by their secrets, a process remembers at a time; default 2,000
   * (docs/configuration.md#tenants).
   */
  maxTenants?: number | undefined;
  /**
   * Other origins of the same site whose pages may use the endpoints, such as `https://app.example.com` for a server at
   * `https://api.example.com`; default: none. Requires `AUTH_URL` (docs/single-page-applications.md#two-origins-of-one-site).
   */
  origins?: readonly string[] | undefined;
  /** The application's own pages. */
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
   * Schemes of mobile applications, such as `myapp`, that `callbacks.redirect` may return; default: none. Never `javascript`, `data`,
   * `file` or `blob`.
   */
  redirectSchemes?: readonly string[] | undefined;
  /**
   * Encrypts cookies and hashes tokens. In a list, the first secret is used for new values, and all of them for existing
   * ones, which allows rotation.
   */
  secret?: string | readonly string[] | undefined;
  /** Sessions. */
  session?: SessionOptions | undefined;
  /** The symbol of that name disables CSRF protection. Not recommended. */
  skipCSRFCheck?: typeof skipCSRFCheck | undefined;
  /** The symbol of that name, for framework adapters: see {@link raw}. */
  raw?: typeof raw | undefined;
  /**
   * State shared by the processes of the application, for extensions that need it (docs/stores.md); default: the adapter's
   * store.
   */
  store?: Store | undefined;
  /** Colors and logo of the built-in pages. */
  theme?: Theme | undefined;
  /** Texts of the built-in pages, for another language or tone. */
  texts?: PartialTexts | undefined;
  /** Whether to trust the `Host` header (and `X-Forwarded-*`) of requests. */
  trustHost?: boolean | undefined;
  /** Whether cookies are `Secure`; default: on https. */
  useSecureCookies?: boolean | undefined;
}
