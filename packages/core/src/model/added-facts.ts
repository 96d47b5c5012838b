import type { EndedBy } from "./security-fact.ts";
import type { SessionFacts } from "./session-facts.ts";

/** Facts that `admit` may add: proofs, the epoch, the origin and a key. Id and time of a session are core's. */
export type AddedFacts = Partial<Omit<SessionFacts, "sid" | "at">>;

/** Why every session of a user ends. */
export interface EndOfSessions {
  readonly by: EndedBy;
  /** For the record and for those who observe; not shown to the browser. */
  readonly reason: string;
  /** Id of the session that stays; it has to be re-issued with the facts that ending the others returns. */
  readonly spared?: string | undefined;
}
