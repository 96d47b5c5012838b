import type { Candidate } from "./candidate.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { EpochSeconds } from "./units.ts";

/** A session whose token was opened, or whose record was found. It holds no token. */
export interface OpenedSession {
  readonly userId: string;
  /** Public id of the session. */
  readonly sid: string;
  /** Id of the authentication behind the token; undefined for sessions in the database, whose former token is deleted. */
  readonly jti: string | undefined;
  /** When the user signed in; undefined for a session that was issued before there were extensions. */
  readonly at: EpochSeconds | undefined;
  /** The user's epoch when the session was issued; 0 for a session that was issued before there were extensions. */
  readonly epoch: number;
  /** Every fact; null for a session that was issued before there were extensions. A database session looks them up. */
  facts(): Promise<SessionFacts | null>;
}

/**
 * Answer of `checkSession`. A throw means that it is unavailable. `{ ended }` names a reason of letters, digits, `_` and `-` that the
 * browser is told: the owner of the session reads why.
 */
export type SessionVerdict = "valid" | "ended" | { readonly ended: string } | { readonly ask: string };

/** A session that was issued or renewed. */
export interface StoredSession extends OpenedSession {
  /** `signin`: it is new, and no one has its cookie yet. `rotation`: it has a new token, and the former one must not count any more. */
  readonly cause: "signin" | "renewal" | "rotation";
  /** The `jti` of the former token, at a rotation with the strategy `jwt`. */
  readonly replaces: string | undefined;
  readonly expires: EpochSeconds;
  /** SHA-256 of the session token or of its `jti`, as in `SessionInfo.tokenHash`. */
  readonly tokenHash: string;
  /** The account of the sign-in; undefined at a renewal. */
  readonly account: Candidate["account"] | undefined;
}

/** A session that ended by its own request: the cookie is cleared and, in the database, the record deleted. */
export interface EndedSession extends OpenedSession {
  /** `replaced`: the user signed in again in the same browser. */
  readonly cause: "signout" | "replaced";
  /** Where the user goes after the sign-out; checked. Undefined where the session was replaced. */
  readonly callbackUrl: string | undefined;
  /** Whether the sign-out is wanted at the provider as well; undefined: as the extension is configured. */
  readonly federated: boolean | undefined;
}

/** Answer of `onSignOut`. */
export interface SignOutAnswer {
  /** Where the browser goes before it goes on; the first extension that names a URL wins. */
  readonly redirect?: URL;
}
