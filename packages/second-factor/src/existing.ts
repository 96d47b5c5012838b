import type { OpenedSession, RequestTools, SessionVerdict } from "@cardea/core/extend";
import { ACTION, isPassed, parseRequirement } from "./admit.ts";
import { findEnrolment } from "./credentials.ts";
import type { Settings } from "./options.ts";

/** How long it is remembered that a session from before needs no factor: its user may enrol one. */
const QUIET_SECONDS = 60;

/** More sessions than one process sees at a time; then it asks again. */
const MAX_SESSIONS = 10_000;

/** Until when a session is good without a look; for each application. */
const known = new WeakMap<object, Map<string, number>>();

/**
 * Whether a session has a second factor, or needs none. What a session has is looked up once in a process: a session keeps its proofs. One
 * from before the extension was configured is asked where its user has to have a factor.
 *
 * @throws AdapterError, and what `require` throws: the session is unavailable then.
 */
export function checkExisting(
  settings: Settings,
  session: OpenedSession,
  t: RequestTools,
): SessionVerdict | Promise<SessionVerdict> {
  const sessions = known.get(t.application) ?? new Map<string, number>();
  known.set(t.application, sessions);
  const key = keyOf(session, t);
  const until = key === null ? undefined : sessions.get(key);
  if (until !== undefined && until > t.now()) return "valid";
  return look(settings, session, t, (seconds) => {
    if (key === null) return;
    if (sessions.size >= MAX_SESSIONS) sessions.clear();
    sessions.set(key, seconds);
  });
}

/** A session that is a token may have copies from before a proof, with its id: each is looked at for itself. Null where nothing tells them apart. */
function keyOf({ userId, sid, jti }: OpenedSession, { strategy }: RequestTools): string | null {
  return sid === "" || (strategy === "jwt" && jti === undefined) ? null : JSON.stringify([userId, sid, jti]);
}

async function look(
  settings: Settings,
  session: OpenedSession,
  t: RequestTools,
  remember: (until: number) => void,
): Promise<SessionVerdict> {
  const { f } = (await session.facts()) ?? { f: [] };
  const hasPassed = isPassed(f, settings);
  if (!hasPassed && (await isRequired(settings, session, t))) return { ask: ACTION };
  remember(hasPassed ? Number.POSITIVE_INFINITY : t.now() + QUIET_SECONDS);
  return "valid";
}

async function isRequired(settings: Settings, { userId }: OpenedSession, t: RequestTools): Promise<boolean> {
  const user = await t.callAdapter("getUser", userId);
  // Core decides what a session without a user is.
  if (user === null) return false;
  const requirement = parseRequirement(await settings.require({ user, account: undefined, isNewUser: false }));
  if (requirement !== "if-enrolled") return requirement === "always";
  return (await findEnrolment(settings, t, userId)).isEnrolled;
}
