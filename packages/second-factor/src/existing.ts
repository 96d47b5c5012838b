import type { Factor, OpenedSession, RequestTools, SecurityFact, SessionVerdict, Tools } from "@cardea/extend";
import { ACTION, isPassed, parseRequirement } from "./admit.ts";
import { findEnrolment } from "./credentials.ts";
import type { Settings } from "./options.ts";

/**
 * How long the result "no factor needed" is cached: its user may enrol one, in another session or in another process, or be
 * required to.
 */
const QUIET_SECONDS = 60;

/** The maximum size of the cache; the oldest entry makes room for a new one. */
const MAX_SESSIONS = 50_000;

/** A session that passes without a lookup. */
interface Passing {
  readonly userId: string;
  /** In seconds since 1970; infinite for a session with a second factor. */
  readonly until: number;
}

/** The cached results of an application. */
interface Known {
  readonly sessions: Map<string, Passing>;
  /** Number of changes of factors in this process: a lookup that began before one is not cached. */
  changes: number;
}

const caches = new WeakMap<object, Known>();

function knownIn({ application }: Pick<Tools, "application">): Known {
  const known = caches.get(application) ?? { sessions: new Map<string, Passing>(), changes: 0 };
  caches.set(application, known);
  return known;
}

/**
 * Checks whether a session has a second factor or needs none.
 *
 * 1. A session with a second factor passes. It is looked up once per process, because a session keeps its proofs.
 * 2. A session without one is challenged if its user must have a factor: the session is from before the extension was
 *    configured, or from before the user enrolled a factor in another session.
 * 3. Any other session passes. It is looked up again after a minute, and after the user's factors changed in this process.
 *
 * @param isFresh whether to look it up in any case, for an important action.
 * @throws AdapterError, and errors of `require`; the session is then unavailable.
 */
export function checkExisting(
  settings: Settings,
  session: OpenedSession,
  t: RequestTools,
  isFresh: boolean,
): SessionVerdict | Promise<SessionVerdict> {
  const key = keyOf(session, t);
  const passing = key === null || isFresh ? undefined : knownIn(t).sessions.get(key);
  return passing !== undefined && passing.until > t.now() ? "valid" : look(settings, session, t, key);
}

/** Drops the cached results of a user whose factors changed. */
export function forgetExisting(fact: SecurityFact, t: Tools): void {
  if (fact.kind !== "factor.added" && fact.kind !== "factor.removed") return;
  const known = knownIn(t);
  known.changes += 1;
  for (const [key, { userId }] of known.sessions) if (userId === fact.userId) known.sessions.delete(key);
}

/**
 * Older copies of a stateless session's token may lack the proof but have the same id, so each token is checked
 * separately. Null if the copies cannot be distinguished.
 */
function keyOf({ userId, sid, jti }: OpenedSession, { strategy }: RequestTools): string | null {
  return sid === "" || (strategy === "jwt" && jti === undefined) ? null : JSON.stringify([userId, sid, jti]);
}

async function look(
  settings: Settings,
  session: OpenedSession,
  t: RequestTools,
  key: string | null,
): Promise<SessionVerdict> {
  const known = knownIn(t);
  const { changes } = known;
  const { f } = (await session.facts()) ?? { f: [] };
  const hasPassed = isPassed(f, settings);
  if (!hasPassed && (await isRequired(settings, session, t))) return { ask: ACTION };
  if (key === null || known.changes !== changes) return "valid";
  const [oldest] = known.sessions.size >= MAX_SESSIONS ? known.sessions.keys() : [];
  if (oldest !== undefined) known.sessions.delete(oldest);
  const { userId } = session;
  known.sessions.set(key, { userId, until: hasPassed ? Number.POSITIVE_INFINITY : t.now() + QUIET_SECONDS });
  return "valid";
}

/**
 * Whether a session must pass a factor before a sign-in method is added to its user: it may be from before the user had one. No cached
 * result counts.
 */
export async function needsFactor(
  settings: Settings,
  session: OpenedSession,
  given: readonly Factor[],
  t: RequestTools,
): Promise<boolean> {
  const { f } = (await session.facts()) ?? { f: [] };
  return !isPassed([...f, ...given], settings) && (await isRequired(settings, session, t));
}

async function isRequired(settings: Settings, { userId }: OpenedSession, t: RequestTools): Promise<boolean> {
  const user = await t.callAdapter("getUser", userId);
  // Core handles sessions without a user.
  if (user === null) return false;
  const requirement = parseRequirement(await settings.require({ user, account: undefined, isNewUser: false }));
  if (requirement !== "if-enrolled") return requirement === "always";
  return (await findEnrolment(settings, t, userId)).isEnrolled;
}
