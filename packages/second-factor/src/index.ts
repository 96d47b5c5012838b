/** Two-factor authentication for every sign-in method: authenticator apps, passkeys and recovery codes. */

export { type EnrolledApp, type SecondFactorOperations, secondFactorOf } from "./operations.ts";
export {
  type Factor,
  type FactorNotice,
  type FactorSubject,
  passkey,
  type Requirement,
  recoveryCodes,
  type SecondFactorOptions,
  totp,
} from "./options.ts";
export { secondFactor } from "./second-factor.ts";
export type { SecondFactorTexts } from "./texts.ts";
