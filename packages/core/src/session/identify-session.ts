import { sha256 } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import { checkFound, missingChecks } from "./check-found.ts";
import { strategyOf } from "./select-strategy.ts";

/** The owner of a request's session. */
export interface SessionIdentity {
  readonly userId: string;
  /** Identifies the session without revealing its token; unchanged when the session is renewed. */
  readonly fingerprint: string;
}

/** How a session is judged. */
interface Judging {
  /**
   * Whether extensions bypass their caches: before a change of sign-in methods, because a session that was ended in another process a
   * moment ago must not add one.
   */
  readonly isFresh?: boolean;
  /** Whether a session in which an extension requires a proof is also identified. */
  readonly orAsked?: boolean;
}

/**
 * Identifies the user of a request's session, if it is still good and the request has no session of another user, without callbacks, renewal
 * or clearing; otherwise null.
 *
 * @throws SessionUnavailable, AdapterError.
 */
export async function identifySession(context: FlowContext, judging: Judging = {}): Promise<SessionIdentity | null> {
  const found = await strategyOf(context.config).findSole(context);
  if (found === null || !(await isGood(context, found, judging))) return null;
  const token = found.kind === "record" ? found.token : (found.jti ?? found.userId);
  return { userId: found.userId, fingerprint: await sha256(`session ${token}`) };
}

/**
 * Whether the session of a request that reads use is still good. It proves nothing.
 *
 * @throws SessionUnavailable, AdapterError.
 */
export async function hasGoodSession(context: FlowContext, judging: Judging = {}): Promise<boolean> {
  const found = await strategyOf(context.config).find(context);
  return found !== null && isGood(context, found, judging);
}

async function isGood(context: FlowContext, found: FoundSession, { isFresh, orAsked }: Judging): Promise<boolean> {
  if (isNameless(found) || missingChecks(context, found).length > 0) return false;
  const refused = await checkFound(context, found, isFresh);
  return refused === null || (orAsked === true && refused.kind === "asked");
}

/** Whether a token names no user, as of another library; see `foundOf` in check-found.ts. */
function isNameless(found: FoundSession): boolean {
  return found.userId === "" || (found.kind === "claims" && found.userId === `session ${found.jti}`);
}
