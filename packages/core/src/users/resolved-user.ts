import type { AdapterUser } from "../model/adapter.ts";
import type { User } from "../model/records.ts";
import type { EmailIdentity } from "./identity.ts";

/** The user of a completed sign-in. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
  /** True if the account or passkey has just been added to the user: it does not count as a sign-in of that user. */
  readonly added?: boolean;
}

/** The user with an address that has just been verified for the first time, and who may therefore be someone else's. */
export interface UnprovenUser {
  readonly unproven: AdapterUser;
  readonly identity: EmailIdentity;
}
