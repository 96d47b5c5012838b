import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { ClaimedIdentity } from "../model/identity.ts";
import type { JWT, Session, User } from "../model/records.ts";
import type { SessionFacts } from "../model/session-facts.ts";

/** A completed sign-in, from which a session is created. */
export interface SignedIn {
  readonly user: User | AdapterUser;
  readonly isNewUser: boolean;
  /** Whether an account or passkey was added to the user, which is no sign-in. */
  readonly adds?: boolean;
  /** Absent if not needed. */
  readonly facts?: SessionFacts | undefined;
  /** What was proven. */
  readonly identity: Pick<ClaimedIdentity, "account" | "stored" | "profile" | "context">;
  /** Issuing adds to it how to take the session back. */
  readonly changes: Pick<Changes, "undo">;
}

declare const admitted: unique symbol;

/**
 * A sign-in admitted by `callbacks.signIn` and by every extension's `admit`. Created only by `sign-in/admit.ts`,
 * so that a session cannot be issued without these checks.
 */
export type Admitted<T> = T & { readonly [admitted]: true };

/**
 * The result of reading. The third outcome, "temporarily unavailable", is the error `SessionUnavailable`: it signs no one
 * out and denies access (docs/behaviour.md#sign-in).
 */
export type SessionRead =
  | {
      readonly kind: "session";
      /** The result of `callbacks.session`. */
      readonly session: Session;
      readonly userId: string | undefined;
    }
  | {
      readonly kind: "none";
      /** The reason why an extension ended it, for the browser; absent if there was no session. */
      readonly ended?: string;
      /** Whether its token was replaced in the browser a moment ago, so that its cookie may contain a newer one. */
      readonly isReplaced?: boolean;
    }
  | {
      /** There is a session, but an extension requires a proof first: no session for now, and its cookie is kept. */
      readonly kind: "asked";
      /** The action of the extension. */
      readonly ask: string;
    };

/**
 * What a read may do to the cookies.
 *
 * - `look`: nothing; the response cannot set cookies.
 * - `renew`: renews a session that is due, and clears the cookies of one that has ended. Any other cookie is left unchanged: another
 *   application on this host, or middleware with less configuration than the application behind it, may have written it.
 */
export type ReadMode = "look" | "renew";

/** The ended session, for the `signOut` event. */
export type RevokedSession = { readonly token: JWT | null } | { readonly session: AdapterSession | null | undefined };

/** A session strategy: sessions in an encrypted cookie or in the database. */
export interface SessionStrategy {
  /**
   * Reads the session of a request; `mode` determines what it may do to the cookies in the jar.
   *
   * @throws SessionUnavailable if a callback or the adapter failed.
   */
  read(context: FlowContext, mode: ReadMode): Promise<SessionRead>;
  /**
   * The session without asking the extensions; null if there is none.
   *
   * @throws AdapterError.
   */
  find(context: FlowContext): Promise<FoundSession | null>;
  /**
   * As {@link SessionStrategy.find}, for all sessions of the request.
   *
   * @throws AdapterError.
   */
  findAll(context: FlowContext): Promise<readonly FoundSession[]>;
  /**
   * As {@link SessionStrategy.find}, for what proves or changes something: null also if the request has sessions of several users.
   *
   * @throws AdapterError.
   */
  findSole(context: FlowContext): Promise<FoundSession | null>;
  /**
   * Identifies the session that {@link SessionStrategy.find} finds; unchanged by renewals. Empty for a visitor. Does not prove that the
   * session is valid: with a database, the row is looked up only where the request has several tokens.
   *
   * @throws SessionUnavailable.
   */
  sessionId(context: FlowContext): Promise<string>;
  /**
   * Creates a new session and ends the previous ones. The cookies are added to the jar after everything else has succeeded.
   *
   * @returns The future result of {@link SessionStrategy.sessionId}.
   * @throws JWTSessionError, AdapterError or AccessDenied (the `jwt` callback returned null).
   */
  issue(context: FlowContext, signedIn: Admitted<SignedIn>): Promise<string>;
  /**
   * Changes the session with data from client or server code (trigger `update`).
   *
   * @returns the updated session, or null if there is none, or if the request has sessions of several users.
   * @throws SessionUnavailable.
   */
  update(context: FlowContext, data: unknown): Promise<Session | null>;
  /**
   * Replaces the token of a session with a new one that has other facts. The previous token becomes invalid; extensions
   * receive its `jti` before the new token is issued.
   *
   * @param expected The session. Another session in the same request, found after the first was ended, is not changed.
   * @param change Computes the new facts from the stored ones: the claim, or the facts in a database token.
   * @returns false if the session does not exist or was ended in the meantime; the new token is then also invalid.
   * @throws JWTSessionError, AdapterError, and errors of extensions; the session is then unchanged.
   */
  rotate(context: FlowContext, expected: FoundSession, change: (facts: unknown) => SessionFacts): Promise<boolean>;
  /**
   * Ends the session: clears its cookies and deletes its record. `ended` is null if there was no session; `error` is set if
   * the record could not be deleted.
   */
  revoke(context: FlowContext): Promise<{ readonly ended: RevokedSession | null; readonly error?: Error }>;
}
