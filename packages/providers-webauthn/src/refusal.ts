import { type PasskeyCheck, WebAuthnVerificationError } from "@cardea/extend";

/** The log message of each check; users never see it. */
const MESSAGES = {
  challenge: "No matching passkey request was started in this browser with this provider within the last 15 minutes.",
  replay: "The challenge was already used.",
  session: "A user signed in or out after the passkey request was started.",
  "stale-sign-in": "The last sign-in is too old for adding a passkey. The user must sign in again (`maxSignInAge`).",
  type: "The client data is malformed, or of the wrong type (registration or authentication).",
  origin:
    "The passkey was used on a page of another origin. If that page is yours, add its origin to `relayingParty.origin`.",
  "cross-origin": "The passkey was used in a frame of another site.",
  "token-binding": "The client data is bound to another server's TLS connection.",
  "rp-id": "The response was created for another relying party.",
  "user-presence": "User presence was not confirmed.",
  "user-verification": "User verification was not performed.",
  backup: "The backup flags are inconsistent, or differ from the registration.",
  algorithm: "The key of the new credential uses an algorithm that was not offered (`supportedAlgorithmIDs`).",
  counter: "The authenticator's counter went backwards; its key may have been copied.",
  "unknown-credential": "Unknown credential.",
  "other-person": "The credential belongs to a different user than the one requested, or than its user handle names.",
  "known-credential": "The credential is already registered.",
  signature: "Invalid signature.",
  attestation: "The attestation of the new credential was rejected.",
  "relying-party":
    "The relying party is not configured. In production it cannot be derived from the request. Set AUTH_URL, or `relayingParty.id` and `relayingParty.origin` of the provider.",
} as const satisfies Record<PasskeyCheck, string>;

/** The error of a failed check. */
export function refusal(
  provider: { readonly id: string },
  check: PasskeyCheck,
  err?: Error,
): WebAuthnVerificationError {
  const cause = { provider: provider.id, ...(err === undefined ? {} : { err }) };
  return new WebAuthnVerificationError(MESSAGES[check], check, cause);
}

/** The error of a passkey that no user has: the browser learns this, and can remove it from the device (WebAuthn L3 §5.1.10.2). */
export function unusable({ cause = {}, check }: WebAuthnVerificationError): WebAuthnVerificationError {
  return new WebAuthnVerificationError(MESSAGES[check], check, { ...cause, unknown: true });
}
