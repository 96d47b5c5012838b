import type {
  CredentialInput,
  GetRelyingParty,
  GetUserInfo,
  ProviderStyle,
  RelyingPartyOptions,
  SimpleWebAuthn,
  WebAuthnProvider,
} from "@cardea/core/providers";
import type {
  GenerateAuthenticationOptionsOpts,
  GenerateRegistrationOptionsOpts,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from "@simplewebauthn/server";
import { simpleWebAuthn } from "./simple-webauthn.ts";

/** Options of {@link WebAuthn} and {@link Passkey}. Those that the engine decides itself are not among them. */
export interface WebAuthnOptions {
  /** Default `webauthn`, for `Passkey` `passkey`. */
  id?: string;
  /** Shown on the sign-in page; default `Passkey or security key`, for `Passkey` `Passkey`. */
  name?: string;
  /** Default: the host of `AUTH_URL`; in production one of the two has to be set. */
  relayingParty?: RelyingPartyOptions;
  /** Replaces `relayingParty`, for example if one process serves several sites. */
  getRelayingParty?: GetRelyingParty;
  /** Whether browsers offer passkeys in the field with `autocomplete="… webauthn"`; default true. Of one provider at most. */
  enableConditionalUI?: boolean;
  /** What the built-in page asks for; default: the e-mail address. */
  formFields?: Record<string, CredentialInput>;
  authenticationOptions?: Partial<Omit<GenerateAuthenticationOptionsOpts, "rpID" | "allowCredentials" | "challenge">>;
  registrationOptions?: Partial<
    Omit<
      GenerateRegistrationOptionsOpts,
      "rpName" | "rpID" | "userID" | "userName" | "userDisplayName" | "challenge" | "excludeCredentials"
    >
  >;
  /** `requireUserVerification` is on unless it is false: a key that was found must not be enough. */
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
  /** Whom what was typed stands for; null when it is too little. Must change nothing. Default: the user with that `email`. */
  getUserInfo?: GetUserInfo;
  /** Seconds after a sign-in during which another passkey can be added; default: as long as the session lasts. */
  maxSignInAge?: number;
  /** Makes the credential ids that hide whether an address is known. Default: the oldest secret of the configuration. */
  decoySecret?: string;
  /** Accepts typed addresses whose domain has no dot; default false. */
  allowLocalDomains?: boolean;
  /** Another version of the library, or one that an application has wrapped. */
  simpleWebAuthn?: SimpleWebAuthn;
  style?: ProviderStyle;
}

/** Five minutes, in milliseconds, for the person to find their key (WebAuthn L3 §15.1). */
const TIMEOUT = 5 * 60 * 1000;

/** Sign-in with passkeys and security keys, also those that have to be told by an address which key they are to use. */
export function WebAuthn(options: WebAuthnOptions = {}): WebAuthnProvider {
  const { authenticationOptions, registrationOptions, ...rest } = options;
  return {
    id: "webauthn",
    name: "Passkey or security key",
    enableConditionalUI: true,
    formFields: {
      // Its label is one of the page's texts.
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
  };
}

/** Sign-in with passkeys: keys that know by themselves whose they are, so that nobody has to type an address. */
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

export { WebAuthn as default };
