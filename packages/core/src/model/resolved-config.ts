import type { Adapter, AdapterUser } from "./adapter.ts";
import type { Callbacks, EventCallbacks } from "./callbacks.ts";
import type { JWTDecodeParams, JWTEncodeParams, LoggerInstance, PagesOptions } from "./config.ts";
import type { CookieOption } from "./cookie-options.ts";
import type { Extension } from "./extension.ts";
import type {
  EndpointHandler,
  IdentifiedByProvider,
  OAuthProvider,
  TokenEndpointHandler,
  UserinfoEndpointHandler,
} from "./oauth-provider.ts";
import type {
  CredentialsProvider,
  EmailProvider,
  EmailRateLimit,
  ProviderStyle,
  VerificationRequest,
} from "./provider.ts";
import type { Awaitable, JWT, Profile, Session, TokenSet, User } from "./records.ts";
import type { ResolvedExtensions } from "./resolved-extensions.ts";
import type { SignInWay, SignInWayProvider } from "./sign-in-way.ts";
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
  readonly sessionToken: ResolvedCookie;
  readonly callbackUrl: ResolvedCookie;
  readonly csrfToken: ResolvedCookie;
  readonly state: ResolvedCookie;
  readonly webauthnChallenge: ResolvedCookie;
  readonly address: ResolvedCookie;
  readonly signInTime: ResolvedCookie;
}

/** An endpoint with its parameters as they are sent; without a URL if it is discovered. */
type ResolvedEndpoint<Handler> = Omit<Handler, "url" | "params"> & {
  readonly url: string | undefined;
  readonly params: Readonly<Record<string, string>>;
};

/** An OAuth 2 or OpenID Connect provider with every default filled in. */
export interface ResolvedOAuthProvider {
  readonly kind: "oauth";
  readonly type: "oauth" | "oidc";
  readonly id: string;
  readonly name: string;
  readonly issuer: string | undefined;
  readonly wellKnown: string | undefined;
  readonly authorization: ResolvedEndpoint<EndpointHandler>;
  readonly token: Omit<ResolvedEndpoint<TokenEndpointHandler>, "body"> & {
    readonly body: Readonly<Record<string, string>>;
  };
  readonly userinfo: ResolvedEndpoint<UserinfoEndpointHandler>;
  readonly jwksUri: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly client: Readonly<Record<string, unknown>>;
  readonly checks: {
    readonly pkce: boolean;
    readonly nonce: boolean;
    /**
     * Whether an ID token without the requested nonce is accepted: the provider's own checks include neither PKCE nor
     * nonce.
     */
    readonly allowsMissingNonce: boolean;
  };
  /** Whether the provider responds with a form that the browser posts (OAuth 2.0 Form Post Response Mode). */
  readonly formPost: boolean;
  readonly idTokenIsProfile: boolean;
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<IdentifiedByProvider>;
  readonly verifiedEmail: ((profile: Profile) => unknown) | undefined;
  readonly account: (tokens: TokenSet) => unknown;
  readonly style: ProviderStyle;
  /** Base URL of the redirect proxy, without a trailing slash. */
  readonly redirectProxyUrl: string | undefined;
  readonly allowDangerousEmailAccountLinking: boolean;
  /** The `fetch` for this provider, looked up on each call so that a replaced global is used. */
  readonly fetch: () => typeof fetch;
  /** The merged provider object, for hooks that receive it. */
  readonly source: OAuthProvider;
}

/** A credentials provider with every default filled in. */
export interface ResolvedCredentialsProvider {
  readonly kind: "credentials";
  readonly type: "credentials";
  readonly id: string;
  readonly name: string;
  readonly credentials: CredentialsProvider["credentials"];
  readonly authorize: (credentials: Record<string, string>, request: Request) => Awaitable<User | null>;
  /** The extension that the provider object carries. */
  readonly extension: Extension | undefined;
  readonly style: ProviderStyle;
}

