/** A value or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The kinds of sign-in a provider can offer. */
export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn";

/** The members of every {@link User}, for declarations that extend them. */
export interface DefaultUser {
  /** The id of the user. */
  id?: string | undefined;
  /** The full name. */
  name?: string | null | undefined;
  /** The e-mail address. */
  email?: string | null | undefined;
  /** URL of a picture. */
  image?: string | null | undefined;
}

/**
 * The user who signs in, as returned by a provider's `profile` callback and received by the callbacks `jwt`, `session` and
 * `signIn`. Augment this interface to add your own fields.
 */
export interface User extends DefaultUser {}

/** The members of every session: when it ends and, by default, the user's name, e-mail address and image. */
export interface DefaultSession {
  /** The signed-in user. */
  user?: User | undefined;
  /** When the session ends, in ISO 8601. */
  expires: string;
}

/** The session as server code and the browser see it. Augment this interface to add your own fields. */
export interface Session extends DefaultSession {}

/** The response of a token endpoint (RFC 6749 §5.1) with all members optional, and the computed `expires_at`. */
export interface TokenSet {
  /** The access token (RFC 6749 §5.1). */
  access_token?: string | undefined;
  /** The refresh token (RFC 6749 §5.1). */
  refresh_token?: string | undefined;
  /** The ID token (OIDC Core §3.1.3.3). */
  id_token?: string | undefined;
  /** The granted scope (RFC 6749 §5.1). */
  scope?: string | undefined;
  /** Always lower case. */
  token_type?: Lowercase<string> | undefined;
  /** Seconds until `access_token` expires, counted from the response. */
  expires_in?: number | undefined;
  /** When `access_token` expires, in seconds since the epoch; computed from `expires_in`. */
  expires_at?: number | undefined;
  /** The granted details (RFC 9396 §7). */
  authorization_details?: readonly AuthorizationDetails[] | undefined;
  /** Further members of the response. */
  [member: string]: unknown;
}

/** One entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  /** The type of the details (RFC 9396 §2). */
  readonly type: string;
  /** Further members, as the type defines them. */
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
  /** The type of the provider. */
  type: ProviderType;
  /** The id of the user who owns this account; absent until the user is stored in the database. */
  userId?: string | undefined;
}

/** A passkey or security key of a user. */
export interface Authenticator {
  /** Base64 of the credential id: up to 1364 characters. */
  credentialID: string;
  /** Base64 of the COSE public key. */
  credentialPublicKey: string;
  /** The signature counter at the last use. */
  counter: number;
  /** `singleDevice` or `multiDevice`. */
  credentialDeviceType: string;
  /** Whether the passkey is backed up. */
  credentialBackedUp: boolean;
  /** Id of the account of the passkey: that of the credential, or its hash if it has more than 191 characters. */
  providerAccountId: string;
  /** Transport hints, separated by commas. */
  transports?: string | null | undefined;
  /** The name shown to the user; null for none. With {@link createdAt} and {@link usedAt} only if the adapter has `updateAuthenticator`. */
  name?: string | null | undefined;
  /** When the passkey was added; null if unknown. */
  createdAt?: Date | null | undefined;
  /** When it was last used; null if it was not, or if unknown. */
  usedAt?: Date | null | undefined;
  /** The user who owns the passkey. */
  userId?: string | undefined;
}

/** The user information of an OAuth or OpenID Connect provider: standard claims, and any others that it sends. */
export interface Profile {
  /** Further claims. */
  [claim: string]: unknown;
  /** Id of the user at the provider. */
  sub?: string | null | undefined;
  /** Id of the user at providers without `sub`. */
  id?: string | null | undefined;
  /** The full name. */
  name?: string | null | undefined;
  /** The given name. */
  given_name?: string | null | undefined;
  /** The family name. */
  family_name?: string | null | undefined;
  /** The middle name. */
  middle_name?: string | null | undefined;
  /** A casual name. */
  nickname?: string | null | undefined;
  /** The user's preferred name. */
  preferred_username?: string | null | undefined;
  /** URL of the profile page. */
  profile?: string | null | undefined;
  /** URL of a picture. */
  picture?: unknown;
  /** URL of a website. */
  website?: string | null | undefined;
  /** The e-mail address. */
  email?: string | null | undefined;
  /** Whether the provider verified the e-mail address. */
  email_verified?: boolean | null | undefined;
  /** The gender. */
  gender?: string | null | undefined;
  /** The date of birth, `YYYY-MM-DD`. */
  birthdate?: string | null | undefined;
  /** The time zone, such as `Europe/Paris`. */
  zoneinfo?: string | null | undefined;
  /** The language, such as `en-US`. */
  locale?: string | null | undefined;
  /** The phone number. */
  phone_number?: string | null | undefined;
  /** When the profile was last changed. */
  updated_at?: Date | string | number | null | undefined;
  /** The postal address. */
  address?: Address | null | undefined;
}

/** The `address` claim (OpenID Connect Core §5.1.1). */
export interface Address {
  /** The whole address. */
  formatted?: string | null | undefined;
  /** Street and house number. */
  street_address?: string | null | undefined;
  /** City. */
  locality?: string | null | undefined;
  /** State or province. */
  region?: string | null | undefined;
  /** Postal code. */
  postal_code?: string | null | undefined;
  /** Country. */
  country?: string | null | undefined;
}

/** The registered claims of every {@link JWT}, for declarations that extend them. */
export interface DefaultJWT {
  /** Further claims. */
  [claim: string]: unknown;
  /** The full name. */
  name?: string | null | undefined;
  /** The e-mail address. */
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
  /** The id of the provider. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** The type of the provider. */
  type: ProviderType;
  /** Where a sign-in starts. */
  signinUrl: string;
  /** The provider callback. */
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
