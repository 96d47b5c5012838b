import type { AdapterUser } from "./adapter.ts";
import type { EmailCodes } from "./email-codes.ts";
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
import type { Awaitable, Profile, TokenSet, User } from "./records.ts";
import type { MethodProvider, SignInMethodSpec } from "./sign-in-method-spec.ts";
import type { Seconds } from "./units.ts";

/** An endpoint with its parameters as they are sent; without a URL if it is discovered. */
type ResolvedEndpoint<Handler> = Omit<Handler, "url" | "params"> & {
  readonly url: string | undefined;
  readonly params: Readonly<Record<string, string>>;
};

/** An OAuth 2 or OpenID Connect provider with every default filled in. */
export interface ResolvedOAuthProvider {
  /** Selects the sign-in method. */
  readonly kind: "oauth";
  /** `oidc` if the provider issues ID tokens, otherwise `oauth`. */
  readonly type: "oauth" | "oidc";
  /** Unique; part of the routes and of stored accounts. */
  readonly id: string;
  /** The name on the sign-in button. */
  readonly name: string;
  /** The expected issuer (OIDC Core §2); undefined if none is configured. */
  readonly issuer: string | undefined;
  /** URL of the metadata document (RFC 8414 §3, OIDC Discovery §4); undefined: derived from the issuer. */
  readonly wellKnown: string | undefined;
  /** The authorization endpoint (RFC 6749 §3.1). */
  readonly authorization: ResolvedEndpoint<EndpointHandler>;
  /** The token endpoint (RFC 6749 §3.2); `body` holds further form parameters. */
  readonly token: Omit<ResolvedEndpoint<TokenEndpointHandler>, "body"> & {
    readonly body: Readonly<Record<string, string>>;
  };
  /** The endpoint that returns the profile (OIDC Core §5.3). */
  readonly userinfo: ResolvedEndpoint<UserinfoEndpointHandler>;
  /** URL of the provider's keys (RFC 7517 §5); undefined if it is discovered. */
  readonly jwksUri: string | undefined;
  /** The client id that the application is registered with (RFC 6749 §2.2). */
  readonly clientId: string;
  /** Audiences that an ID token without `azp` may have besides the client. */
  readonly audiences: readonly string[];
  /** The client secret; undefined for public clients and other client authentication. */
  readonly clientSecret: string | undefined;
  /** Origins on other hosts that may be requested over http: those of the option, and those in configured URLs. */
  readonly insecureOrigins: readonly string[];
  /** Client metadata (RFC 7591 §2), such as `token_endpoint_auth_method`. */
  readonly client: Readonly<Record<string, unknown>>;
  /** Protections that bind a provider callback to its request, in addition to `state`. */
  readonly checks: {
    /** Whether PKCE is used (RFC 7636). */
    readonly pkce: boolean;
    /** Whether the ID token must contain the requested nonce (OIDC Core §3.1.3.7). */
    readonly nonce: boolean;
    /**
     * Whether an ID token without the requested nonce is accepted: the provider's own checks include neither PKCE nor
     * nonce.
     */
    readonly allowsMissingNonce: boolean;
  };
  /** Whether the provider responds with a form that the browser posts (OAuth 2.0 Form Post Response Mode). */
  readonly formPost: boolean;
  /** Whether the profile is taken from the ID token instead of the userinfo endpoint. */
  readonly idTokenIsProfile: boolean;
  /** Converts the provider's claims to a user. */
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<IdentifiedByProvider>;
  /** Returns the address that the profile marks as verified, untrusted; undefined: `email_verified` is used. */
  readonly verifiedEmail: ((profile: Profile) => unknown) | undefined;
  /** Selects the tokens that are stored with the account; the result is untrusted. */
  readonly account: (tokens: TokenSet) => unknown;
  /** Appearance of the sign-in button. */
  readonly style: ProviderStyle;
  /** Base URL of the redirect proxy, without a trailing slash. */
  readonly redirectProxyUrl: string | undefined;
  /** Whether an account is linked to an existing user with the same e-mail address. */
  readonly allowDangerousEmailAccountLinking: boolean;
  /** Whether the provider is the authority for a verified address; undefined: for none. */
  readonly ownsAddresses: ((address: string, profile: Profile) => Awaitable<boolean>) | undefined;
  /** The `fetch` for this provider, looked up on each call so that a replaced global is used. */
  readonly fetch: () => typeof fetch;
  /** The merged provider object, for hooks that receive it. */
  readonly source: OAuthProvider;
}

