import type { AddedFacts, EndedBy, Tools } from "@cardea/extend";
import type { RemovedMethod } from "./methods.ts";

/** The session of the request, which goes on unless it came from what was removed. */
export interface Ended {
  /** Whether the session of the request ended. */
  readonly isOwn: boolean;
  /** The facts with which the session of the request goes on; absent if nothing changed for it. */
  readonly facts?: AddedFacts;
}

/**
 * Ends the sessions that came from a way to sign in that was removed. Without `sessions()`, single sessions cannot be ended: if there was one,
 * all end.
 *
 * @param own Id of the session of the request; undefined for server code.
 * @throws errors of the adapter and the store.
 */
export async function endSessionsOf(t: Tools, { userId, method, by, own }: EndOf): Promise<Ended> {
  const sessions = await t.listSessions(userId);
  const from = sessions.filter((one) => isFrom(one, method)).map(({ id }) => id);
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

interface EndOf {
  readonly userId: string;
  readonly method: RemovedMethod;
  readonly by: EndedBy;
  readonly own: string | undefined;
}

type Origin = Pick<Awaited<ReturnType<Tools["listSessions"]>>[number], "provider" | "providerAccountId" | "factors">;

function isFrom({ provider, providerAccountId, factors }: Origin, method: RemovedMethod): boolean {
  if ("provider" in method) return provider === method.provider && providerAccountId === method.providerAccountId;
  if ("passkey" in method) return providerAccountId === method.passkey;
  return factors[0]?.m === "pwd";
}
