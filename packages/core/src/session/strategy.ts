import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { Account, JWT, Profile, Session, User } from "../model/records.ts";

/** What a strategy needs of the world; reading a session needs no origin. */
export type SessionContext = Pick<
  FlowContext,
  "config" | "cookies" | "received" | "repeated" | "jar" | "logger" | "redact" | "now" | "emit"
>;

/** A finished sign-in, to be turned into a session. */
export interface SignedIn {
  readonly user: User | AdapterUser;
  readonly account: Account;
  readonly profile: Profile | undefined;
  readonly isNewUser: boolean;
}

/**
 * What reading found. The third outcome, "cannot be said right now", is the error `SessionUnavailable`: it signs nobody out
 * and lets nobody in (docs/behaviour.md#sign-in).
 */
export type SessionRead =
  | {
      readonly kind: "session";
      /** What `callbacks.session` made of it. */
      readonly session: Session;
      readonly userId: string | undefined;
    }
  | { readonly kind: "none" };

/**
 * What a read may do to the cookies.
 *
 * - `look`: nothing; the answer can carry none.
 * - `renew`: renew a session that is due, clear one that is over. A token of the form that the other strategy makes is left
 *   alone: middleware may have been told less than the application behind it (decisions/015).
 * - `settle`: the session action has the last word and clears whatever is no session, too (docs/behaviour.md#actions).
 */
export type ReadMode = "look" | "renew" | "settle";

/** What ended, for the `signOut` event. */
export type EndedSession = { readonly token: JWT | null } | { readonly session: AdapterSession | null | undefined };

/** Whose session a request carries. */
export interface SessionIdentity {
  readonly userId: string;
  /** Tells sessions apart without giving their token away; stays the same while a session is renewed. */
  readonly fingerprint: string;
}

/** How sessions are kept: in a sealed cookie or in the database. */
export interface SessionStrategy {
  /**
   * Reads the session of a request; what `mode` allows is done to the cookies in the jar.
   *
   * @throws SessionUnavailable when a callback or the adapter failed.
   */
  read(context: SessionContext, mode: ReadMode): Promise<SessionRead>;
  /**
   * Whose session it is, without callbacks, renewal or clearing; null when there is none.
   *
   * @throws AdapterError.
   */
  identify(context: SessionContext): Promise<SessionIdentity | null>;
  /**
   * Tells sessions apart without a query; stays the same while a session is renewed. Empty for a visitor. It does not prove that
   * the session is valid: with a database the row is not looked up.
   */
  sessionId(context: SessionContext): Promise<string>;
  /**
   * Makes a new session and ends the one that was there. The cookies are in the jar when all else has succeeded.
   *
   * @returns what {@link SessionStrategy.sessionId} will return for it.
   * @throws JWTSessionError, AdapterError or AccessDenied (the `jwt` callback returned null).
   */
  issue(context: SessionContext, signedIn: SignedIn): Promise<string>;
  /**
   * Changes the session with what client or server code sent (trigger `update`).
   *
   * @returns the session after it, or null when there is none.
   * @throws SessionUnavailable.
   */
  update(context: SessionContext, data: unknown): Promise<Session | null>;
  /**
   * Ends the session: clears its cookies and deletes its record. `ended` is null when there was no session; `error` is set when
   * the record could not be deleted.
   */
  revoke(context: SessionContext): Promise<{ readonly ended: EndedSession | null; readonly error?: Error }>;
}
