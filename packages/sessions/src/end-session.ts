import type { EndedBy, Tools } from "@cardea/core/extend";
import { ENDED } from "./known-ends.ts";
import { noteEnd, writeEnd } from "./session-ends.ts";
import { registerOf } from "./session-register.ts";

/** Who ends a session, and why. */
export interface End {
  readonly by: EndedBy;
  /** What the browser of the session is told; default: that it was ended. */
  readonly why?: string | undefined;
  /** For the record and for those who observe; not shown to the browser. */
  readonly reason?: string | undefined;
  /** Where it is known; else it is taken from the record. */
  readonly userId?: string | undefined;
}

/**
 * Ends one session. Where the record cannot be changed the session is ended all the same.
 *
 * @throws what the store throws: the session may go on elsewhere then, and it is tried again in the background.
 */
export async function endSession(t: Tools, sid: string, { by, why = ENDED, reason, userId }: End): Promise<void> {
  const patch = { endedAt: new Date(t.now() * 1000), endReason: reason ?? why };
  const recorded = await t.updateSession(sid, patch).catch((error: unknown) => {
    t.logger.warn(`sessions-not-recorded: the end of a session could not be recorded: ${String(error)}`);
    return null;
  });
  await writeEnd(registerOf(t), { sid }, why);
  const owner = userId ?? recorded?.userId;
  if (owner !== undefined) noteEnd(t, owner, by, sid, reason);
}

/** A session that stays while all others of its user end. */
export interface Spared {
  readonly sid: string;
  /** The user's epoch when it was issued; where it is not known it is taken from the record. */
  readonly epoch?: number | undefined;
}

/**
 * Ends every session of a user.
 *
 * @param spared a session that the caller re-issues with the returned epoch.
 * @returns the user's new epoch; null where the spared session had ended before: issuing it again would revive it.
 * @throws what the store throws: sessions may go on elsewhere then, and it is tried again in the background.
 */
export async function endAllSessions(
  t: Tools,
  userId: string,
  { by, reason, spared }: Omit<End, "why" | "userId"> & { readonly spared?: Spared | undefined },
): Promise<number | null> {
  // What this throws is thrown at the end: the sessions that there are end all the same.
  const [voided] = await Promise.allSettled([t.endPendingSignIns(userId)]);
  const { value, former } = await registerOf(t).raise("epoch", userId);
  noteEnd(t, userId, by, undefined, reason);
  let epoch = spared?.epoch;
  try {
    // The spared session's row is still needed: those of the others are ended by the epoch, and deleted when they are read.
    if (spared === undefined && t.strategy === "database" && t.adapterHas("deleteSessionsByUserId")) {
      await t.callAdapter("deleteSessionsByUserId", userId);
    }
    const patch = { endedAt: new Date(t.now() * 1000), endReason: reason ?? ENDED };
    for (const info of await t.listSessions(userId)) {
      if (info.id === spared?.sid) epoch ??= info.epoch;
      else if (!info.endedAt) await t.updateSession(info.id, patch);
    }
  } catch (error) {
    t.logger.warn(`sessions-not-recorded: the end of sessions could not be recorded: ${String(error)}`);
  }
  if (voided.status === "rejected") throw voided.reason;
  // Someone may have ended all of them between the look at the spared session and now.
  return spared !== undefined && (epoch ?? 0) < former ? null : value;
}
