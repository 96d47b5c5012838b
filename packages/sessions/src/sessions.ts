import {
  type AddedFacts,
  type Admission,
  type Candidate,
  defineExtension,
  type EndedSession,
  type EndOfSessions,
  type Extension,
  type RequestTools,
  SessionUnavailable,
  type StoredSession,
  type Tools,
} from "@cardea/extend";
import { checkSession } from "./check-session.ts";
import { deviceOf } from "./device.ts";
import { endAllSessions } from "./end-session.ts";
import { isBlockedAt, noteEnd, originNow, writeEnd } from "./session-ends.ts";
import { keepLimit, refuseOverLimit } from "./session-limit.ts";
import { registerOf } from "./session-register.ts";
import { devicesSection, sessionsActions } from "./sessions-actions.ts";
import { resolveSettings, type SessionSettings, type SessionsOptions } from "./settings.ts";

/**
 * Adds session management (ASVS 7.4): users list and end their sessions, and server code ends those of any user. An
 * ended session is rejected on every server within two seconds, with either session strategy.
 *
 * @throws TypeError for an invalid option.
 */
export function sessions(options: SessionsOptions = {}): Extension {
  const settings = resolveSettings(options);
  const { check } = settings;
  return defineExtension({
    id: "sessions",
    settings,
    needs: { store: check === "log" ? "log" : true, sessionInfo: true },
    ...(options.atRest === "hashed" ? { hashesTokens: true as const } : {}),
    actions: sessionsActions(settings),
    section: (slot, t, page) => (slot === "account" ? devicesSection(settings, t, page) : null),
    admit: (candidate, t) => admit(settings, candidate, t),
    checkSession: (session, t, { isFresh }) => checkSession(settings, session, t, isFresh),
    onSession: (session, t) => onSession(settings, session, t),
    async onSignOut(ended, t) {
      await onSignOut(settings, ended, t);
      return undefined;
    },
    // With checks off, no read would notice the end. Core does what it can and reports what it cannot.
    ...(check === "off" ? {} : { endSessions }),
  });
}

async function endSessions(userId: string, end: EndOfSessions, t: Tools): Promise<AddedFacts> {
  const { spared } = end;
  const e = await endAllSessions(t, userId, { ...end, spared: spared === undefined ? spared : { sid: spared } });
  // Re-issued with that, a session that has ended in the meantime stays ended.
  return { e: e ?? 0 };
}

/**
 * Records in the session how often all sessions of the user were ended before.
 *
 * 1. The user's counter is read before the block. If the user is blocked in between, the session has the earlier count,
 *    so the block ends it.
 * 2. The log is read first: if the store lost the counters, the state of this process counts.
 */
async function admit(settings: SessionSettings, candidate: Candidate, t: Tools): Promise<Admission> {
  if (settings.check === "off" || candidate.user.id === undefined) return { admit: true };
  const userId = String(candidate.user.id);
  const { known, stored, follower } = registerOf(t);
  const { idp } = candidate.facts;
  try {
    if (settings.check === "log") await follower?.reach();
    const e = Math.max(known.count("epoch", userId), await stored.count("epoch", userId));
    const blocked = Math.max(known.count("block", userId), await stored.count("block", userId));
    if (isBlockedAt(blocked)) return { refuse: "the user is blocked" };
    if (settings.limit?.exceed === "refuse") {
      const refused = await refuseOverLimit(settings.limit.perUser, { userId, replaces: candidate.replaces }, t);
      if (refused !== null) return { refuse: refused };
    }
    return { admit: true, facts: { e, ...(idp === undefined ? {} : { idp: await originNow(t, idp) }) } };
  } catch (error) {
    throw away(error);
  }
}

/** Records the device of a new session, and ends the previous token of a session that has a new one. */
async function onSession(settings: SessionSettings, session: StoredSession, t: RequestTools): Promise<void> {
  const { cause, sid, replaces } = session;
  if (cause === "rotation" && replaces !== undefined && settings.check !== "off") {
    const register = registerOf(t);
    if (!register.outdated.has(replaces)) await writeEnd(register, { jti: replaces }, "rotated");
  }
  if (cause !== "signin") return;
  const device = deviceOf(settings, t.headers);
  if (device !== null) await t.updateSession(sid, device);
  if (settings.limit !== undefined) await keepLimit(settings.limit, session, t);
}

/**
 * Ends the session on every server.
 *
 * A stateless session that predates the extensions is also ended by its `jti`: earlier copies of its token have no id.
 * Core deletes the record of a database session, which invalidates every copy of its token. Its id is also ended, for a
 * token that a concurrent request may be issuing. If that cannot be written, it is retried, and the sign-out still
 * succeeds.
 */
async function onSignOut(settings: SessionSettings, ended: EndedSession, t: Tools): Promise<void> {
  const { sid, userId } = ended;
  if (settings.check !== "off") {
    const written = endOnEveryServer(ended, t);
    await (t.strategy === "jwt" ? written : written.catch((error: unknown) => warn(t, "sessions-not-ended", error)));
  }
  noteEnd(t, userId, "owner", sid);
  try {
    await t.updateSession(sid, { endedAt: new Date(t.now() * 1000), endReason: ended.cause });
  } catch (error) {
    warn(t, "sessions-not-recorded", error);
  }
}

async function endOnEveryServer({ sid, jti, facts }: EndedSession, t: Tools): Promise<void> {
  const register = registerOf(t);
  if (register.known.why("sid", sid) !== undefined && !register.isBehind) return;
  const isEarlier = jti !== undefined && ((await facts())?.f ?? []).length === 0;
  await writeEnd(register, isEarlier ? { sid, jti } : { sid }, "ended");
}

function warn({ logger }: Tools, name: string, error: unknown): void {
  logger.warn(`${name}: the end of a session could not be recorded:`, error);
}

function away(error: unknown): SessionUnavailable {
  if (error instanceof SessionUnavailable) return error;
  const err = error instanceof Error ? error : new Error(String(error));
  return new SessionUnavailable("Sessions cannot be issued while the session store is unavailable. Try again later.", {
    cause: { err },
  });
}
