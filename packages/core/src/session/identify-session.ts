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
 * Identifies the user of a request's session if it is still good, without callbacks, renewal or clearing; otherwise null.
 *
 * @throws SessionUnavailable, AdapterError.
 */
export async function identifySession(
  context: FlowContext,
  { isFresh, orAsked }: Judging = {},
): Promise<SessionIdentity | null> {
  const found = await strategyOf(context.config).find(context);
  if (found === null || isNameless(found) || missingChecks(context, found).length > 0) return null;
  const refused = await checkFound(context, found, isFresh);
  if (refused !== null && !(orAsked && refused.kind === "asked")) return null;
  const token = found.kind === "record" ? found.token : (found.jti ?? found.userId);
  return { userId: found.userId, fingerprint: await sha256(`session ${token}`) };
}

/** Whether a token names no user, as of another library; see `foundOf` in check-found.ts. */
function isNameless(found: FoundSession): boolean {
  return found.userId === "" || (found.kind === "claims" && found.userId === `session ${found.jti}`);
}
