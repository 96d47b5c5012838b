import type { AdapterUser } from "../model/adapter.ts";
import type { User } from "../model/records.ts";
import type { EmailIdentity } from "./identity.ts";

/** The user of a finished sign-in. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
  /** True when the account or passkey was only now added to the user: it does not count as a sign-in of that user. */
  readonly added?: boolean;
}

/** A user with a proven address that was never proven before, and who may therefore be someone else's. */
export interface UnprovenUser {
  readonly unproven: AdapterUser;
  readonly identity: EmailIdentity;
}