/** An e-mail provider with every default filled in. */
export interface ResolvedEmailProvider {
  readonly kind: "email";
  readonly type: "email";
  readonly id: string;
  readonly name: string;
  readonly maxAge: Seconds;
  /** Whether a code stands beside the link. */
  readonly code: boolean;
  /** Hashes tokens in place of the application's secrets. */
  readonly secret: string | undefined;
  /** The result is untrusted and may have any type. */
  readonly generateVerificationToken: (() => unknown) | undefined;
  /** The result is untrusted and may have any type. */
  readonly normalizeIdentifier: ((identifier: string) => unknown) | undefined;
  readonly allowLocalDomains: boolean;
  readonly sendVerificationRequest: (params: VerificationRequest) => Awaitable<void>;
  readonly rateLimit: EmailRateLimit;
  readonly allowDangerousEmailAccountLinking: boolean;
  readonly ownsAddress: ((user: AdapterUser) => Awaitable<boolean>) | undefined;
  readonly style: ProviderStyle;
  readonly source: EmailProvider;
}

/** A provider that brings its own way to sign in, with every default filled in. */
export interface ResolvedWebAuthnProvider extends SignInWayProvider {
  readonly kind: "webauthn";
  readonly type: "webauthn";
  readonly name: string;
  readonly way: SignInWay;
  /** Maximum age of the sign-in when an account is added; undefined: as long as the session lasts. */
  readonly maxSignInAge: Seconds | undefined;
  /** Values that never go into a log. */
  readonly secrets: readonly (string | undefined)[];
  readonly style: ProviderStyle;
}

/** What proving an e-mail address needs of its provider: an e-mail provider, or one whose extension proves addresses. */
export type AddressProvider = Pick<ResolvedEmailProvider, "id" | "ownsAddress" | "allowDangerousEmailAccountLinking">;

/** Any provider, resolved. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedCredentialsProvider
  | ResolvedEmailProvider
  | ResolvedWebAuthnProvider;

/** A configuration after defaults, environment and validation; created once per configuration object and frozen. */
export interface ResolvedConfig {
  /** The identity of the application: the same object for all configurations that one configuration function returns. */
  readonly application: object;
  readonly basePath: string;
  /** The public origin, if `AUTH_URL` sets it. */
  readonly fixedOrigin: string | undefined;
  readonly isProduction: boolean;
  readonly trustHost: boolean;
  readonly encodedSlashes: "allow" | "refuse";
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  readonly adapter: Adapter | undefined;
  /**
   * State shared by the processes of the application: the option `store`, else the adapter's store; undefined if there is
   * neither.
   */
  readonly store: Store | undefined;
  /** Undefined where there are none: then nothing of them is loaded or called. */
  readonly extensions: ResolvedExtensions | undefined;
  readonly secrets: readonly string[];
  readonly session: {
    readonly strategy: "jwt" | "database";
    readonly maxAge: Seconds;
    readonly updateAge: Seconds;
    /** Seconds from sign-in to the end of a session, however often it is used; undefined for no such end. */
    readonly absolute: Seconds | undefined;
    readonly generateSessionToken: () => string;
  };
  readonly jwt: {
    readonly secrets: readonly string[];
    readonly maxAge: Seconds;
    /** Undefined: our own, which is loaded with the first session (decisions/012). */
    readonly encode: ((params: JWTEncodeParams) => Awaitable<string>) | undefined;
    /** As `encode`. */
    readonly decode: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined;
    /** Bytes; 0 for no cache of opened tokens. */
    readonly tokenCache: number;
  };
  /** `useSecureCookies` if it is set; otherwise the protocol of the origin decides. */
  readonly useSecureCookies: boolean | undefined;
  readonly cookies: { readonly secure: ResolvedCookies; readonly plain: ResolvedCookies };
  readonly callbacks: Callbacks<Session>;
  readonly events: EventCallbacks;
  readonly pages: PagesOptions;
  readonly theme: Theme;
  readonly texts: PartialTexts;
  /** The application's logger; missing levels use the console. */
  readonly logger: Partial<LoggerInstance>;
  readonly debug: boolean;
  /** Values that must never be logged: the secrets of the application and of its clients. */
  readonly redacted: readonly string[];
  readonly csrfEnabled: boolean;
  /** The origins to which this application, as a redirect proxy, forwards provider responses. */
  readonly redirectProxyOrigins: readonly string[];
}
