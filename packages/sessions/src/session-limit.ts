import type { Seconds, SessionInfo, StoredSession, Tools } from "@cardea/core/extend";
import { endSession } from "./end-session.ts";
import { liveInfos } from "./listed-session.ts";

/** A sign-in has its place after so long at the latest, whatever the clocks of two servers say. */
const SIGN_IN_TAKES: Seconds = 300;

/** How often the order is written again when another process changed it in between. */
const MAX_TRIES = 20;

/** Refuses a sign-in of a user who has as many sessions as they may have; null lets it pass. */
export async function refuseOverLimit(perUser: number, userId: string, t: Tools): Promise<string | null> {
  const live = await liveInfos(t, userId);
  return live.length < perUser ? null : `the user has ${perUser} sessions`;
}

/**
 * Ends the oldest sessions of a user who has more than they may have.
 *
 * The order in which sessions began is a list that is changed by compare and set: clocks of servers are not compared, and of sign-ins at
 * the same moment each finds itself last, so that they do not end each other.
 */
export async function keepLimit(perUser: number, { sid, userId }: StoredSession, t: Tools): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  const key = await t.permanentKey("order", userId);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const text = await store.get(key);
    const live = await liveInfos(t, userId);
    const ordered = parseIds(text).filter((id) => id !== sid && live.some((one) => one.id === id));
    // Those from before there was a limit come first. A new one that has no place yet is being signed in, and finds us.
    const isEarlier = ({ id, createdAt }: SessionInfo) =>
      id !== sid && !ordered.includes(id) && createdAt.getTime() < 1000 * (t.now() - SIGN_IN_TAKES);
    const earlier = live.filter(isEarlier).map(({ id }) => id);
    const all = [...earlier, ...ordered, sid];
    const kept = all.slice(-perUser);
    if (!(await store.swap(key, text, JSON.stringify(kept), { ttl: null }))) continue;
    for (const id of all.slice(0, -perUser)) await endSession(t, id, { by: "policy", why: "limit", userId });
    return;
  }
  throw new Error("The sessions of a user were changed by others again and again.");
}

function parseIds(text: string | null): readonly string[] {
  const ids: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}
