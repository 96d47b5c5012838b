import { type FlowContext, type FoundSession, receivedSessionTokens, strategyOf } from "@cardea/core/extension-host";
import { isSameId } from "@cardea/core/extension-kit";

/**
 * The session of a request, unless the request contains sessions of several users. An attacker could send their own
 * session together with a stolen one, and end their own while their proof is checked, so that the proof would count for
 * the stolen session. Browsers send several only if a sibling site, or an older version of the application, set a
 * cookie with the same name.
 *
 * @throws AdapterError.
 */
export async function findSoleSession(context: FlowContext): Promise<FoundSession | null> {
  const strategy = strategyOf(context.config);
  const received = receivedSessionTokens(context);
  const first = await strategy.find(context);
  if (first === null || received.length <= 1) return first;
  // Check every token, including prefixes of another: an invalid value must not hide a valid session.
  for (const { name, token } of received) {
    const alone = { ...context, received: new Map([[name, encodeURIComponent(token)]]), repeated: new Map() };
    const other = await strategy.find(alone);
    if (other === null || isSameId(other.userId, first.userId)) continue;
    context.logger.warn(
      "several-sessions: a request contained sessions of several users and is treated as having no session.",
    );
    return null;
  }
  return first;
}
