import type { AddedFacts, EndedBy, SessionInfo, Tools } from "@cardea/extend";
import type { MethodRemoval, RemovedMethod } from "./methods.ts";

/** The session of the request, which goes on unless it came from what was removed. */
export interface Ended {
  /** Whether the session of the request ended. */
  readonly isOwn: boolean;
  /** The facts with which the session of the request goes on; absent if nothing changed for it. */
  readonly facts?: AddedFacts;
}

/**
 * Ends the sessions that came from a way to sign in that was removed. A session in which it was added counts as
 * well: it may be that of a thief. The one of the request then goes on. Without `sessions()`, single sessions cannot be ended: if there was one, all
 * others end with it.
 *
 * @param own Id of the session of the request; undefined for server code.
 * @throws errors of the adapter and the store.
 */
export async function endSessionsOf(t: Tools, { userId, method, accounts, by, own }: EndOf): Promise<Ended> {
  const sessions = await t.listSessions(userId);
  const isKept = (one: SessionInfo) => one.id === own && isOnlyAddedIn(t, one, method);
  const from = sessions.filter((one) => isFrom(one, method, accounts) && !isKept(one)).map(({ id }) => id);
  const isOwn = own !== undefined && from.includes(own);
  if (from.length === 0) return { isOwn };
  const reason = "sign-in method removed";
  if (!t.hasExtension("sessions")) {
    const facts = await t.endSessions(userId, { by, reason, ...(isOwn ? {} : { spared: own }) });
    return { isOwn, facts };
  }
  const { sessionEndsOf } = await import("@cardea/sessions");
  for (const sid of from) {
    await sessionEndsOf(t).end(sid);
    await t.updateSession(sid, { endedAt: new Date(t.now() * 1000), endReason: reason });
    t.note({ kind: "session.ended", by, userId, sid, reason });
  }
  return { isOwn };
}

interface EndOf extends Pick<MethodRemoval, "accounts"> {
  readonly userId: string;
  readonly method: RemovedMethod;
  readonly by: EndedBy;
  readonly own: string | undefined;
}

function isFrom(session: SessionInfo, method: RemovedMethod, accounts: EndOf["accounts"]): boolean {
  if ("password" in method) return session.factors[0]?.m === "pwd";
  const { provider, providerAccountId: id } = session;
  // The account of a passkey may have been removed before.
  if ("passkey" in method && id === method.passkey) return true;
  return accounts.some((one) => one.provider === provider && one.providerAccountId === id);
}

/** Whether a session of a method began with another kind of proof: the method was added in it. */
function isOnlyAddedIn(t: Tools, { factors: [first] }: SessionInfo, method: RemovedMethod): boolean {
  if (first === undefined || "password" in method) return false;
  if ("passkey" in method) return first.m !== "passkey";
  return first.m !== "federated" && t.providers.includes(method.provider);
}
