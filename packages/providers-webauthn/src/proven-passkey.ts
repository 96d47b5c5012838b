import type { Account, AdapterUser, Authenticator, SignInProof, User } from "@cardea/core/extend";

/** A passkey whose signature, or registration, was verified. Nothing has been written. */
export type ProvenPasskey = KnownPasskey | NewPasskey;

/** A registered passkey that was used. */
export interface KnownPasskey {
  readonly ceremony: "authenticate";
  /** The owner of the passkey, by its own record and by its account. */
  readonly user: AdapterUser;
  readonly account: Account;
  /** Whether the authenticator verified its user. */
  readonly userVerified: boolean;
  readonly credentialID: string;
  /** Id of the signed-in user; null if there is none. */
  readonly signedInAs: string | null;
  /** The authenticator's counter; stored after everything else has succeeded. */
  readonly counter: number;
}

/** A passkey that is being registered. */
export interface NewPasskey {
  readonly ceremony: "register";
  readonly user: User;
  readonly account: Account;
  /** Whether the authenticator verified its user. */
  readonly userVerified: boolean;
  readonly authenticator: Omit<Authenticator, "userId">;
  /** The signed-in user, in the session that started the registration: the passkey is added to them. */
  readonly addTo: AdapterUser | null;
  /** Fingerprint of that session; empty if no one is signed in. */
  readonly session: string;
}

/** The proof that core stores for a passkey. */
export function toProof({ user, account, userVerified, ...details }: ProvenPasskey): SignInProof {
  return { user, account, userVerified, details };
}

/** The passkey of a proof. */
export function fromProof({ user, account, userVerified = false, details }: SignInProof): ProvenPasskey {
  // A cast: core returns the details of `toProof` unchanged.
  return { ...details, user, account, userVerified } as ProvenPasskey;
}
