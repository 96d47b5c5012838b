import type { AdapterUser } from "../model/adapter.ts";
import type { Account, Authenticator, Profile, User } from "../model/records.ts";
import type { EmailClaim } from "../protocol/email-claim.ts";

/** What a ceremony proves: who the person is at a provider. Nothing of it has been written anywhere. */
export interface Identity {
  readonly user: User;
  readonly account: Account;
  /** What the provider said of the person (oauth, oidc). */
  readonly profile?: Profile | undefined;
  /** What was typed (credentials). */
  readonly credentials?: Record<string, string> | undefined;
  /** When the link was sent by which the e-mail address was proven just now (email). */
  readonly provenAt?: Date | undefined;
  /** The owner of the address decided against the user who has it, and gets a new one (email). */
  readonly startsFresh?: boolean | undefined;
  /** Fingerprint of the session that began the ceremony; absent when nobody was signed in then. */
  readonly startedIn?: string | undefined;
  /** The passkey that was verified (webauthn). */
  readonly passkey?: VerifiedPasskey | undefined;
  /** What the provider says of the e-mail address. */
  readonly emailClaim?: EmailClaim | undefined;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail?: boolean | undefined;
}

/** A passkey whose signature, or registration, was verified. */
export type VerifiedPasskey =
  | {
      readonly ceremony: "authenticate";
      readonly credentialID: string;
      /** Whose it is, by its own record and by its account. */
      readonly owner: AdapterUser;
      /** Id of who is signed in already; null for nobody. */
      readonly signedInAs: string | null;
      /** What the authenticator counted to; stored once everything else has succeeded. */
      readonly counter: number;
    }
  | {
      readonly ceremony: "register";
      readonly authenticator: Omit<Authenticator, "userId">;
      /** Who is signed in, in the session that began the registration: it is a further passkey of theirs. */
      readonly addTo: AdapterUser | null;
      /** Fingerprint of that session; empty when no one is signed in. */
      readonly session: string;
    };
