import type { AdapterUser } from "./adapter.ts";
import type { CredentialInput, ProviderStyle } from "./provider-look.ts";
import type { Awaitable, Profile, TokenSet, User } from "./records.ts";
import type { Theme } from "./theme.ts";
import type { WebAuthnProvider } from "./webauthn-provider.ts";

/** Replaces `fetch` for every call to a provider, for example to go through a proxy: `{ [customFetch]: myFetch }`. */
export const customFetch: unique symbol = Symbol("custom-fetch");

/** An endpoint of a provider with extra parameters and, where the provider needs it, a request of its own. */
export interface EndpointHandler {
  url?: string | URL | undefined;
  /**
   * Sent in the query of the URL. A value may be a function of the client, for a provider that wants the client id under another
   * name: `({ clientId }) => clientId`. Objects are sent as JSON.
   */
  params?: Record<string, unknown> | undefined;
}

/** The `token` endpoint: `conform` rewrites an answer that is not what RFC 6749 §5.1 describes. */
export interface TokenEndpointHandler extends EndpointHandler {
  /** Sent in the form body beside what RFC 6749 §4.1.3 asks for; values as in `params`. */
  body?: Record<string, unknown> | undefined;
  /** Makes the whole token request; what it returns is used as the token answer. */
  request?(context: TokenRequestContext): Awaitable<{ tokens: TokenSet } | TokenSet>;
  /** Gets the answer before it is read; returns the one to read instead, or nothing to keep it. */
  conform?(response: Response): Awaitable<Response | undefined>;
  /** Signs the assertion of `private_key_jwt` client authentication (RFC 7523 §2.2). */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string } | undefined;
}

/** What `token.request` gets. */
export interface TokenRequestContext {
  /** The parameters of the authorization response, `code` among them. */
  params: Record<string, string>;
  checks: { code_verifier?: string | undefined; nonce?: string | undefined; state?: string | undefined };
  /** The provider as it was configured, and the `redirect_uri` of this sign-in. */
  provider: OAuthProvider & { callbackUrl: string };
  /** The provider's `fetch` within the limits of every call to a provider: https, ten seconds, 1 MiB, no redirects. */
  fetch: typeof fetch;
}

/** The `userinfo` endpoint. */
export interface UserinfoEndpointHandler extends EndpointHandler {
  /** Makes the whole userinfo request and returns the profile. */
  request?(context: UserinfoRequestContext): Awaitable<Profile>;
  /** Gets the answer before it is read; returns the one to read instead, or nothing to keep it. May throw. */
  conform?(response: Response): Awaitable<Response | undefined>;
}

/** What `userinfo.request` gets. */
export interface UserinfoRequestContext {
  tokens: TokenSet;
  /** The provider as it was configured. */
  provider: OAuthProvider;
  /** The provider's `fetch` within the limits of every call to a provider: https, ten seconds, 1 MiB, no redirects. */
  fetch: typeof fetch;
}

/** What values that depend on the client are made from. */
export interface ClientFacts {
  readonly clientId: string;
}

/** What guards an authorization code flow. `state` is always used whatever is listed. */
export type Check = "pkce" | "state" | "nonce" | "none";

/** What every provider has. */
export interface CommonProviderOptions {
  id: string;
  name: string;
}

/** What `profile` returns: a user with an `id`. */
export interface IdentifiedByProvider extends Omit<User, "id"> {
  /** The id at the provider: text of 1 to 255 characters, or a safe integer, which becomes text. Without one the sign-in fails. */
  id?: string | number | bigint | undefined;
  /**
   * `false` or `null`: the address does not count as verified, whatever the provider says. `true` counts for OAuth 2 only, for an
   * address in the profile, and where the profile has no `email_verified`; see `verifiedEmail`. A date is ignored.
   */
  emailVerified?: boolean | Date | null | undefined;
}

