import type {
  GenerateAuthenticationOptionsOpts,
  GenerateRegistrationOptionsOpts,
  VerifyAuthenticationResponseOpts,
  VerifyRegistrationResponseOpts,
} from "@simplewebauthn/server";

/** The library, loaded with the first passkey operation: it is larger than all of core. */
const load = () => import("@simplewebauthn/server");

/** `@simplewebauthn/server` as core calls it. */
export const simpleWebAuthn = {
  generateAuthenticationOptions: async (options: GenerateAuthenticationOptionsOpts) =>
    (await load()).generateAuthenticationOptions(options),
  generateRegistrationOptions: async (options: GenerateRegistrationOptionsOpts) =>
    (await load()).generateRegistrationOptions(options),
  verifyAuthenticationResponse: async (options: VerifyAuthenticationResponseOpts) =>
    (await load()).verifyAuthenticationResponse(options),
  verifyRegistrationResponse: async (options: VerifyRegistrationResponseOpts) =>
    (await load()).verifyRegistrationResponse(options),
} as const;

/** The library's readers of attestation objects and public keys, loaded with the first registration. */
export const loadHelpers = () => import("@simplewebauthn/server/helpers");
