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
} from "@cardea/core/extend";
import { checkSession } from "./check-session.ts";
import { deviceOf } from "./device.ts";
import { endAllSessions } from "./end-session.ts";
import { isBlockedAt, noteEnd, originNow, writeEnd } from "./session-ends.ts";
import { keepLimit, refuseOverLimit } from "./session-limit.ts";
import { registerOf } from "./session-register.ts";
import { sessionsActions } from "./sessions-actions.ts";
import { resolveSettings, type SessionSettings, type SessionsOptions } from "./settings.ts";
import { rememberSettings } from "./settings-of.ts";

/**
 * Puts the sessions of an application under control (ASVS 7.4): users list and end theirs, server code ends those of any user, and a
 * session that was ended is dead on every server within two seconds, with either strategy.
 *
 * @throws TypeError that names an option that cannot be read.
 */
export function sessions(options: SessionsOptions = {}): Extension {
  const settings = resolveSettings(options);
  const { check } = settings;
  const extension = defineExtension({
    id: "sessions",
    needs: { store: check === "log" ? "log" : true, sessionInfo: true },
    ...(options.atRest === "hashed" ? { hashesTokens: true as const } : {}),
    actions: sessionsActions(settings),
    admit: (candidate, t) => admit(settings, candidate, t),
    checkSession: (session, t, { isFresh }) => checkSession(settings, session, t, isFresh),
    onSession: (session, t) => onSession(settings, session, t),
    async onSignOut(ended, t) {
      await onSignOut(settings, ended, t);
      return undefined;
    },
    // Where no read would find out, core does what it can, and says what it cannot.
    ...(check === "off" ? {} : { endSessions }),
  });
  return rememberSettings(extension, settings);
}

async function endSessions(userId: string, end: EndOfSessions, t: Tools): Promise<AddedFacts> {
  const { by, reason, spared } = end;
  const e = await endAllSessions(t, userId, { by, reason, spared: spared === undefined ? spared : { sid: spared } });
  return e === null ? {} : { e };
}

/**
 * Seals how often all sessions of the user were ended before.
 *
 * 1. The counter of the user is read before the block: a user who is blocked in between gets a session of before the block, which ends it.
 * 2. The log is read first: where the store lost the counters, what this process knows counts.
 */
async function admit(settings: SessionSettings, candidate: Candidate, t: Tools): Promise<Admission> {
  if (settings.check === "off" || candidate.user.id === undefined) return { admit: true };
  const userId = String(candidate.user.id);
  const { known, stored, follower } = registerOf(t);
  const { idp } = candidate.facts;
  try {
    if (settings.check === "log") await follower?.sync();
    const e = Math.max(known.count("epoch", userId), await stored.count("epoch", userId));
    const blocked = Math.max(known.count("block", userId), await stored.count("block", userId));
    if (isBlockedAt(blocked)) return { refuse: "the user is blocked" };
    if (settings.limit?.exceed === "refuse") {
      const refused = await refuseOverLimit(settings.limit.perUser, userId, t);
      if (refused !== null) return { refuse: refused };
    }
    return { admit: true, facts: { e, ...(idp === undefined ? {} : { idp: await originNow(t, idp) }) } };
  } catch (error) {
    throw away(error);
  }
}

/** A new session gets its device; a former token, of a session that has a new one, ends. */
async function onSession(settings: SessionSettings, session: StoredSession, t: RequestTools): Promise<void> {
  const { cause, sid, replaces } = session;
  if (cause === "rotation" && replaces !== undefined && settings.check !== "off") {
    await writeEnd(registerOf(t), { jti: replaces }, "rotated");
  }
  if (cause !== "signin") return;
  const device = deviceOf(settings, t.headers);
  if (device !== null) await t.updateSession(sid, device);
  if (settings.limit?.exceed === "end-oldest") await keepLimit(settings.limit.perUser, session, t);
}

/**
 * A stateless session ends on every server. The record of a database session is deleted by core, and no copy of its token counts.
 *
 * A session from before there were extensions is ended by its `jti` as well: earlier copies of its token have no id.
 */
async function onSignOut(settings: SessionSettings, ended: EndedSession, t: Tools): Promise<void> {
  const { sid, jti, userId } = ended;
  if (t.strategy === "jwt" && settings.check !== "off") {
    const facts = await ended.facts();
    const isEarlier = facts === null || facts.f.length === 0;
    const { known, follower } = registerOf(t);
    const isKnown = known.why("sid", sid) !== undefined && follower?.isBehind !== true;
    if (!isKnown) await writeEnd(registerOf(t), isEarlier && jti !== undefined ? { sid, jti } : { sid }, "ended");
  }
  noteEnd(t, userId, "owner", sid);
  try {
    await t.updateSession(sid, { endedAt: new Date(t.now() * 1000), endReason: ended.cause });
  } catch (error) {
    t.logger.warn(`sessions-not-recorded: the end of a session could not be recorded: ${String(error)}`);
  }
}

function away(error: unknown): SessionUnavailable {
  if (error instanceof SessionUnavailable) return error;
  const err = error instanceof Error ? error : new Error(String(error));
  return new SessionUnavailable("No session can be issued while the store of sessions is away. Try again later.", {
    cause: { err },
  });
}
