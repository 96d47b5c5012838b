import type { AdapterUser } from "./adapter.ts";
import type { EmailCodes } from "./email-codes.ts";
import type { Extension } from "./extension.ts";
import type { OAuth2Provider, OAuthProvider, OIDCProvider } from "./oauth-provider.ts";
import type { Awaitable, Profile, User } from "./records.ts";
import type { CredentialInput, ProviderStyle, Theme } from "./theme.ts";
import type { WebAuthnProvider } from "./webauthn-provider.ts";

/** Sign-in with fields that the application verifies itself (docs/behaviour.md#credentials). */
export interface CredentialsProvider {
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** Credentials. */
  type: "credentials";
  /** The fields of the form by name. */
  credentials: Record<string, CredentialInput>;
  /** Receives the string fields and the request. Returns the user, or null if the credentials are invalid. */
  authorize(credentials: Partial<Record<string, unknown>>, request: Request): Awaitable<User | null>;
  /** Look of the button. */
  style?: ProviderStyle | undefined;
  /** The extension that the provider carries (docs/extensions.md). */
  extension?: Extension | undefined;
  /** What the application passed to the provider function. */
  options?: unknown;
}

/** Parameter of `sendVerificationRequest`. */
export interface VerificationRequest {
  /** The normalised e-mail address. */
  identifier: string;
  /** The link to send. It signs in anyone who opens it as the owner of this address. */
  url: string;
  /** When the link expires. */
  expires: Date;
  /** The provider object. */
  provider: EmailProvider;
  /** The token in the link. Only its hash is stored. */
  token: string;
  /**
   * An eight-digit code to enter in the requesting browser; absent unless the provider has codes, and if codes
   * are disabled for the address. The e-mail should warn users not to share the code.
   */
  code?: string | undefined;
  /** The theme of the application. */
  theme: Theme;
  /** The sign-in request. */
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
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** E-mail. */
  type: "email";
  /** Transport options for the provider's own `sendVerificationRequest`. */
  server?: unknown;
  /** The sender's address. */
  from?: string | undefined;
  /** For services that send e-mail over HTTP; default: the environment variable `AUTH_{ID}_KEY`. */
  apiKey?: string | undefined;
  /** Seconds for which the link is valid; default 24 hours, with `code` ten minutes. */
  maxAge?: number | undefined;
  /**
   * Also sends an eight-digit code with the link: `emailCodes` from `@cardea/providers-email/codes` (docs/email.md#codes). Requires a store;
   * default none.
   */
  code?: EmailCodes | undefined;
  /** Replaces the application's secret for hashing tokens. */
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
  /** Look of the button. */
  style?: ProviderStyle | undefined;
  /** The extension that the provider carries (docs/extensions.md). */
  extension?: Extension | undefined;
  /** What the application passed to the provider function. */
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
  /** The fields of the form. */
  credentials: Readonly<Record<string, object>>;
  /** Checks the credentials; null if they are invalid. */
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
  /** The fields of the form. */
  credentials: Fields;
  /** Checks the credentials; null if they are invalid. */
  authorize(credentials: Partial<Record<keyof Fields, unknown>>, request: Request): Awaitable<User | null>;
}

/** An e-mail provider, under its Auth.js name. */
export type EmailConfig = EmailProvider;

/** Options of an e-mail provider function, under their Auth.js name. */
export type EmailUserConfig = Partial<Omit<EmailProvider, "type" | "options">>;

export type { Account, Awaitable, Profile, ProviderType, TokenSet, User } from "./records.ts";
export type { CredentialInput, ProviderStyle } from "./theme.ts";
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