/** A credentials provider with every default filled in. */
export interface ResolvedCredentialsProvider {
  /** Selects the sign-in method. */
  readonly kind: "credentials";
  /** The provider's type in accounts and callbacks. */
  readonly type: "credentials";
  /** Unique; part of the routes and of stored accounts. */
  readonly id: string;
  /** The name on the sign-in page. */
  readonly name: string;
  /** Fields of the form, by name. */
  readonly credentials: CredentialsProvider["credentials"];
  /** Returns the user for the submitted fields, or null if they are invalid. */
  readonly authorize: (credentials: Record<string, string>, request: Request) => Awaitable<User | null>;
  /** The extension that the provider object carries. */
  readonly extension: Extension | undefined;
  /** Appearance of the sign-in button. */
  readonly style: ProviderStyle;
}

/** An e-mail provider with every default filled in. */
export interface ResolvedEmailProvider {
  /** Selects the sign-in method. */
  readonly kind: "email";
  /** The provider's type in accounts and callbacks. */
  readonly type: "email";
  /** Unique; part of the routes and of stored accounts. */
  readonly id: string;
  /** The name on the sign-in page. */
  readonly name: string;
  /** How long a link is valid. */
  readonly maxAge: Seconds;
  /** The codes that e-mails also contain; undefined for none. */
  readonly code: EmailCodes | undefined;
  /** Replaces the application's secrets for hashing tokens. */
  readonly secret: string | undefined;
  /** The result is untrusted and may have any type. */
  readonly generateVerificationToken: (() => unknown) | undefined;
  /** The result is untrusted and may have any type. */
  readonly normalizeIdentifier: ((identifier: string) => unknown) | undefined;
  /** Whether addresses whose domain has no dot are accepted. */
  readonly allowLocalDomains: boolean;
  /** Sends the e-mail. */
  readonly sendVerificationRequest: (params: VerificationRequest) => Awaitable<void>;
  /** The rate limit for e-mails. */
  readonly rateLimit: EmailRateLimit;
  /** Whether the owner of an address is signed in to the user with that address, even if another visitor created that user. */
  readonly allowDangerousEmailAccountLinking: boolean;
  /** Whether an unverified user belongs to the owner of the address; undefined: only if nothing else gives access to that user. */
  readonly ownsAddress: ((user: AdapterUser) => Awaitable<boolean>) | undefined;
  /** Appearance of the sign-in button. */
  readonly style: ProviderStyle;
  /** The provider object, for hooks that receive it. */
  readonly source: EmailProvider;
}

/** A provider whose sign-in method an extension brings, with every default filled in. */
export interface ResolvedWebAuthnProvider extends MethodProvider {
  /** Selects the sign-in method. */
  readonly kind: "webauthn";
  /** The provider's type in accounts and callbacks. */
  readonly type: "webauthn";
  /** The name on the sign-in page. */
  readonly name: string;
  /** Its sign-in method. */
  readonly method: SignInMethodSpec;
  /** Maximum age of the sign-in when an account is added; undefined: as long as the session lasts. */
  readonly maxSignInAge: Seconds | undefined;
  /** Values that must never be logged. */
  readonly secrets: readonly (string | undefined)[];
  /** Appearance of the sign-in button. */
  readonly style: ProviderStyle;
}

/**
 * The parts of a provider needed to verify an e-mail address: an e-mail provider, or one whose extension verifies
 * addresses.
 */
export type AddressProvider = Pick<ResolvedEmailProvider, "id" | "ownsAddress" | "allowDangerousEmailAccountLinking">;

/** Any provider, resolved. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedCredentialsProvider
  | ResolvedEmailProvider
  | ResolvedWebAuthnProvider;
