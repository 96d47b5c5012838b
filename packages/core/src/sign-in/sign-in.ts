import type { AdapterUser } from "../model/adapter.ts";
import type { Attempt } from "../model/attempt.ts";
import type { Changes } from "../model/changes.ts";
import type { Identity } from "../model/identity.ts";
import type { User } from "../model/records.ts";
import type { AddedFacts, SessionFacts } from "../model/session-facts.ts";
import type { UserDecision } from "../session/accounts.ts";
import type { Admitted } from "../session/strategy.ts";

/**
 * A sign-in as a value, from a proven identity to a session. Each step of `run-sign-in.ts` takes it and returns it with what the step
 * found out; what a step wrote is on the one list of its changes.
 */

/** A proven identity, as a sign-in method hands it over. */
export interface Proven<I extends Identity = Identity> {
  readonly identity: I;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
  /** The attempt that the extensions allowed, and whose result they are told; undefined without extensions. */
  readonly attempt?: Attempt | undefined;
  /** How far the sign-in was when an extension interrupted it; absent if none has. */
  readonly interrupted?: Interrupted;
}

/** How far a sign-in was when an extension interrupted it. `callbacks.signIn` has already allowed it, and is not called again. */
interface Interrupted {
  readonly userId: string | undefined;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** Whether the sign-in created the user before. */
  readonly isNewUser: boolean;
  /** The collected proofs and other facts from extensions. */
  readonly facts: AddedFacts;
}

/** A sign-in that is under way. */
export interface SignIn extends Proven {
  /** Id of the session that it will have. */
  readonly sid: string;
  readonly changes: Changes;
}

/** The user whom extensions are asked about, or who was admitted. */
export interface Candidacy {
  readonly user: User | AdapterUser;
  readonly isNewUser: boolean;
  /** Whether an account or passkey is added to the user. */
  readonly adds: boolean;
}

/** A sign-in whose user may have a session. */
export type AdmittedSignIn = Admitted<SignIn & Candidacy & { readonly facts: SessionFacts | undefined }>;

/** The decision about the user of a sign-in who need not decide anything themselves. */
export type Decided = Exclude<UserDecision, { readonly kind: "unproven" }>;

/** A sign-in that waits, and where its user goes on. */
export interface Interruption {
  readonly kind: "interruption";
  readonly url: string;
  /** The action of an extension that requires a further step, or `proof_required`; absent for other destinations. */
  readonly code?: string;
}
