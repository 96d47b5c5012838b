import type { Adapter } from "./adapter.ts";
import type { Callbacks, EventCallbacks, LoggerInstance } from "./callbacks.ts";
import type { JWTDecodeParams, JWTEncodeParams, PagesOptions } from "./config.ts";
import type { CookieOption } from "./cookie-options.ts";
import type { Awaitable, JWT, Session } from "./records.ts";
import type { ResolvedExtensions } from "./resolved-extensions.ts";
import type { ResolvedProvider } from "./resolved-provider.ts";
import type { Store } from "./store.ts";
import type { PartialTexts } from "./texts.ts";
import type { Theme } from "./theme.ts";
import type { Seconds } from "./units.ts";

/** One of the library's cookies, with its name and attributes in this configuration. */
export interface ResolvedCookie extends CookieOption {
  /** The salt for deriving keys, passed to `jwt.encode` and `jwt.decode`: the full name, prefix included. */
  readonly salt: string;
}

/** All cookies of the library. */
export interface ResolvedCookies {
  /** The session; split into numbered cookies if it is too long for one. */
  readonly sessionToken: ResolvedCookie;
  /** Where the user goes after a sign-in. */
  readonly callbackUrl: ResolvedCookie;
  /** The CSRF token of forms. */
  readonly csrfToken: ResolvedCookie;
  /** Pending sign-ins with OAuth and OpenID Connect providers, and marks of browsers that requested an e-mail link. */
  readonly state: ResolvedCookie;
  /** Pending passkey registrations and authentications. */
  readonly webauthnChallenge: ResolvedCookie;
  /** A pending sign-in whose user must confirm an e-mail address. */
  readonly address: ResolvedCookie;
  /** What was typed on the built-in sign-in page. */
  readonly identifier: ResolvedCookie;
  /** The provider that was used last. */
  readonly lastMethod: ResolvedCookie;
  /** When the user signed in, for the check of `maxSignInAge`. */
  readonly signInTime: ResolvedCookie;
  /** The reference that the error page shows. */
  readonly error: ResolvedCookie;
  /** A random text by which scripts notice that the session changed. */
  readonly sessionMark: ResolvedCookie;
}

/** A configuration after defaults, environment and validation; created once per configuration object and frozen. */
export interface ResolvedConfig {
  /**
   * The identity of the application: the same object for all configurations with a common secret that one configuration function
   * returns.
   */
  readonly application: object;
  /** Path prefix of all routes, without a trailing slash. */
  readonly basePath: string;
  /** Path prefix that a proxy removes; empty for none. */
  readonly strippedPrefix: string;
  /** `basePath` as requests arrive: without the prefix that a proxy removes. */
  readonly receivedPath: string;
  /** The public origin, if `AUTH_URL` sets it. */
  readonly fixedOrigin: string | undefined;
  /** Other origins of the same site, whose pages may use the endpoints; empty for none. */
  readonly origins: readonly string[];
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  /**
   * Whether the host of a request may determine the public origin; `loopback`: only that of this machine, and not through a proxy.
   */
  readonly trustHost: boolean | "loopback";
  /** Whether `callbacks.authorized` is called for paths with `%2F`; `refuse` responds with 400. */
  readonly encodedSlashes: "allow" | "refuse";
  /** The providers by id, in the order of the configuration. */
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** The sign-in methods by the types of their providers; see `methodOf` in `context/create-context.ts`. */
  readonly methods: ReadonlyMap<string, object>;
  /** The database adapter; undefined without a database. */
  readonly adapter: Adapter | undefined;
  /** Users, accounts and sessions in the database; undefined without one. */
  readonly accounts: object | undefined;
  /**
   * State shared by the processes of the application: the option `store`, otherwise the adapter's store; undefined if
   * there is neither.
   */
  readonly store: Store | undefined;
  /** Undefined if there are none, so that no extension code is loaded or called. */
  readonly extensions: ResolvedExtensions | undefined;
  /** Secrets that keys are derived from: the first one encrypts, all decrypt. */
  readonly secrets: readonly string[];
  /** Strategy and lifetimes of sessions, and the generator of database session tokens. */
  readonly session: {
    readonly strategy: "jwt" | "database";
    readonly maxAge: Seconds;
    readonly updateAge: Seconds;
    /** Absolute session lifetime in seconds; undefined: unlimited. */
    readonly absolute: Seconds | undefined;
    readonly generateSessionToken: () => string;
  };
  /** How session tokens are encrypted and decrypted. */
  readonly jwt: {
    readonly secrets: readonly string[];
    readonly maxAge: Seconds;
    /** Undefined: our own, loaded with the first session (decisions/012). */
    readonly encode: ((params: JWTEncodeParams) => Awaitable<string>) | undefined;
    /** Like `encode`. */
    readonly decode: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
    /** Size of the cache of decrypted tokens in bytes; 0 disables it. */
    readonly tokenCache: number;
  };
  /** `useSecureCookies` if it is set; otherwise it depends on the protocol of the origin. */
  readonly useSecureCookies: boolean | undefined;
  /** Names and attributes of the cookies on https (`secure`) and on http (`plain`). */
  readonly cookies: { readonly secure: ResolvedCookies; readonly plain: ResolvedCookies };
  /** The application's callbacks; callers apply defaults for absent ones. */
  readonly callbacks: Callbacks<Session>;
  /** The application's event handlers. */
  readonly events: EventCallbacks;
  /** Paths of the application's own pages; absent ones are built in. */
  readonly pages: PagesOptions;
  /** Appearance of the built-in pages. */
  readonly theme: Theme;
  /** Texts of the application that replace those of the built-in pages. */
  readonly texts: PartialTexts;
  /** The application's logger; missing levels use the console. */
  readonly logger: Partial<LoggerInstance>;
  /** Whether every step is logged; has no effect if `logger` is set. */
  readonly debug: boolean;
  /** Values that must never be logged: the secrets of the application and of its clients. */
  readonly redacted: readonly string[];
  /** Whether forms need a CSRF token; false only for frameworks with their own CSRF protection. */
  readonly csrfEnabled: boolean;
  /** The origins to which this application, as a redirect proxy, forwards provider responses. */
  readonly redirectProxyOrigins: readonly string[];
  /** The schemes besides http(s) that `callbacks.redirect` may return. */
  readonly redirectSchemes: readonly string[];
}
