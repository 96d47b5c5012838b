import type { EndedBy } from "./security-fact.ts";
import type { SessionFacts } from "./session-facts.ts";

/** Facts that `admit` may add: proofs, the epoch, the origin and a key. Core sets id and time of a session. */
export type AddedFacts = Partial<Omit<SessionFacts, "sid" | "at">>;

/** Options for ending all sessions of a user. */
export interface EndOfSessions {
  /** Who ended them, such as the user or an administrator. */
  readonly by: EndedBy;
  /** Reason for the record and for observers; not shown to the browser. */
  readonly reason: string;
  /** Id of a session to keep. It must be re-issued with the returned facts. */
  readonly spared?: string | undefined;
}
