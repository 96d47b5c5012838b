import type { Extension } from "./extension.ts";
import type { Awaitable, Profile, TokenSet, User } from "./records.ts";
import type { ProviderStyle } from "./theme.ts";

/** Replaces `fetch` for every call to a provider, for example to go through a proxy: `{ [customFetch]: myFetch }`. */
export const customFetch: unique symbol = Symbol("custom-fetch");

/** A provider endpoint with additional parameters and, if the provider needs it, a custom request. */
export interface EndpointHandler {
  /** The URL; default: from discovery. */
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
  /** The secrets of the pending sign-in. */
  checks: { code_verifier?: string | undefined; nonce?: string | undefined; state?: string | undefined };
  /** The provider as configured, its endpoints with `params` in their URLs, and the `redirect_uri` of this sign-in. */
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
  /** The response of the token endpoint. */
  tokens: TokenSet;
  /** The provider as configured, its endpoints with `params` in their URLs. */
  provider: OAuthProvider;
  /** The provider's `fetch`, with the limits of every provider request: https, ten seconds, 1 MiB, no redirects. */
  fetch: typeof fetch;
}

/** The client of a provider, for values that depend on it. */
export interface ClientFacts {
  /** The client id. */
  readonly clientId: string;
}

/** Protections of the authorization code flow. `state` is always used, even if it is not listed. */
export type Check = "pkce" | "state" | "nonce" | "none";

/** Members of all providers. */
export interface CommonProviderOptions {
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
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
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** The issuer identifier (RFC 8414 §2). Endpoints that are not configured are discovered from it. */
  issuer?: string | undefined;
  /** URL of the discovery document, if it is not below `issuer`. */
  wellKnown?: string | undefined;
  /** The authorization endpoint and its parameters. */
  authorization?: string | EndpointHandler | undefined;
  /** The token endpoint. */
  token?: string | TokenEndpointHandler | undefined;
  /** The userinfo endpoint. */
  userinfo?: string | UserinfoEndpointHandler | undefined;
  /** URL of the provider's signing keys; default: from discovery. */
  jwks_endpoint?: string | undefined;
  /** The client id; default: from the environment. */
  clientId?: string | undefined;
  /**
   * A string, or a function for providers that require a signed, short-lived token as the secret; called before each use.
   */
  clientSecret?: string | ((client: ClientFacts) => Awaitable<string>) | undefined;
  /**
   * Origins that are requested over http although they are not on the local machine, such as `http://keycloak:8080`. Those in URLs of
   * the configuration need no entry. Each one is named in a warning at startup.
   */
  insecureOrigins?: readonly string[] | undefined;
  /** Client metadata in RFC 7591 names, such as `token_endpoint_auth_method` (default `client_secret_basic`, if supported). */
  client?: Record<string, unknown> | undefined;
  /** How a response is bound to its sign-in; `state` is always checked. */
  checks?: readonly Check[] | undefined;
  /** Converts the provider's profile to a user. `id` is required. */
  profile?(profile: P, tokens: TokenSet): Awaitable<IdentifiedByProvider>;
  /**
   * Returns the address that the profile marks as verified, for a provider that does not use `email` with
   * `email_verified`. It applies only to a user with exactly that address.
   */
  verifiedEmail?(profile: P): string | null | undefined;
  /** Selects the tokens that are stored in the account. Callbacks receive the whole token response. */
  // biome-ignore lint/suspicious/noConfusingVoidType: providers written for Auth.js v5 may return nothing.
  account?(tokens: TokenSet): Partial<TokenSet> | undefined | void;
  /** Look of the button. */
  style?: ProviderStyle | undefined;
  /**
   * Values of `error` at the provider callback that mean that the user cancelled, in addition to `access_denied`: the visitor
   * sees `AccessDenied`.
   */
  cancelled?: readonly string[] | undefined;
  /** Returns why the provider will reject this redirect URI, if so; logged as a warning in production. */
  refuseCallbackUrl?: ((callbackUrl: string) => string | undefined) | undefined;
  /**
   * OpenID Connect only, for a multi-tenant server whose tenants share keys: returns the issuer that an ID token with these
   * claims must contain. Default: exactly the configured `issuer`. Called again with each published key: one for which it
   * returns another issuer does not verify the token.
   */
  idTokenIssuer?:
    | ((claims: Readonly<Record<string, unknown>>, issuer: string, key?: Readonly<Record<string, unknown>>) => string)
    | undefined;
  /**
   * Returns the parameters of the request that ends a user's session at the provider, for a provider that does not accept those of OIDC
   * RP-Initiated Logout §2. Used by `@cardea/logout`.
   *
   * @param request.returnTo the URL to which the provider must redirect the browser.
   */
  endSessionParams?:
    | ((request: { readonly clientId: string; readonly returnTo: string }) => Readonly<Record<string, string>>)
    | undefined;
  /**
   * OpenID Connect only: further audiences that an ID token without `azp` may have (OIDC Core §3.1.3.7). A token whose `azp` is this
   * client needs no entry.
   */
  audiences?: readonly string[] | undefined;
  /**
   * OpenID Connect only: `false` reads the profile from the userinfo endpoint instead of the ID token. Default: the ID token,
   * completed by that endpoint if it lacks the claims of a requested scope `profile` or `email`.
   */
  idToken?: boolean | undefined;
  /**
   * Links an account to an existing user with the same e-mail address if both the user and the provider have verified it.
   */
  allowDangerousEmailAccountLinking?: boolean | undefined;
  /**
   * The addresses of which this provider is the authority: their domains, or a function that decides for a verified address, as
   * Google is for `gmail.com` and its hosted domains, but not for every address that it verified. On the page `confirm-address`, their
   * owner may start fresh without an e-mail. Default: none.
   */
  ownsAddresses?: readonly string[] | ((address: string, profile: Profile) => Awaitable<boolean>) | undefined;
  /**
   * Pushed authorization requests (RFC 9126): parameters are sent server to server, and the browser carries only a
   * reference. `true`: always; `"auto"`: if the server announces support; `false`: never. Default: if the server
   * requires it.
   */
  par?: boolean | "auto" | undefined;
  /**
   * Binds code and tokens to a key of this application (DPoP, RFC 9449). Unbound tokens are rejected. Default false.
   */
  dpop?: boolean | undefined;
  /** Signs the authorization request with `token.clientPrivateKey` (RFC 9101). Default false. */
  signedRequest?: boolean | undefined;
  /** Replaces the option of the same name for this provider. */
  redirectProxyUrl?: string | undefined;
  /** Replaces the global `fetch` for requests to the provider. */
  [customFetch]?: typeof fetch | undefined;
  /** The extension that the provider carries (docs/extensions.md). */
  extension?: Extension | undefined;
  /** What the application passed to the provider function. */
  options?: unknown;
}

/** An OpenID Connect provider. */
export interface OIDCProvider<P = Profile> extends OAuthProviderConfig<P> {
  /** OpenID Connect. */
  type: "oidc";
}

/** An OAuth 2 provider. */
export interface OAuth2Provider<P = Profile> extends OAuthProviderConfig<P> {
  /** OAuth 2.0 without OpenID Connect. */
  type: "oauth";
}

/** Options of an OAuth 2 provider function: any member, merged into the provider's defaults. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuth2Provider<P>, "type" | "options">>;

/** Options of an OpenID Connect provider function: any member, merged into the provider's defaults. */
export type OIDCUserConfig<P = Profile> = Partial<Omit<OIDCProvider<P>, "type" | "options">>;

/** A provider that uses an external authorization endpoint. */
export type OAuthProvider = OIDCProvider | OAuth2Provider;
