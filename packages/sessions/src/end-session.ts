import type { EndedBy, EndOfSessions, Tools } from "@cardea/extend";
import { ENDED } from "./known-ends.ts";
import { noteEnd, writeEnd } from "./session-ends.ts";
import { type Raised, registerOf, type SessionRegister } from "./session-register.ts";

/** Who ended a session, and why. */
export interface End {
  readonly by: EndedBy;
  /** Reason shown to the browser of the session; default: that the session was ended. */
  readonly why?: string | undefined;
  /** Reason for the record and for observers; not shown to the browser. */
  readonly reason?: string | undefined;
  /** The user, if known; otherwise taken from the record. */
  readonly userId?: string | undefined;
}

/**
 * Ends one session, even if its record cannot be changed.
 *
 * @throws errors of the store. The session may then stay active in other processes; the write is retried in the
 * background.
 */
export async function endSession(t: Tools, sid: string, { by, why = ENDED, reason, userId }: End): Promise<void> {
  const patch = { endedAt: new Date(t.now() * 1000), endReason: reason ?? why };
  const recorded = await t.updateSession(sid, patch).catch((error: unknown) => {
    t.logger.warn("sessions-not-recorded: the end of a session could not be recorded:", error);
    return null;
  });
  await writeEnd(registerOf(t), { sid }, why);
  const owner = userId ?? recorded?.userId;
  if (owner !== undefined) noteEnd(t, owner, by, sid, reason);
}

/** A session that is kept when all other sessions of its user end. */
interface Spared {
  readonly sid: string;
  /** The user's epoch when the session was issued; if unknown, it is taken from the record. */
  readonly epoch?: number | undefined;
  /** Id of the authentication behind its token. */
  readonly jti?: string | undefined;
  /** Re-issues the session with the user's new epoch. Absent if the caller does that with the returned epoch. */
  readonly reissue?: (epoch: number) => Promise<void>;
}

/** How every session of a user ends. */
interface EndOfAll extends Pick<EndOfSessions, "by" | "epoch"> {
  readonly reason?: string | undefined;
  readonly spared?: Spared | undefined;
}

/**
 * Ends every session of a user, and all else that stands for an earlier proof, by raising the user's epoch.
 *
 * A spared session that is re-issued here survives a failing call: if the counter cannot be raised, nothing has ended, and an error after that
 * is thrown once the session was re-issued. If the store stays unavailable after the counter was raised, it ends with the others.
 *
 * @returns The user's new epoch; null if the spared session has already ended, so that re-issuing it would revive it.
 * @throws errors of the store. Sessions may then stay active in other processes; the write is retried in the
 * background.
 */
export async function endAllSessions(
  t: Tools,
  userId: string,
  { by, reason, spared, epoch: raised }: EndOfAll,
): Promise<number | null> {
  const register = registerOf(t);
  const { value, former, failure } =
    spared?.reissue === undefined ? await raiseOrRetry(register, userId, raised) : await raiseSparing(register, userId);
  noteEnd(t, userId, by, undefined, reason);
  let epoch = spared?.epoch;
  try {
    // The spared session's row is still needed. Other rows are invalidated by the epoch and deleted when they are read.
    if (spared === undefined && t.strategy === "database" && t.adapterHas("deleteSessionsByUserId")) {
      await t.callAdapter("deleteSessionsByUserId", userId);
    }
    const patch = { endedAt: new Date(t.now() * 1000), endReason: reason ?? ENDED };
    for (const info of await t.listSessions(userId)) {
      if (info.id === spared?.sid) epoch ??= info.epoch;
      else await t.updateSession(info.id, patch);
    }
  } catch (error) {
    t.logger.warn("sessions-not-recorded: the end of sessions could not be recorded:", error);
  }
  // All sessions may have been ended since the spared session was checked.
  const e = spared !== undefined && (epoch ?? 0) < former ? null : value;
  if (e !== null) await reissue(register, spared, e);
  if (failure !== undefined) throw failure;
  return e;
}

type RaisedEpoch = Raised & { readonly failure?: unknown };

const raiseOrRetry = (register: SessionRegister, userId: string, raised: EndOfAll["epoch"]): Promise<RaisedEpoch> =>
  register.raise("epoch", userId, raised);

/** If the counter cannot be raised, nothing ends: otherwise the spared session would end too. */
async function raiseSparing({ known, stored, write, until }: SessionRegister, userId: string): Promise<RaisedEpoch> {
  const raised = await stored.counter("epoch", userId, until()).raise(known.count("epoch", userId));
  const entry = { kind: "count", of: "epoch", id: userId, until: until(), value: raised.value } as const;
  const [written] = await Promise.allSettled([write([entry])]);
  return written.status === "rejected" ? { ...raised, failure: written.reason } : raised;
}

async function reissue({ outdated }: SessionRegister, spared: Spared | undefined, epoch: number): Promise<void> {
  const jti = spared?.jti ?? "";
  outdated.add(jti);
  const attempt = async () => spared?.reissue?.(epoch);
  try {
    // Retried once, so that one failing call does not end the session.
    await attempt().catch(attempt);
  } finally {
    outdated.delete(jti);
  }
}
