import type { AdapterUser } from "./adapter.ts";
import type { CredentialInput, ProviderStyle } from "./provider-look.ts";
import type { Awaitable, Profile, TokenSet, User } from "./records.ts";
import type { Theme } from "./theme.ts";
import type { WebAuthnProvider } from "./webauthn-provider.ts";

/** Replaces `fetch` for every call to a provider, for example to go through a proxy: `{ [customFetch]: myFetch }`. */
export const customFetch: unique symbol = Symbol("custom-fetch");

/** A provider endpoint with additional parameters and, if the provider needs it, a custom request. */
export interface EndpointHandler {
  url?: string | URL | undefined;
  /**
   * Sent in the query of the URL. A value may be a function of the client, for a provider that expects the client id under
   * another name: `({ clientId }) => clientId`. Objects are sent as JSON.
   */
  params?: Record<string, unknown> | undefined;
}

/** The `token` endpoint. `conform` corrects a response that does not follow RFC 6749 §5.1. */
export interface TokenEndpointHandler extends EndpointHandler {
  /** Sent in the form body, in addition to the parameters of RFC 6749 §4.1.3. Values as in `params`. */
  body?: Record<string, unknown> | undefined;
  /** Performs the token request itself and returns the token response. */
  request?(context: TokenRequestContext): Awaitable<{ tokens: TokenSet } | TokenSet>;
  /** Receives the response before it is parsed. Returns a replacement, or nothing to keep it. */
  conform?(response: Response): Awaitable<Response | undefined>;
  /** Signs the assertion of `private_key_jwt` client authentication (RFC 7523 §2.2). */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string } | undefined;
}

/** Parameter of `token.request`. */
export interface TokenRequestContext {
  /** The parameters of the authorization response, including `code`. */
  params: Record<string, string>;
  checks: { code_verifier?: string | undefined; nonce?: string | undefined; state?: string | undefined };
  /** The provider as configured, and the `redirect_uri` of this sign-in. */
  provider: OAuthProvider & { callbackUrl: string };
  /** The provider's `fetch`, with the limits of every provider request: https, ten seconds, 1 MiB, no redirects. */
  fetch: typeof fetch;
}

/** The `userinfo` endpoint. */
export interface UserinfoEndpointHandler extends EndpointHandler {
  /** Performs the userinfo request itself and returns the profile. */
  request?(context: UserinfoRequestContext): Awaitable<Profile>;
  /** Receives the response before it is parsed. Returns a replacement, or nothing to keep it. May throw. */
  conform?(response: Response): Awaitable<Response | undefined>;
}

/** Parameter of `userinfo.request`. */
export interface UserinfoRequestContext {
  tokens: TokenSet;
  /** The provider as configured. */
  provider: OAuthProvider;
  /** The provider's `fetch`, with the limits of every provider request: https, ten seconds, 1 MiB, no redirects. */
  fetch: typeof fetch;
}

/** The client of a provider, for values that depend on it. */
export interface ClientFacts {
  readonly clientId: string;
}

/** Protections of the authorization code flow. `state` is always used, even if it is not listed. */
export type Check = "pkce" | "state" | "nonce" | "none";

/** Members of all providers. */
export interface CommonProviderOptions {
  id: string;
  name: string;
}

/** The result of `profile`: a user with an `id`. */
export interface IdentifiedByProvider extends Omit<User, "id"> {
  /**
   * The id assigned by the provider: a string of 1 to 255 characters, or a safe integer, which is converted. Without an id
   * the sign-in fails.
   */
  id?: string | number | bigint | undefined;
  /**
   * `false` or `null`: the address does not count as verified, whatever the provider reports. `true` has an effect for
   * OAuth 2 only, for an address in the profile, and if the profile has no `email_verified`; see `verifiedEmail`. A date is
   * ignored.
   */
  emailVerified?: boolean | Date | null | undefined;
}

