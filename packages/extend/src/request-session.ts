import {
  adapterHas,
  endInBrowser,
  type FlowContext,
  type FoundSession,
  isSessionId,
  joinFacts,
  missingChecks,
  parseFacts,
  randomToken,
  requireAccounts,
  requireChecks,
  SIGN_IN_TIME_LIFETIME,
  strategyOf,
  withoutFuture,
} from "@cardea/core/extension-host";
import type { AddedFacts, OpenedSession, SessionFacts } from "@cardea/core/extension-kit";
import { checkSession } from "./check-session.ts";
import { extensionsOf, ownsAction } from "./extensions-of.ts";
import { openFound, tokenHashOf } from "./opened-session.ts";
import { findFacts } from "./session-info.ts";

/** The session found in a request, by its headers. A proof by its owner must not count for another session. */
const found = new WeakMap<FlowContext["headers"], OpenedSession & { readonly sole: FoundSession }>();

/**
 * The session of a request, if it is the only one and every extension considers it valid. A session challenged by an
 * extension is visible to that extension.
 *
 * @param id Id of the calling extension.
 * @param isFresh Whether to bypass caches, for an important action.
 * @throws SessionUnavailable.
 */
export async function findOwnSession(context: FlowContext, id: string, isFresh = false): Promise<OpenedSession | null> {
  const sole = await strategyOf(context.config).findSole(context);
  if (sole === null) return null;
  requireChecks(missingChecks(context, sole));
  const session = await openFound(context.config, sole);
  const verdict = await checkSession(context, session, isFresh);
  const asks = (action: string) => extensionsOf(context.config).some((one) => one.id === id && ownsAction(one, action));
  const isOpen = verdict === "valid" || (typeof verdict === "object" && "ask" in verdict && asks(verdict.ask));
  if (!isOpen) return null;
  if (!found.has(context.headers)) found.set(context.headers, { ...session, sole });
  return session;
}

/** Ends the sessions of a request in its browser, and the next token that the one of {@link findOwnSession} gets elsewhere. */
export function endOwnSession(context: FlowContext): void {
  const sole = found.get(context.headers)?.sole;
  endInBrowser(context, sole === undefined ? [] : [sole]);
}

/**
 * Re-issues the session of a request with additional facts. Does nothing without a session, or if the session differs
 * from the one {@link findOwnSession} found, which has then ended.
 *
 * If all other sessions of the user were ended, which the new epoch shows, a copy of this one that was re-issued in the
 * meantime ends as well: no epoch is checked where no extension ends sessions.
 */
export async function renewSession(context: FlowContext, added: AddedFacts): Promise<void> {
  const { config, headers } = context;
  const userId = found.get(headers)?.userId;
  if ((await reissue(context, added)) || added.e === undefined || userId === undefined) return;
  if (config.session.strategy === "database" && adapterHas(config, "deleteSessionsByUserId"))
    await requireAccounts(config).records.call("deleteSessionsByUserId", userId);
}

/** @returns whether the session was still there. */
async function reissue(context: FlowContext, added: AddedFacts): Promise<boolean> {
  const sole = await strategyOf(context.config).findSole(context);
  if (sole === null) return false;
  const { sid } = await openFound(context.config, sole);
  if ((found.get(context.headers)?.sid ?? sid) !== sid) return false;
  // With database sessions, proofs and origin are not in the token.
  const recorded = sole.kind === "claims" ? null : await findFacts(context.config, sid, await tokenHashOf(sole));
  return strategyOf(context.config).rotate(context, sole, (stored) => {
    const facts = parseFacts(stored) ?? firstFacts(context, sid, added);
    return joinFacts(withoutFuture({ ...facts, ...recorded }, context.now()), added);
  });
}

/**
 * The facts of a session issued before extensions were configured. It keeps its id, by which a sign-out may have ended
 * it. Without a proof, it is older than any sign-in that counts as recent.
 */
function firstFacts({ now }: FlowContext, sid: string, { f = [] }: AddedFacts): SessionFacts {
  const at = f.length > 0 ? now() : now() - SIGN_IN_TIME_LIFETIME;
  return { sid: isSessionId(sid) ? sid : randomToken(16), at, e: 0, f: [] };
}
