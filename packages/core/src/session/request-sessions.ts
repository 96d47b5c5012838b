import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import { isSameId } from "../protocol/same-id.ts";
import { unavailableSession } from "./check-found.ts";
import { inBrowser } from "./replaced-token.ts";
import { receivedSessionTokens, type Succession } from "./session-cookie.ts";
import type { SessionStrategy, SignedIn } from "./strategy.ts";

/** The sessions of one request: browsers send several if a sibling site, or an older version of the application, set a cookie of this name. */

/**
 * Adds to a strategy what concerns all of them.
 *
 * 1. A request with sessions of several users has none for what proves or changes something (docs/behaviour.md#cookies). An attacker could
 *    send their own session together with a stolen one, and end their own while their proof is checked, so that the proof would count for
 *    the stolen session; or plant their own in the browser of a victim, whose account would be added to the attacker's user.
 * 2. What ends the session of a browser ends all of them.
 */
export function withEverySession(strategy: Omit<SessionStrategy, "findAll" | "findSole">): SessionStrategy {
  const findAll = (context: FlowContext) => findEach(strategy, context);
  const findSole = async (context: FlowContext) => {
    const [first, ...others] = await findAll(context);
    if (first === undefined) return null;
    if (others.every(({ userId }) => isSameId(userId, first.userId))) return first;
    context.logger.warn(
      "several-sessions: a request contained sessions of several users and is treated as having no session.",
    );
    return null;
  };
  return {
    ...strategy,
    findAll,
    findSole,
    update: async (context, data) => {
      const sole = await findSole(context).catch((error: unknown) => {
        throw unavailableSession(error);
      });
      return sole === null ? null : strategy.update(context, data);
    },
  };
}

/** Checks every token, including prefixes of another: an invalid value must not hide a valid session. */
async function findEach(
  { find }: Pick<SessionStrategy, "find">,
  context: FlowContext,
): Promise<readonly FoundSession[]> {
  const received = receivedSessionTokens(context);
  const found: (FoundSession | null)[] = [];
  if (received.length <= 1) found.push(await find(context));
  else
    for (const { name, token } of received)
      found.push(
        await find({ ...context, received: new Map([[name, encodeURIComponent(token)]]), repeated: new Map() }),
      );
  return found.filter((one) => one !== null);
}

/**
 * The sessions of a request, before that of a sign-in takes their place. An account or passkey that is added is no sign-in: it gives the
 * session another token, as a rotation does.
 *
 * @throws AccessDenied if the session to which something was added has ended.
 */
export function formerOf(
  context: FlowContext,
  sessions: readonly FoundSession[],
  { adds }: Pick<SignedIn, "adds">,
): Succession {
  const of = inBrowser(context, receivedSessionTokens(context), sessions);
  if (adds !== true) return { of, cause: "signin" };
  if (of.hasEnded()) throw new AccessDenied("The session ended while something was added to its user.");
  return { of, cause: "rotation" };
}
