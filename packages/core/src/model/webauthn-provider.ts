import type { Adapter, AdapterUser } from "./adapter.ts";
import type { Extension } from "./extension.ts";
import type { Awaitable, User } from "./records.ts";
import type { ProviderStyle } from "./theme.ts";

/** The site as authenticators identify it (WebAuthn L3 §4, relying party). */
export interface RelyingParty {
  /** A domain: the site's host name or a parent domain of it. */
  id: string;
  /** The name that browsers show. */
  name: string;
  /** The origin of the site's pages, such as `https://app.example.com`. */
  origin: string;
}

/**
 * The configured relying party; each member may be a list. Of several ids, the one that matches the request's origin is
 * offered.
 */
export interface RelyingPartyOptions {
  /** Domain or domains of the relying party. */
  id?: string | string[] | undefined;
  /** Name that authenticators show. */
  name?: string | string[] | undefined;
  /** Origin or origins of the pages. */
  origin?: string | string[] | undefined;
}

/** Parameter of a passkey provider's hooks, with the names of Auth.js v5. */
export interface WebAuthnFacts {
  /** What the request is for. */
  readonly action: "webauthn-options" | "callback";
  /** The provider as configured. */
  readonly provider: WebAuthnProvider;
  /** The database. */
  readonly adapter: Adapter;
  /** The public URL of the endpoint. Do not derive the relying party from it unless `AUTH_URL` is set. */
  readonly url: URL;
}

/** The request as a passkey provider's hooks receive it, with the names of Auth.js v5. */
export interface WebAuthnRequest {
  /** The method. */
  readonly method: "GET";
  /** The URL. */
  readonly url: URL;
  /** What the request is for. */
  readonly action: "webauthn-options" | "callback";
  /** The id of the provider. */
  readonly providerId: string;
  /** The headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The cookies. */
  readonly cookies: Readonly<Record<string, string>>;
  /** The submitted fields; `email` is normalised. */
  readonly query: Readonly<Record<string, string>>;
  /** Always absent; for the type of Auth.js. */
  readonly body: undefined;
}

/** The user identified by the submitted fields: an existing user, or the data of a new one. */
export type WebAuthnUserInfo =
  | { readonly user: AdapterUser | User; readonly exists: true }
  | { readonly user: Omit<User, "id">; readonly exists: false };

/**
 * The functions of `@simplewebauthn/server`, version 9 or later. Core does not depend on it: a provider supplies it. Its
 * results are validated.
 */
export interface SimpleWebAuthn {
  /** Creates the options of an authentication. */
  generateAuthenticationOptions: CallableFunction;
  /** Creates the options of a registration. */
  generateRegistrationOptions: CallableFunction;
  /** Verifies the response of an authentication. */
  verifyAuthenticationResponse: CallableFunction;
  /** Verifies the response of a registration. */
  verifyRegistrationResponse: CallableFunction;
}

/**
 * Sign-in with a passkey or a security key (docs/behaviour.md#passkeys), as made by `@cardea/providers-webauthn`:
 * an object without its `extension` is rejected at startup.
 */
export interface WebAuthnProvider {
  /** Unique among the providers; part of the URLs. */
  id: string;
  /** Name on the sign-in page. */
  name: string;
  /** Passkeys. */
  type: "webauthn";
  /** Default: the host of `AUTH_URL`; outside production, the host of the request. */
  relayingParty?: RelyingPartyOptions | undefined;
  /** Replaces `relayingParty`, for example if one process serves several sites. */
  getRelayingParty?: CallableFunction | undefined;
  /** Whether browsers offer passkeys in the field with `autocomplete="… webauthn"`; allowed for one provider. */
  enableConditionalUI?: boolean | undefined;
  /** Not used: the built-in page has its own script. */
  simpleWebAuthnBrowserVersion?: unknown;
  /** The fields of the built-in form, each a `CredentialInput`; default: the e-mail address. */
  formFields?: Readonly<Record<string, object>> | undefined;
  /** Options of `generateAuthenticationOptions`. */
  authenticationOptions?: object | undefined;
  /** Options of `generateRegistrationOptions`. */
  registrationOptions?: object | undefined;
  /** Options of `verifyAuthenticationResponse`; `requireUserVerification` is on unless it is false. */
  verifyAuthenticationOptions?: object | undefined;
  /** Options of `verifyRegistrationResponse`; `requireUserVerification` is on unless it is false. */
  verifyRegistrationOptions?: object | undefined;
  /**
   * Returns the user for the submitted fields, or null if they are not sufficient. Called again before a user is created.
   * Must have no side effects. Default: the user with the address in `email`.
   */
  getUserInfo?: CallableFunction | undefined;
  /**
   * Generates the decoy credential ids that hide whether an address is registered; at least 32 characters. Default: the
   * oldest secret of the configuration. Set it if you rotate secrets: decoys change with it, and real ids do not.
   */
  decoySecret?: string | undefined;
  /** Accepts addresses whose domain has no dot, such as those of an intranet; default false. */
  allowLocalDomains?: boolean | undefined;
  /** The functions of `@simplewebauthn/server`. */
  simpleWebAuthn: SimpleWebAuthn;
  /** Seconds after a sign-in during which a sign-in method, a factor or another address can be added; default: as long as the session lasts. */
  maxSignInAge?: number | undefined;
  /** Which kind of authenticator browsers should suggest (WebAuthn L3 §5.8.8): `security-key`, `client-device`, `hybrid`. */
  hints?: readonly string[] | undefined;
  /** Whether pages may create a passkey without a prompt, beside a password (WebAuthn L3 §5.1.3); default false. */
  conditionalCreate?: boolean | undefined;
  /** Look of the button. */
  style?: ProviderStyle | undefined;
  /** The extension that the provider carries (docs/extensions.md). */
  extension?: Extension | undefined;
  /** What the application passed to the provider function. */
  options?: unknown;
}

/** The signature of `getUserInfo`. {@link WebAuthnProvider} declares none: one with fewer parameters is accepted as well. */
export type GetUserInfo = (facts: WebAuthnFacts, request: WebAuthnRequest) => Awaitable<WebAuthnUserInfo | null>;

/** The signature of `getRelyingParty`. */
export type GetRelyingParty = (facts: WebAuthnFacts, request: WebAuthnRequest) => Awaitable<RelyingParty>;
