import { randomToken } from "../crypto/primitives.ts";
import type { AddedFacts } from "../model/added-facts.ts";
import type { FlowContext } from "../model/context.ts";
import type { OpenedSession } from "../model/opened-session.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import { joinFacts, parseFacts } from "../protocol/session-facts.ts";
import { rotateSession } from "../session/rotate-session.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { type Bound, ownsAction } from "./bind.ts";
import { checkSession } from "./check-session.ts";
import { openFound, tokenHashOf } from "./opened-session.ts";
import { findFacts } from "./session-info.ts";

/**
 * The session of a request, if every extension finds it valid. One that an extension asks something of is given to that extension.
 *
 * @param id of the extension that asks.
 * @param isFresh an important action waits for it.
 * @throws SessionUnavailable.
 */
export async function findSession(
  bound: Bound,
  context: FlowContext,
  id: string,
  isFresh = false,
): Promise<OpenedSession | null> {
  const found = await strategyOf(context.config).find(context);
  if (found === null) return null;
  const session = await openFound(context.config, found);
  const verdict = await checkSession(bound, context, session, isFresh);
  if (verdict === "valid") return session;
  const asks = (action: string) => bound.list.some((one) => one.id === id && ownsAction(one, action));
  return typeof verdict === "object" && "ask" in verdict && asks(verdict.ask) ? session : null;
}

/** Re-issues the session of a request with further facts. Nothing happens without a session. */
export async function renewSession(context: FlowContext, added: AddedFacts): Promise<void> {
  const found = await strategyOf(context.config).find(context);
  if (found === null) return;
  // With a database, proofs and origin are not in the token.
  const { sid } = await openFound(context.config, found);
  const recorded = found.kind === "claims" ? null : await findFacts(context.config, sid, await tokenHashOf(found));
  await rotateSession(context, (stored) => {
    const facts = parseFacts(stored) ?? firstFacts(context);
    return joinFacts({ ...facts, ...recorded }, added);
  });
}

/** The facts of a session that was issued before there were extensions. */
function firstFacts({ now }: FlowContext): SessionFacts {
  return { sid: randomToken(16), at: now(), e: 0, f: [] };
}
