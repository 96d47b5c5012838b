import {
  AccessDenied,
  retryChange,
  type Seconds,
  type SessionInfo,
  type StoredSession,
  type Tools,
} from "@cardea/extend";
import { endSession } from "./end-session.ts";
import { liveInfos } from "./listed-session.ts";

/** Within this time a sign-in has been added to the list, allowing for clock differences between servers. */
const SIGN_IN_TAKES: Seconds = 300;

/** How many sessions a user may have, and what happens when the limit is exceeded. */
export interface Limit {
  readonly perUser: number;
  readonly exceed: "end-oldest" | "refuse";
}

/**
 * Rejects a sign-in of a user who has reached the limit; null allows it. Concurrent sign-ins all pass this check.
 *
 * @param replaces the session of the same browser, which does not count.
 */
export async function refuseOverLimit(
  perUser: number,
  { userId, replaces }: { readonly userId: string; readonly replaces: string | undefined },
  t: Tools,
): Promise<string | null> {
  const live = await liveInfos(t, userId);
  return live.filter(({ id }) => id !== replaces).length < perUser ? null : `the user already has ${perUser} sessions`;
}

/**
 * Ends the oldest sessions of a user who exceeds the limit, or rejects the new one.
 *
 * The order of sessions is a list that is changed by compare-and-set. It lives as long as a session without renewal: where it is gone, the
 * sessions that are still active count as the oldest. Server clocks are not compared, and each of
 * several concurrent sign-ins sees itself as the newest, so they do not end each other.
 *
 * @throws AccessDenied if the new session exceeds the limit.
 */
export async function keepLimit({ perUser, exceed }: Limit, { sid, userId }: StoredSession, t: Tools): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  const key = await t.permanentKey("order", userId);
  const over = await retryChange(async () => {
    const text = await store.get(key);
    const live = await liveInfos(t, userId);
    const ordered = parseIds(text).filter((id) => id !== sid && live.some((one) => one.id === id));
    // Sessions from before the limit was configured come first. A new session that is not listed yet is still signing
    // in, and will see this one.
    const isEarlier = ({ id, createdAt }: SessionInfo) =>
      id !== sid && !ordered.includes(id) && createdAt.getTime() < 1000 * (t.now() - SIGN_IN_TAKES);
    const earlier = live.filter(isEarlier).map(({ id }) => id);
    const all = [...earlier, ...ordered, sid];
    if (exceed === "refuse" && all.length > perUser)
      throw new AccessDenied(`The user already has ${perUser} sessions.`);
    const kept = all.slice(-perUser);
    return (await store.swap(key, text, JSON.stringify(kept), { ttl: t.sessionLife }))
      ? all.slice(0, -perUser)
      : undefined;
  }, "The list of a user's sessions");
  for (const id of over) await endSession(t, id, { by: "policy", why: "limit", userId });
}

function parseIds(text: string | null): readonly string[] {
  const ids: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
