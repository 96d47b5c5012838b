/** Proof of a user who is known already, beside the sign-in (docs/extensions.md#proof-of-a-known-user). */

/** Whom a proof is about, and what for. */
export interface ProofRequest {
  /** Id of the user. Take it from what was verified before, never from the browser. */
  readonly userId: string;
  /**
   * What the user confirms: the challenge is the SHA-256 of exactly this text in UTF-8. It has to hold random text of its own, so that no
   * two are equal. Absent: the challenge is random, and the proof says no more than that the user is there.
   */
  readonly text?: string;
}

/** A challenge for one user. */
export interface ProofChallenge {
  /** For the page's script, as JSON. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sealed; belongs to the answer. It opens for the same extension only, and for fifteen minutes. */
  readonly state: string;
}

/** A proof that was accepted. */
export interface GivenProof {
  /** Whether the authenticator verified the user, by a PIN or biometrics; false if only its possession was proven. */
  readonly userVerified: boolean;
}

/** What the form of a proof is made of. */
export interface ProofForm {
  /** URL of a GET that answers with the JSON of `PasskeyTools.challenge`; what is hidden in the form is added to its query. */
  readonly options: string;
  /** URL that the answer is posted to. */
  readonly action: string;
  /** Sent with both; `csrfToken` and `callbackUrl` only with the second. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Text of the button. */
  readonly submit: string;
}
