import { isSameId } from "../protocol/same-id.ts";
import { unavailableSession } from "./check-found.ts";
import { receivedSessionTokens } from "./session-cookie.ts";
import type { SessionContext, SessionStrategy } from "./strategy.ts";

/**
 * Adds the rule about requests with sessions of several users to a strategy: for what proves or changes something, they have none
 * (docs/behaviour.md#cookies). An attacker could send their own session together with a stolen one, and end their own while their proof is
 * checked, so that the proof would count for the stolen session; or plant their own in the browser of a victim, whose account would be added
 * to the attacker's user. Browsers send several only if a sibling site, or an older version of the application, set a cookie with the same
 * name.
 */
export function withSoleSession(strategy: Omit<SessionStrategy, "findSole">): SessionStrategy {
  return {
    ...strategy,
    findSole: async (context) => ((await isOfSeveralUsers(strategy, context)) ? null : strategy.find(context)),
    update: async (context, data) => {
      const isAmbiguous = await isOfSeveralUsers(strategy, context).catch((error: unknown) => {
        throw unavailableSession(error);
      });
      return isAmbiguous ? null : strategy.update(context, data);
    },
  };
}

/** Checks every token, including prefixes of another: an invalid value must not hide a valid session. */
async function isOfSeveralUsers({ find }: Pick<SessionStrategy, "find">, context: SessionContext): Promise<boolean> {
  const received = receivedSessionTokens(context);
  if (received.length <= 1) return false;
  let first: string | undefined;
  for (const { name, token } of received) {
    const alone = { ...context, received: new Map([[name, encodeURIComponent(token)]]), repeated: new Map() };
    const { userId } = (await find(alone)) ?? {};
    first ??= userId;
    if (userId === undefined || isSameId(userId, first)) continue;
    context.logger.warn(
      "several-sessions: a request contained sessions of several users and is treated as having no session.",
    );
    return true;
  }
  return false;
}
