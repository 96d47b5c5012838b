import {
  type CredentialInput,
  type GetRelyingParty,
  type GetUserInfo,
  type ProviderStyle,
  providerOptions,
  type RelyingPartyOptions,
  type SimpleWebAuthn,
  type WebAuthnProvider,
} from "@cardea/core/providers";
import type { RequestTools } from "@cardea/extend";
import type {
  GenerateAuthenticationOptionsOpts,
  GenerateRegistrationOptionsOpts,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from "@simplewebauthn/server";
import { passkeys } from "./passkey-method.ts";
import type { PasskeyChallenge, PasskeyProof, PasskeyProofRequest } from "./prove-user.ts";
import { simpleWebAuthn } from "./simple-webauthn.ts";

/** Options of {@link WebAuthn} and {@link Passkey}, without those that core sets itself. */
export interface WebAuthnOptions {
  /** Default `webauthn`, for `Passkey` `passkey`. */
  id?: string;
  /** Shown on the sign-in page; default `Passkey or security key`, for `Passkey` `Passkey`. */
  name?: string;
  /** Default: the host of `AUTH_URL`; in production one of the two must be set. */
  relayingParty?: RelyingPartyOptions;
  /** Replaces `relayingParty`, for example if one process serves several sites. */
  getRelayingParty?: GetRelyingParty;
  /**
   * Whether browsers offer passkeys in the field with `autocomplete="… webauthn"`; default true. Allowed for one provider.
   */
  enableConditionalUI?: boolean;
  /** The fields of the built-in form; default: the e-mail address. */
  formFields?: Record<string, CredentialInput>;
  /** Additional options of `generateAuthenticationOptions()`; those that core sets cannot be changed. */
  authenticationOptions?: Partial<Omit<GenerateAuthenticationOptionsOpts, "rpID" | "allowCredentials" | "challenge">>;
  /** Additional options of `generateRegistrationOptions()`; those that core sets cannot be changed. */
  registrationOptions?: Partial<
    Omit<
      GenerateRegistrationOptionsOpts,
      "rpName" | "rpID" | "userID" | "userName" | "userDisplayName" | "challenge" | "excludeCredentials"
    >
  >;
  /** `requireUserVerification` is on unless it is false: possession of a key must not be sufficient. */
  verifyAuthenticationOptions?: Partial<
    Omit<
      VerifyAuthenticationResponseOpts,
      "response" | "expectedChallenge" | "expectedOrigin" | "expectedRPID" | "credential"
    >
  >;
  /** `requireUserVerification` is on unless it is false. */
  verifyRegistrationOptions?: Partial<
    Omit<VerifyRegistrationResponseOpts, "response" | "expectedChallenge" | "expectedOrigin" | "expectedRPID">
  >;
  /**
   * Returns the user for the submitted fields, or null if they are not sufficient. Must have no side effects. Default: the
   * user with that `email`.
   */
  getUserInfo?: GetUserInfo;
  /**
   * Which kind of authenticator browsers should suggest, in order of preference (WebAuthn L3 §5.8.8): a security key, this device, or a phone.
   * Default: none; the user chooses among all.
   */
  hints?: readonly ("security-key" | "client-device" | "hybrid")[];
  /**
   * Whether pages may create a passkey without a prompt, beside a password that the browser has just filled in (`registerPasskey({ conditional:
   * true })`). No one confirms it: user presence and verification are not required for this registration, and are for every sign-in with the
   * passkey. Default false.
   */
  conditionalCreate?: boolean;
  /**
   * Seconds after a sign-in during which a passkey can be added, and so an account, a password, an authenticator app or another address; default:
   * as long as the session lasts.
   */
  maxSignInAge?: number;
  /**
   * Generates the decoy credential ids that hide whether an address is registered. Default: the oldest secret of the
   * configuration.
   */
  decoySecret?: string;
  /** Accepts addresses whose domain has no dot; default false. */
  allowLocalDomains?: boolean;
  /** Another version of `@simplewebauthn/server`, or a wrapper. */
  simpleWebAuthn?: SimpleWebAuthn;
  /** Not used: the built-in page has its own script. */
  simpleWebAuthnBrowserVersion?: string | false;
  /** Appearance of the sign-in button. */
  style?: ProviderStyle;
}

/** Five minutes, in milliseconds, for the user to find their key (WebAuthn L3 §15.1). */
const TIMEOUT = 5 * 60 * 1000;

/** Sign-in with passkeys and security keys, including non-discoverable ones, which are looked up by e-mail address. */
export function WebAuthn(options: WebAuthnOptions = {}): WebAuthnProvider {
  const { authenticationOptions, registrationOptions, ...rest } = providerOptions("WebAuthn", options, [
    "allowLocalDomains",
  ]);
  return {
    id: "webauthn",
    name: "Passkey or security key",
    enableConditionalUI: true,
    formFields: {
      // The label comes from the texts of the page.
      email: { type: "email", required: true, autocomplete: "username webauthn" },
    },
    simpleWebAuthn,
    ...rest,
    authenticationOptions: { timeout: TIMEOUT, userVerification: "required", ...authenticationOptions },
    registrationOptions: {
      timeout: TIMEOUT,
      ...registrationOptions,
      authenticatorSelection: {
        residentKey: "preferred",
        userVerification: "required",
        ...registrationOptions?.authenticatorSelection,
      },
    },
    type: "webauthn",
    extension: passkeys,
  };
}

/** Sign-in with discoverable passkeys: no username is needed. */
export function Passkey(options: WebAuthnOptions = {}): WebAuthnProvider {
  const { registrationOptions } = options;
  return WebAuthn({
    id: "passkey",
    name: "Passkey",
    ...options,
    registrationOptions: {
      ...registrationOptions,
      authenticatorSelection: { residentKey: "required", ...registrationOptions?.authenticatorSelection },
    },
  });
}

export { relatedOrigins } from "./related-origins.ts";

/**
 * Creates a challenge that only one user's passkeys can answer, for a second factor or a confirmation; see {@link verifyPasskey}.
 *
 * @returns null if the user has no passkey.
 */
export async function challengePasskey(
  t: RequestTools,
  request: PasskeyProofRequest,
): Promise<PasskeyChallenge | null> {
  return (await import("./prove-user.ts")).challengePasskey(t, request);
}

/**
 * Verifies the response to {@link challengePasskey}. Each challenge can be used once.
 *
 * @param answer the result of `navigator.credentials.get()`, as JSON text or an object.
 * @throws InvalidRequest, WebAuthnVerificationError, AdapterError.
 */
export async function verifyPasskey(
  t: RequestTools,
  request: PasskeyProofRequest,
  state: string,
  answer: unknown,
): Promise<PasskeyProof> {
  return (await import("./prove-user.ts")).verifyPasskey(t, request, state, answer);
}

export type { PasskeyChallenge, PasskeyProof, PasskeyProofRequest } from "./prove-user.ts";
export { WebAuthn as default };