/** Configuration shared by OAuth 2 and OpenID Connect providers (docs/behaviour.md#oauth). */
export interface OAuthProviderConfig<P = Profile> {
  id: string;
  name: string;
  /** The issuer identifier (RFC 8414 §2); with it, endpoints that are not given are discovered. */
  issuer?: string | undefined;
  /** URL of the discovery document where it is not below `issuer`. */
  wellKnown?: string | undefined;
  authorization?: string | EndpointHandler | undefined;
  token?: string | TokenEndpointHandler | undefined;
  userinfo?: string | UserinfoEndpointHandler | undefined;
  jwks_endpoint?: string | undefined;
  clientId?: string | undefined;
  /** A function where the provider takes a signed, short-lived token for a secret; asked before each use. */
  clientSecret?: string | ((client: ClientFacts) => Awaitable<string>) | undefined;
  /** Client metadata in RFC 7591 names, such as `token_endpoint_auth_method` (default `client_secret_basic`). */
  client?: Record<string, unknown> | undefined;
  checks?: readonly Check[] | undefined;
  /** Turns what the provider says of a person into a user. `id` is required. */
  profile?(profile: P, tokens: TokenSet): Awaitable<IdentifiedByProvider>;
  /**
   * The address that the profile says is verified, for a provider that says it in another way than by `email_verified` beside
   * `email`. It counts for a user who gets that very address.
   */
  verifiedEmail?(profile: P): string | null | undefined;
  /** Chooses what of the tokens is kept in the account. */
  // biome-ignore lint/suspicious/noConfusingVoidType: providers written for Auth.js v5 may return nothing.
  account?(tokens: TokenSet): Partial<TokenSet> | undefined | void;
  style?: ProviderStyle | undefined;
  /** Why the provider will not send people back to this URL; logged as a warning in production. */
  refuseCallbackUrl?: ((callbackUrl: string) => string | undefined) | undefined;
  /**
   * OpenID Connect only, for a server of many tenants that all share its keys: the issuer that an ID token with these claims
   * must name, where `issuer` is configured. Default: that, exactly.
   */
  idTokenIssuer?: ((claims: Readonly<Record<string, unknown>>, issuer: string) => string) | undefined;
  /** OpenID Connect only: `false` fetches the profile from the userinfo endpoint instead of the ID token. */
  idToken?: boolean | undefined;
  /** Links an account to an existing user with the same e-mail address when both sides verified it. */
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

/** What an application may pass to the function of an OAuth 2 provider: any member, laid over the provider's defaults. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Provider<P>, "type" | "options">>;

/** What an application may pass to the function of an OpenID Connect provider: any member, laid over its defaults. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCProvider<P>, "type" | "options">>;

/** A provider whose sign-in goes through the authorization endpoint of somebody else. */
export type OAuthProvider = OIDCProvider | OAuth2Provider;

/** Sign-in with fields that the application checks itself (docs/behaviour.md#credentials). */
export interface CredentialsProvider {
  id: string;
  name: string;
  type: "credentials";
  /** The fields of the form by name. */
  credentials: Record<string, CredentialInput>;
  /** Gets the string fields and the request; returns the user, or null when they do not fit. */
  authorize(credentials: Partial<Record<string, unknown>>, request: Request): Awaitable<User | null>;
  style?: ProviderStyle | undefined;
  options?: unknown;
}

/** What `sendVerificationRequest` gets. */
export interface VerificationRequest {
  /** The address, in the form in which it is stored. */
  identifier: string;
  /** The link to send. Whoever opens it is signed in as this address. */
  url: string;
  expires: Date;
  provider: EmailProvider;
  /** The token in the link; never stored as it is. */
  token: string;
  theme: Theme;
  request: Request;
}

/**
 * How many mails one process sends to one mailbox. A function can share its count with other processes: it gets the mailbox,
 * which is the address without its `+tag`, and the address. Only `true` lets the mail be sent.
 */
export type EmailRateLimit =
  | { readonly max: number; readonly windowSeconds: number }
  | ((mailbox: string, identifier: string) => Awaitable<boolean>);

/** Sign-in by a link in an e-mail (docs/behaviour.md#e-mail). */
export interface EmailProvider {
  id: string;
  name: string;
  type: "email";
  /** Transport options of the provider's own `sendVerificationRequest`. */
  server?: unknown;
  from?: string | undefined;
  /** For a service that sends mail over HTTP; default: the environment variable `AUTH_{ID}_KEY`. */
  apiKey?: string | undefined;
  /** Seconds for which the link works; default 24 hours. */
  maxAge?: number | undefined;
  /** Hashes tokens instead of the configuration's secret. */
  secret?: string | undefined;
  /**
   * Default: 32 random bytes. A string of 1 to 512 characters without control characters. Tokens that look weaker than 128 bits
   * are logged as a warning, and ten wrong tries for an address void its links (docs/email.md#custom-tokens).
   */
  generateVerificationToken?(): Awaitable<string>;
  /**
   * Changes an address after it was checked and normalised; throw to refuse one. The result passes the same checks. What was
   * typed without an `@`, such as a user name to complete, arrives as it is.
   */
  normalizeIdentifier?(identifier: string): string;
  /** Accepts addresses whose domain has no dot, such as those of an intranet; default false. */
  allowLocalDomains?: boolean | undefined;
  /** Members that its own `sendVerificationRequest` needs, such as `server`; a missing one is refused at startup. */
  requires?: readonly string[] | undefined;
  /** Sends the mail. Rejects when it could not be sent. */
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>;
  /**
   * Whether a user whose address was never proven belongs to the owner of that address, for an application that creates users
   * by invitation. Called when the owner has opened a link. Default: only where nothing else can lead to that user.
   */
  ownsAddress?(user: AdapterUser): Awaitable<boolean>;
  /**
   * Signs the owner of an address in to the user with that address, whoever created that user and whoever else can sign in
   * to it, as Auth.js does. Dangerous: default false.
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /** Default: five mails in ten minutes to one mailbox. The response is the same beyond the limit. */
  rateLimit?: EmailRateLimit | undefined;
  style?: ProviderStyle | undefined;
  options?: unknown;
}

/** Any provider that this version signs in with. */
export type ResolvableProvider = OAuthProvider | CredentialsProvider | EmailProvider | WebAuthnProvider;

/** A provider whose `profile` is written for a profile type of its own, as those of packages for Auth.js v5 are. */
export type ProviderOfProfile = (
  | Omit<OAuth2Provider, "profile" | "verifiedEmail">
  | Omit<OIDCProvider, "profile" | "verifiedEmail">
) & {
  // Without a call signature, so that `profile` of an object in `providers` gets its type from OAuthProvider.
  profile?: CallableFunction | undefined;
  verifiedEmail?: CallableFunction | undefined;
};

/**
 * A credentials provider whose fields and users have types of their own, as those of packages for Auth.js v5 do. Written as
 * methods, so that `authorize` of an object in `providers` gets its parameters' types from CredentialsProvider.
 */
export interface CredentialsOfFields extends Omit<CredentialsProvider, "credentials" | "authorize"> {
  credentials: Readonly<Record<string, object>>;
  authorize(credentials: Partial<Record<string, unknown>>, request: Request): Awaitable<object | null>;
}

/** What `providers` accepts: a provider, or the function that makes it (called with `{}`). */
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

/** What an application may pass to the function of an e-mail provider, under its Auth.js name. */
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
