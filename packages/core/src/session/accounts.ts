import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { EmailIdentity, OAuthIdentity } from "../model/identity.ts";
import type { User } from "../model/records.ts";

/** The user of a completed sign-in. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
  /** True if the account or passkey has just been added to the user: it does not count as a sign-in of that user. */
  readonly added?: boolean;
}

/** The user that a sign-in belongs to. Decided from reads only; nothing has been written. */
export type UserDecision =
  | {
      readonly kind: "existing";
      readonly user: User | AdapterUser;
      /** Whether an account or passkey would be added to the user. */
      readonly adds?: true;
      readonly write: Write;
    }
  | { readonly kind: "new"; readonly write: Write }
  | ({ readonly kind: "unproven" } & UnprovenUser);

/** Carries out the decision, adding to the changes what it writes. `changed`: another sign-in was faster, so decide again. */
type Write = (changes: Changes) => Promise<ResolvedUser | "changed">;

/** The existing user with an address that a link, or the word of a provider, has just proven. The user may belong to someone else. */
export interface UnprovenUser {
  readonly unproven: AdapterUser;
  readonly identity: EmailIdentity | OAuthIdentity;
  /** Whether the provider of an account is the authority for the address. */
  readonly ownsAddress: boolean;
}
