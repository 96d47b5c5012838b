/** A value or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The kinds of sign-in a provider can offer. */
export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn";

/** The members of every {@link User}, for declarations that extend them. */
export interface DefaultUser {
  id?: string | undefined;
  name?: string | null | undefined;
  email?: string | null | undefined;
  image?: string | null | undefined;
}

/**
 * The user who signs in, as returned by a provider's `profile` callback and received by the callbacks `jwt`, `session` and
 * `signIn`. Augment this interface to add your own fields.
 */
export interface User extends DefaultUser {}

/** The members of every session: when it ends and, by default, the user's name, e-mail address and image. */
export interface DefaultSession {
  user?: User | undefined;
  /** When the session ends, in ISO 8601. */
  expires: string;
}

/** The session as server code and the browser see it. Augment this interface to add your own fields. */
export interface Session extends DefaultSession {}

/** The response of a token endpoint (RFC 6749 §5.1) with all members optional, and the computed `expires_at`. */
export interface TokenSet {
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  id_token?: string | undefined;
  scope?: string | undefined;
  /** Always lower case. */
  token_type?: Lowercase<string> | undefined;
  /** Seconds until `access_token` expires, counted from the response. */
  expires_in?: number | undefined;
  /** When `access_token` expires, in seconds since the epoch; computed from `expires_in`. */
  expires_at?: number | undefined;
  authorization_details?: readonly AuthorizationDetails[] | undefined;
  [member: string]: unknown;
}

/** One entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Links a user to an identity at a provider, with the provider's tokens. */
export interface Account extends TokenSet {
  /** The id of the provider. */
  provider: string;
  /**
   * oauth, oidc: the id that `profile()` returned; email: the e-mail address; credentials: the id that `authorize()`
   * returned.
   */
  providerAccountId: string;
  type: ProviderType;
  /** The id of the user who owns this account; absent until the user is stored in the database. */
  userId?: string | undefined;
}

/** A passkey or security key of a user. */
export interface Authenticator {
  /** Base64 of the credential id. */
  credentialID: string;
  /** Base64 of the COSE public key. */
  credentialPublicKey: string;
  /** The signature counter at the last use. */
  counter: number;
  credentialDeviceType: string;
  credentialBackedUp: boolean;
  providerAccountId: string;
  /** Transport hints, separated by commas. */
  transports?: string | null | undefined;
  userId?: string | undefined;
}

/** The user information of an OAuth or OpenID Connect provider: standard claims, and any others that it sends. */
export interface Profile {
  [claim: string]: unknown;
  sub?: string | null | undefined;
  id?: string | null | undefined;
  name?: string | null | undefined;
  given_name?: string | null | undefined;
  family_name?: string | null | undefined;
  middle_name?: string | null | undefined;
  nickname?: string | null | undefined;
  preferred_username?: string | null | undefined;
  profile?: string | null | undefined;
  picture?: unknown;
  website?: string | null | undefined;
  email?: string | null | undefined;
  email_verified?: boolean | null | undefined;
  gender?: string | null | undefined;
  birthdate?: string | null | undefined;
  zoneinfo?: string | null | undefined;
  locale?: string | null | undefined;
  phone_number?: string | null | undefined;
  updated_at?: Date | string | number | null | undefined;
  address?: Address | null | undefined;
}

/** The `address` claim (OpenID Connect Core §5.1.1). */
export interface Address {
  formatted?: string | null | undefined;
  street_address?: string | null | undefined;
  locality?: string | null | undefined;
  region?: string | null | undefined;
  postal_code?: string | null | undefined;
  country?: string | null | undefined;
}

/** The registered claims of every {@link JWT}, for declarations that extend them. */
export interface DefaultJWT {
  [claim: string]: unknown;
  name?: string | null | undefined;
  email?: string | null | undefined;
  /** The user's image. */
  picture?: string | null | undefined;
  /** The id of the user. */
  sub?: string | undefined;
  /** Issued at, seconds since the epoch. */
  iat?: number | undefined;
  /** Expires at, seconds since the epoch. */
  exp?: number | undefined;
  /** Identifies the session: new at each sign-in, unchanged when the session is renewed. */
  jti?: string | undefined;
}

/** The claims of a session token. Augment this interface to type your own claims. */
export interface JWT extends DefaultJWT {}

/** The public facts about a provider. */
export interface PublicProvider {
  id: string;
  name: string;
  type: ProviderType;
  signinUrl: string;
  callbackUrl: string;
}

/** The names of the endpoints below the base path that applications may use. */
export type AuthAction =
  | "callback"
  | "csrf"
  | "error"
  | "providers"
  | "session"
  | "signin"
  | "signout"
  | "verify-request"
  | "webauthn-options";
