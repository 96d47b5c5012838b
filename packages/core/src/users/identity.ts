import type { AdapterUser } from "../model/adapter.ts";
import type { Account, Authenticator, Profile, User } from "../model/records.ts";

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
  /** Fingerprint of the session that began the ceremony; absent when nobody was signed in then. */
  readonly beganIn?: string | undefined;
  /** The passkey that was verified (webauthn). */
  readonly passkey?: VerifiedPasskey | undefined;
  /** What the provider says of the e-mail address. */
  readonly emailClaim?: "verified" | "unverified" | "none" | undefined;
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
    };

/** A user whose id is known to be there. */
export type IdentifiedUser = User & { id: string };

/**
 * Reads a user that the application or a provider's mapper returned. Without an id two people would share an account
 * (safety H110, H111, H207); numeric ids become strings.
 *
 * @returns null when it is no object or has no usable id.
 */
export function parseIdentifiedUser(value: unknown): IdentifiedUser | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const user = value as Omit<User, "id"> & { id?: unknown };
  const id = typeof user.id === "number" || typeof user.id === "bigint" ? String(user.id) : user.id;
  return typeof id === "string" && id !== "" ? { ...user, id } : null;
}