/** Configuration shared by OAuth 2 and OpenID Connect providers (docs/behaviour.md#oauth). */
export interface OAuthProviderConfig<P = Profile> {
  id: string;
  name: string;
  /** The issuer identifier (RFC 8414 §2). Endpoints that are not configured are discovered from it. */
  issuer?: string | undefined;
  /** URL of the discovery document, if it is not below `issuer`. */
  wellKnown?: string | undefined;
  authorization?: string | EndpointHandler | undefined;
  token?: string | TokenEndpointHandler | undefined;
  userinfo?: string | UserinfoEndpointHandler | undefined;
  jwks_endpoint?: string | undefined;
  clientId?: string | undefined;
  /**
   * A string, or a function for providers that require a signed, short-lived token as the secret; called before each use.
   */
  clientSecret?: string | ((client: ClientFacts) => Awaitable<string>) | undefined;
  /** Client metadata in RFC 7591 names, such as `token_endpoint_auth_method` (default `client_secret_basic`). */
  client?: Record<string, unknown> | undefined;
  checks?: readonly Check[] | undefined;
  /** Converts the provider's profile to a user. `id` is required. */
  profile?(profile: P, tokens: TokenSet): Awaitable<IdentifiedByProvider>;
  /**
   * Returns the address that the profile marks as verified, for a provider that does not use `email_verified` beside
   * `email`. It applies only to a user with exactly that address.
   */
  verifiedEmail?(profile: P): string | null | undefined;
  /** Selects the tokens that are stored in the account. */
  // biome-ignore lint/suspicious/noConfusingVoidType: providers written for Auth.js v5 may return nothing.
  account?(tokens: TokenSet): Partial<TokenSet> | undefined | void;
  style?: ProviderStyle | undefined;
  /** Returns why the provider will reject this redirect URI, if so; logged as a warning in production. */
  refuseCallbackUrl?: ((callbackUrl: string) => string | undefined) | undefined;
  /**
   * OpenID Connect only, for a multi-tenant server whose tenants share keys: returns the issuer that an ID token with these
   * claims must contain. Default: exactly the configured `issuer`.
   */
  idTokenIssuer?: ((claims: Readonly<Record<string, unknown>>, issuer: string) => string) | undefined;
  /** OpenID Connect only: `false` reads the profile from the userinfo endpoint instead of the ID token. */
  idToken?: boolean | undefined;
  /**
   * Links an account to an existing user with the same e-mail address if both the user and the provider have verified it.
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  redirectProxyUrl?: string | undefined;
  [customFetch]?: typeof fetch | undefined;
  options?: unknown;
}

/** An OpenID Connect provider. */
export interface OIDCProvider<P = Profile> extends OAuthProviderConfig<P> {
  type: "oidc";
}

/** An OAuth 2 provider. */
export interface OAuth2Provider<P = Profile> extends OAuthProviderConfig<P> {
  type: "oauth";
}

/** Options of an OAuth 2 provider function: any member, merged into the provider's defaults. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Provider<P>, "type" | "options">>;

/** Options of an OpenID Connect provider function: any member, merged into the provider's defaults. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCProvider<P>, "type" | "options">>;

/** A provider that uses an external authorization endpoint. */
export type OAuthProvider = OIDCProvider | OAuth2Provider;

/** Sign-in with fields that the application verifies itself (docs/behaviour.md#credentials). */
export interface CredentialsProvider {
  id: string;
  name: string;
  type: "credentials";
  /** The fields of the form by name. */
  credentials: Record<string, CredentialInput>;
  /** Receives the string fields and the request. Returns the user, or null if the credentials are invalid. */
  authorize(credentials: Partial<Record<string, unknown>>, request: Request): Awaitable<User | null>;
  style?: ProviderStyle | undefined;
  options?: unknown;
}

/** Parameter of `sendVerificationRequest`. */
export interface VerificationRequest {
  /** The normalised e-mail address. */
  identifier: string;
  /** The link to send. It signs in anyone who opens it as the owner of this address. */
  url: string;
  expires: Date;
  provider: EmailProvider;
  /** The token in the link. Only its hash is stored. */
  token: string;
  theme: Theme;
  request: Request;
}

/**
 * Limits the e-mails that one process sends to one mailbox. A function can share the count between processes: it receives
 * the mailbox, which is the address without its `+tag`, and the address. The e-mail is sent only if it returns `true`.
 */
export type EmailRateLimit =
  | { readonly max: number; readonly windowSeconds: number }
  | ((mailbox: string, identifier: string) => Awaitable<boolean>);

/** Sign-in by a link in an e-mail (docs/behaviour.md#e-mail). */
export interface EmailProvider {
  id: string;
  name: string;
  type: "email";
  /** Transport options for the provider's own `sendVerificationRequest`. */
  server?: unknown;
  from?: string | undefined;
  /** For services that send e-mail over HTTP; default: the environment variable `AUTH_{ID}_KEY`. */
  apiKey?: string | undefined;
  /** Seconds for which the link is valid; default 24 hours. */
  maxAge?: number | undefined;
  /** Hashes tokens in place of the application's secret. */
  secret?: string | undefined;
  /**
   * Default: 32 random bytes. Must return 1 to 512 characters without control characters. Tokens that appear weaker than
   * 128 bits cause a warning, and ten wrong attempts for an address invalidate its links (docs/email.md#custom-tokens).
   */
  generateVerificationToken?(): Awaitable<string>;
  /**
   * Changes an address after validation and normalisation; throw to reject it. The result is validated again. Text without
   * an `@`, such as a user name to complete, is passed unchanged.
   */
  normalizeIdentifier?(identifier: string): string;
  /** Accepts addresses whose domain has no dot, such as those of an intranet; default false. */
  allowLocalDomains?: boolean | undefined;
  /** Members that its own `sendVerificationRequest` needs, such as `server`. Startup fails if one is missing. */
  requires?: readonly string[] | undefined;
  /** Sends the e-mail. Rejects if it could not be sent. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>;
  /**
   * Whether a user whose address was never verified belongs to the owner of that address, for applications that create
   * users by invitation. Called when the owner has opened a link. Default: only if nothing else gives access to that user.
   */
  ownsAddress?(user: AdapterUser): Awaitable<boolean>;
  /**
   * Signs the owner of an address in to the user with that address, as Auth.js does, even if someone else created that user
   * or can sign in to it. Dangerous; default false.
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /** Default: five e-mails in ten minutes to one mailbox. Beyond the limit, the response stays the same. */
  rateLimit?: EmailRateLimit | undefined;
  style?: ProviderStyle | undefined;
  options?: unknown;
}

/** Any supported provider. */
export type ResolvableProvider = OAuthProvider | CredentialsProvider | EmailProvider | WebAuthnProvider;

/** A provider whose `profile` expects its own profile type, as in packages for Auth.js v5. */
export type ProviderOfProfile = (
  | Omit<OAuth2Provider, "profile" | "verifiedEmail">
  | Omit<OIDCProvider, "profile" | "verifiedEmail">
) & {
  // Has no call signature, so that `profile` of an object literal in `providers` is typed by OAuthProvider.
  profile?: CallableFunction | undefined;
  verifiedEmail?: CallableFunction | undefined;
};

/**
 * A credentials provider with its own types for fields and users, as in packages for Auth.js v5. Written as methods, so
 * that `authorize` of an object literal in `providers` is typed by CredentialsProvider.
 */
export interface CredentialsOfFields extends Omit<CredentialsProvider, "credentials" | "authorize"> {
  credentials: Readonly<Record<string, object>>;
  authorize(credentials: Partial<Record<string, unknown>>, request: Request): Awaitable<object | null>;
}

/** An entry of `providers`: a provider, or the function that creates it (called with `{}`). */
export type Provider =
  | ResolvableProvider
  | ProviderOfProfile
  | CredentialsOfFields
  | ((...options: never[]) => ResolvableProvider | ProviderOfProfile | CredentialsOfFields);

/** The providers of an application. */
export type AppProviders = Provider[];

/** The id of a provider. */
export type ProviderId = string;

/** The id of a provider, under its Auth.js v4 name. */
export type BuiltInProviderType = ProviderId;

/** An OAuth 2 provider, under its Auth.js name. */
export type OAuth2Config<P = Profile> = OAuth2Provider<P>;

/** An OpenID Connect provider, under its Auth.js name. */
export type OIDCConfig<P = Profile> = OIDCProvider<P>;

/** A provider of either protocol, under its Auth.js name. */
export type OAuthConfig<P = Profile> = OIDCConfig<P> | OAuth2Config<P>;

/** A credentials provider with these fields, under its Auth.js name. */
export interface CredentialsConfig<Fields extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends Omit<CredentialsProvider, "credentials" | "authorize"> {
  credentials: Fields;
  authorize(credentials: Partial<Record<keyof Fields, unknown>>, request: Request): Awaitable<User | null>;
}

/** An e-mail provider, under its Auth.js name. */
export type EmailConfig = EmailProvider;

/** Options of an e-mail provider function, under their Auth.js name. */
export type EmailUserConfig = Partial<Omit<EmailProvider, "type" | "options">>;

export type { CredentialInput, ProviderStyle } from "./provider-look.ts";
export type { Account, Awaitable, Profile, ProviderType, TokenSet, User } from "./records.ts";
export type {
  GetRelyingParty,
  GetUserInfo,
  RelyingParty,
  RelyingPartyOptions,
  SimpleWebAuthn,
  WebAuthnFacts,
  WebAuthnProvider,
  WebAuthnRequest,
  WebAuthnUserInfo,
} from "./webauthn-provider.ts";
