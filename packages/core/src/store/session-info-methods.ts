import type { Adapter } from "../model/adapter.ts";
import type { SessionInfo } from "../model/session-info.ts";
import type { Store } from "../model/store.ts";
import { changeList, keyOf, lifeUntil, parseList, toDate } from "./stored-records.ts";

/**
 * Session records in a store: one text per session, the id under each token hash, and a list of ids per user. Records
 * expire with their sessions.
 */
export function sessionInfoMethods(store: Store) {
  const read = async (id: string): Promise<SessionInfo | null> => {
    const text = await store.get(await keyOf("session", id));
    return text === null ? null : parseInfo(text);
  };
  const listIds = async (userId: string) => parseList(await store.get(await keyOf("sessions", userId)), String);
  const remove = async (info: SessionInfo): Promise<void> => {
    for (const key of [await keyOf("token", info.tokenHash), await keyOf("session", info.id)]) {
      await store.swap(key, await store.get(key), null, { ttl: null });
    }
  };
  const listAlive = async (userId: string): Promise<SessionInfo[]> => {
    const infos = await Promise.all((await listIds(userId)).map(read));
    return infos.filter((info) => info !== null);
  };

  return {
    async createSessionInfo(given) {
      // Some databases return numeric ids, despite the type; bigints cannot be written as JSON.
      const info: SessionInfo = { ...given, userId: String(given.userId) };
      const life = { ttl: lifeUntil(info.expires), ifAbsent: true } as const;
      if (!(await store.set(await keyOf("token", info.tokenHash), info.id, life))) {
        throw new Error("A session record with this token already exists.");
      }
      await store.set(await keyOf("session", info.id), JSON.stringify(info), { ttl: life.ttl });
      const alive = new Set((await listAlive(info.userId)).map(({ id }) => id));
      const list = await keyOf("sessions", info.userId);
      await changeList(store, list, String, (ids) => [...ids.filter((id) => alive.has(id) && id !== info.id), info.id]);
      return info;
    },
    async getSessionInfo(tokenHash) {
      const id = await store.get(await keyOf("token", tokenHash));
      const info = id === null ? null : await read(id);
      return info?.tokenHash === tokenHash ? info : null;
    },
    async updateSessionInfo(id, patch) {
      const key = await keyOf("session", id);
      const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      for (;;) {
        const text = await store.get(key);
        if (text === null) return null;
        const [before, after] = [parseInfo(text), { ...parseInfo(text), ...changes }];
        const ttl = lifeUntil(after.expires);
        // The new hash is added before the old one is removed.
        await store.set(await keyOf("token", after.tokenHash), id, { ttl });
        if (!(await store.swap(key, text, JSON.stringify(after), { ttl }))) continue;
        const former = await keyOf("token", before.tokenHash);
        if (after.tokenHash !== before.tokenHash) await store.swap(former, id, null, { ttl: null });
        return after;
      }
    },
    listSessionInfosByUserId: listAlive,
    async deleteSessionInfosByUserId(userId) {
      const infos = await listAlive(userId);
      for (const info of infos) await remove(info);
      const gone = new Set(infos.map(({ id }) => id));
      await changeList(store, await keyOf("sessions", userId), String, (ids) => ids.filter((id) => !gone.has(id)));
      return infos.length;
    },
  } satisfies Adapter;
}

/** Written by this module; dates are stored as strings. */
function parseInfo(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo;
  const { createdAt, seenAt, expires, endedAt } = info;
  const times = { createdAt: new Date(createdAt), seenAt: new Date(seenAt), expires: new Date(expires) };
  return { ...info, ...times, endedAt: toDate(endedAt) };
}
