import type { Candidate } from "./candidate.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { EpochSeconds } from "./units.ts";

/** A session whose token was decrypted, or whose record was found. Does not contain the token. */
export interface OpenedSession {
  /** Id of the user who owns the session. */
  readonly userId: string;
  /** Public id of the session. */
  readonly sid: string;
  /** Id of the authentication behind the token; undefined for database sessions, whose previous token is deleted. */
  readonly jti: string | undefined;
  /** When the user signed in; undefined for a session issued before extensions were configured. */
  readonly at: EpochSeconds | undefined;
  /** The user's epoch when the session was issued; 0 for a session issued before extensions were configured. */
  readonly epoch: number;
  /** The facts; null for a session issued before extensions were configured. Database sessions look them up. */
  facts(): Promise<SessionFacts | null>;
}

/**
 * Result of `checkSession`. If it throws, the session is unavailable. `{ ended }` is a reason of letters, digits, `_`
 * and `-` that is sent to the browser, to show the user why the session ended.
 */
export type SessionVerdict = "valid" | "ended" | { readonly ended: string } | { readonly ask: string };

/** A session that was issued or renewed. */
export interface StoredSession extends OpenedSession {
  /**
   * `signin`: the session is new, and its cookie has not been sent yet. `rotation`: it has a new token, and the
   * previous one must be rejected.
   */
  readonly cause: "signin" | "renewal" | "rotation";
  /** The `jti` of the previous token, at a rotation with the strategy `jwt`. */
  readonly replaces: string | undefined;
  /** When the session expires unless it is renewed. */
  readonly expires: EpochSeconds;
  /** SHA-256 of the session token or of its `jti`, as in `SessionInfo.tokenHash`. */
  readonly tokenHash: string;
  /** The account of the sign-in; undefined at a renewal. */
  readonly account: Candidate["account"] | undefined;
}

/** A session ended by its own request: its cookie was cleared and its database record deleted. */
export interface EndedSession extends OpenedSession {
  /** `replaced`: the user signed in again in the same browser. */
  readonly cause: "signout" | "replaced";
  /** Destination after sign-out; already validated. Undefined if the session was replaced. */
  readonly callbackUrl: string | undefined;
  /** Whether to also sign out at the provider; undefined: as configured in the extension. */
  readonly federated: boolean | undefined;
  /** Facts of the session that replaces it in the same browser, about to be issued; absent at a sign-out. */
  readonly successor?: SessionFacts | undefined;
}

/** Answer of `onSignOut`. */
export interface SignOutAnswer {
  /** Where to redirect the browser before its destination. The first extension that returns a URL wins. */
  readonly redirect?: URL;
}
