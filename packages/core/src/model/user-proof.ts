/** Proof of a known user, outside of a sign-in (docs/extensions.md#proof-of-a-known-user). */

/** A request for a proof. */
export interface ProofRequest {
  /** Id of the user. Must come from verified data, never from the browser. */
  readonly userId: string;
  /**
   * The text that the user confirms. The challenge is the SHA-256 of its UTF-8 encoding, so it must contain random data
   * to be unique. Absent: the challenge is random, and the proof only authenticates the user.
   */
  readonly text?: string;
}

/** A challenge for one user. */
export interface ProofChallenge {
  /** JSON for the page's script. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Encrypted state, to be sent with the response. Valid for the same extension and `requester()`, for fifteen minutes. */
  readonly state: string;
}

/** An accepted proof. */
export interface GivenProof {
  /** Whether the authenticator verified the user, by PIN or biometrics; false if only possession was proven. */
  readonly userVerified: boolean;
}

/** The content of a proof form. */
export interface ProofForm {
  /** URL of a GET that returns the JSON of `PasskeyTools.challenge`. The hidden fields are added to its query. */
  readonly options: string;
  /** URL to which the response is posted. */
  readonly action: string;
  /** Fields sent with both requests; `csrfToken` and `callbackUrl` only with the second. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Text of the button. */
  readonly submit: string;
  /** `main` where it is the one action of the page. Default: `main`. */
  readonly kind?: "main" | "plain";
}
