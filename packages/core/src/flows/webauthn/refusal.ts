import type { PasskeyCheck } from "../../model/error-types.ts";
import { WebAuthnVerificationError } from "../../model/errors.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";

/** What each check says in the log; the person reads none of it. */
const MESSAGES = {
  challenge: "The answer belongs to no ceremony that this browser began with this provider in the last 15 minutes.",
  replay: "The challenge was answered before.",
  session: "Somebody has signed in or out since the ceremony began.",
  "stale-sign-in": "The person signed in too long ago to add a passkey; they have to sign in again (`maxSignInAge`).",
  type: "The client data is of the other ceremony, or malformed.",
  origin: "The ceremony ran on a page of another origin. If that page is yours, add it to `relayingParty.origin`.",
  "cross-origin": "The ceremony ran in a frame of another site.",
  "token-binding": "The client data is bound to the TLS connection of another server.",
  "rp-id": "The answer was made for another relying party.",
  "user-presence": "The user was not present at the authenticator.",
  "user-verification": "The authenticator did not verify the user.",
  backup: "The authenticator says of backups what cannot be, or something else than at the registration.",
  algorithm: "The key of the new credential is of an algorithm that was not offered (`supportedAlgorithmIDs`).",
  counter: "The counter of the authenticator went backwards: its key may have been copied.",
  "unknown-credential": "The credential is not known here, or no longer.",
  "other-person": "The credential belongs to another person than the one who was asked for.",
  "known-credential": "The credential that was to be registered is there already.",
  signature: "The signature does not fit.",
  attestation: "What the authenticator says of the new credential was refused.",
  "relying-party":
    "Nothing says which relying party this is, and in production no request may choose it. Set AUTH_URL, or `relayingParty.id` and `relayingParty.origin` of the provider.",
} as const satisfies Record<PasskeyCheck, string>;

/** The error of a check that does not hold. */
export function refusal(
  provider: ResolvedWebAuthnProvider,
  check: PasskeyCheck,
  err?: Error,
): WebAuthnVerificationError {
  const cause = { provider: provider.id, ...(err === undefined ? {} : { err }) };
  return new WebAuthnVerificationError(MESSAGES[check], check, cause);
}
