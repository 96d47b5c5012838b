import type { Changes } from "../model/changes.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import type { Proven } from "../model/sign-in-method.ts";
import type { ResolvedUser, UserDecision } from "../session/accounts.ts";
import type { Admitted } from "../session/strategy.ts";

/**
 * A sign-in as a value, from a proven identity to a session. Each step of `run-sign-in.ts` takes it and returns it with what the step
 * found out; what a step wrote is on the one list of its changes.
 */

/** A sign-in that is under way. */
export interface SignIn extends Proven {
  /** Id of the session that it will have. */
  readonly sid: string;
  readonly changes: Changes;
}

/** The user whom extensions are asked about, or who was admitted. */
export interface Candidacy extends ResolvedUser {
  /** Whether an account or passkey is added to the user. */
  readonly adds: boolean;
}

/** A sign-in whose user may have a session. */
export type AdmittedSignIn = Admitted<SignIn & Candidacy & { readonly facts: SessionFacts | undefined }>;

/** The decision about the user of a sign-in who need not decide anything themselves. */
export type Decided = Exclude<UserDecision, { readonly kind: "unproven" | "whose" }>;

/** A sign-in that waits, and where its user goes on. */
export interface Interruption {
  readonly kind: "interruption";
  readonly url: string;
  /** The action of an extension that requires a further step, or `proof_required`; absent for other destinations. */
  readonly code?: string;
}
