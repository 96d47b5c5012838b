import type { Adapter, AdapterUser } from "./adapter.ts";
import type { ProviderStyle } from "./provider-look.ts";
import type { Awaitable, User } from "./records.ts";

/** The site as authenticators know it (WebAuthn L3 §4, relying party). */
export interface RelyingParty {
  /** A domain: the site's host name or one that it is a part of. */
  id: string;
  /** What browsers show. */
  name: string;
  /** Where the site's pages are, such as `https://app.example.com`. */
  origin: string;
}

/** What of the relying party is configured, each one or several. Of several ids the one of the request's origin is offered. */
export interface RelyingPartyOptions {
  id?: string | string[] | undefined;
  name?: string | string[] | undefined;
  origin?: string | string[] | undefined;
}

/** What the hooks of a passkey provider get beside the request, named as in Auth.js v5. */
export interface WebAuthnFacts {
  readonly action: "webauthn-options" | "callback";
  /** The provider as it was configured. */
  readonly provider: WebAuthnProvider;
  readonly adapter: Adapter;
  /** The public URL of the action. Do not take the relying party from it unless `AUTH_URL` is set. */
  readonly url: URL;
}

/** The request as the hooks of a passkey provider get it, named as in Auth.js v5. */
export interface WebAuthnRequest {
  readonly method: "GET";
  readonly url: URL;
  readonly action: "webauthn-options" | "callback";
  readonly providerId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** What the person typed; `email` in the form in which addresses are stored. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: undefined;
}

/** Whom what was typed stands for: a user of the database, or what a new one would be made of. */
export type WebAuthnUserInfo =
  | { readonly user: AdapterUser | User; readonly exists: true }
  | { readonly user: Omit<User, "id">; readonly exists: false };

/**
 * The functions of `@simplewebauthn/server`, version 9 or later. The engine has no dependency on it: a provider brings it.
 * Nothing of what it says is taken without a look.
 */
export interface SimpleWebAuthn {
  generateAuthenticationOptions: CallableFunction;
  generateRegistrationOptions: CallableFunction;
  verifyAuthenticationResponse: CallableFunction;
  verifyRegistrationResponse: CallableFunction;
}

/** Sign-in with a passkey or a security key (docs/behaviour.md#passkeys). Objects of `@auth/core/providers/webauthn` and `/passkey` fit. */
export interface WebAuthnProvider {
  id: string;
  name: string;
  type: "webauthn";
  /** Default: the host of `AUTH_URL`; outside production that of the request. */
  relayingParty?: RelyingPartyOptions | undefined;
  /** Replaces `relayingParty`, for example where one process serves several sites. */
  getRelayingParty?: CallableFunction | undefined;
  /** Whether browsers offer passkeys in the field with `autocomplete="… webauthn"`; of one provider at most. */
  enableConditionalUI?: boolean | undefined;
  /** Not used: the built-in page has a script of its own. */
  simpleWebAuthnBrowserVersion?: unknown;
  /** What the built-in page asks for, each a `CredentialInput`; default: the e-mail address. */
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
   * Whom what was typed stands for; null when it is too little. Called again before a user is made of it. Must change nothing.
   * Default: the user with the address in `email`.
   */
  getUserInfo?: CallableFunction | undefined;
  /**
   * Makes the credential ids that hide whether an address is known; at least 32 characters. Default: the oldest secret of the
   * configuration. Set it where secrets are rotated: all made-up ids change with it, and real ones do not.
   */
  decoySecret?: string | undefined;
  /** Accepts typed addresses whose domain has no dot, such as those of an intranet; default false. */
  allowLocalDomains?: boolean | undefined;
  simpleWebAuthn: SimpleWebAuthn;
  /** Seconds after a sign-in for which a further passkey can be added; default: for as long as the session lasts. */
  maxSignInAge?: number | undefined;
  style?: ProviderStyle | undefined;
  options?: unknown;
}

/** What `getUserInfo` is: {@link WebAuthnProvider} names no signature, so that providers for Auth.js v5 fit. */
export type GetUserInfo = (facts: WebAuthnFacts, request: WebAuthnRequest) => Awaitable<WebAuthnUserInfo | null>;

/** What `getRelayingParty` is. */
export type GetRelyingParty = (facts: WebAuthnFacts, request: WebAuthnRequest) => Awaitable<RelyingParty>;
