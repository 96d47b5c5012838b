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

/** Who a sign-in belongs to, decided from what was read. Nothing has been written. */
export type UserDecision =
  | {
      readonly kind: "existing";
      readonly user: User | AdapterUser;
      /** Whether an account or passkey would be added to the user. */
      readonly adds?: true;
      readonly carryOut: CarryOut;
    }
  | { readonly kind: "new"; readonly carryOut: CarryOut }
  | ({ readonly kind: "unproven" } & UnprovenUser);

/** Writes what was decided; `changed` when another sign-in was faster, and it has to be decided again. */
type CarryOut = () => Promise<ResolvedUser | UnprovenUser | "changed">;

/** A user with a proven address that was never proven before, and who may therefore be someone else's. */
export interface UnprovenUser {
  readonly unproven: AdapterUser;
  readonly identity: EmailIdentity;
}
