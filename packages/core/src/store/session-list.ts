import type { SessionInfo } from "../model/session-info.ts";
import type { Store } from "../model/store.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { retryChange } from "./retry-change.ts";

/** More sessions than a user has in practice. Beyond it, those that ended are dropped from the list, then the oldest, which stay valid. */
const MAX_LISTED = 500;

/**
 * When each session of a user expires, by its id; negative once it ended. What has ended is not read, but its record is deleted with the
 * user's. The store has a list of ids, each followed by its time: former versions read and write the ids alone.
 */
type Listed = Map<string, EpochSeconds>;

/** The ids of a user's sessions in a store. */
export interface SessionList {
  /** Adds a session, or notes that it was renewed or ended. Removes those that have expired; the list has the end of the last one. */
  put(info: Pick<SessionInfo, "id" | "expires" | "endedAt">): Promise<void>;
  /** Those that have neither ended nor expired. */
  active(): Promise<readonly string[]>;
  /** Those that have ended, too. */
  all(): Promise<readonly string[]>;
  clear(): Promise<void>;
}

/** The list under a key. */
export function openSessionList(store: Store, key: string): SessionList {
  const read = async (): Promise<Listed> => parseList(await store.get(key), Infinity);
  const change = (next: (text: string | null) => Listed): Promise<unknown> =>
    retryChange(async () => {
      const text = await store.get(key);
      const sessions = [...next(text)];
      const last = Math.max(...sessions.map(([, time]) => Math.abs(time)));
      const [written, ttl] =
        sessions.length === 0 ? [null, null] : [JSON.stringify(sessions.flat()), lifeUntil(new Date(last * 1000))];
      return (await store.swap(key, text, written, { ttl })) || undefined;
    }, "The list of a user's sessions");
  return {
    async put({ id, expires, endedAt }) {
      const until = Math.ceil(expires.getTime() / 1000);
      await change((text) => kept(parseList(text, until).set(id, endedAt ? -until : until)));
    },
    active: async () => [...(await read())].filter(([, until]) => until * 1000 > Date.now()).map(([id]) => id),
    all: async () => [...(await read()).keys()],
    clear: async () => void (await change(() => new Map())),
  };
}

/** Reads a session's record from what `JSON.stringify` made of one, with dates as strings. */
export function parseSessionInfo(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo;
  const { createdAt, seenAt, expires, endedAt } = info;
  const times = { createdAt: new Date(createdAt), seenAt: new Date(seenAt), expires: new Date(expires) };
  return { ...info, ...times, endedAt: endedAt ? new Date(endedAt) : null };
}

/** Seconds until an expiry: at least one, the minimum of Redis. */
export function lifeUntil(expires: Date): Seconds {
  return Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
}

/** Without those that have expired, and no more than the limit. */
function kept(all: Listed): Listed {
  const left = [...all].filter(([, time]) => Math.abs(time) * 1000 > Date.now());
  const isActive = ([, time]: readonly [string, EpochSeconds]) => time > 0;
  const ended = left.filter((session) => !isActive(session));
  return new Map([...ended, ...left.filter(isActive)].slice(-MAX_LISTED));
}

/** @param unknown the time of a session that a former version listed. */
function parseList(text: string | null, unknown: EpochSeconds): Listed {
  const list: unknown = text === null ? [] : JSON.parse(text);
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const sessions: Listed = new Map();
  for (const [n, id] of items.entries()) {
    const time = items[n + 1];
    if (typeof id === "string") sessions.set(id, typeof time === "number" ? time : unknown);
  }
  return sessions;
}
