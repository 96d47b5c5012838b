import { randomUuid, sha256 } from "../crypto/primitives.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AdapterCredential } from "../model/credential.ts";
import type { SessionInfo } from "../model/session-info.ts";
import type { Store } from "../model/store.ts";
import { retryChange } from "./retry-change.ts";
import { lifeUntil, openSessionList, parseSessionInfo } from "./session-list.ts";

/**
 * Derives a key that does not reveal its subject unless the subject can be guessed. Some databases return numeric ids,
 * despite the type, so the id 1 and "1" give the same key; otherwise a second factor stored under one would not be
 * found under the other.
 */
async function keyOf(...about: readonly string[]): Promise<string> {
  return `cardea:adapter:${await sha256(JSON.stringify(about.map(String)))}`;
}

/** Updates the credentials under a key with compare-and-set. An empty list is deleted. */
async function changeCredentials(
  store: Store,
  key: string,
  change: (all: readonly AdapterCredential[]) => readonly AdapterCredential[],
): Promise<void> {
  await retryChange(async () => {
    const text = await store.get(key);
    const all = change(parseCredentials(text));
    const next = all.length === 0 ? null : JSON.stringify(all);
    return (await store.swap(key, text, next, { ttl: null })) || undefined;
  }, "A list in the store");
}

/** Reads what {@link changeCredentials} wrote, with dates as strings; no credentials for null. */
function parseCredentials(text: string | null): AdapterCredential[] {
  const all = JSON.parse(text ?? "[]") as AdapterCredential[];
  return all.map((one) => ({
    ...one,
    createdAt: new Date(one.createdAt),
    usedAt: one.usedAt ? new Date(one.usedAt) : null,
  }));
}

/** Credentials in a durable store: one list per user, and the user of each credential. */
function credentialMethods(store: Store) {
  const listKey = (userId: string) => keyOf("credentials", userId);
  const ownerOf = async (id: string) => store.get(await keyOf("credential", id));

  return {
    async createCredential(credential) {
      const isPassword = credential.type === "password";
      const id = isPassword ? `password:${credential.userId}` : randomUuid();
      // Some databases return numeric ids, despite the type; bigints cannot be written as JSON.
      const userId = String(credential.userId);
      const made: AdapterCredential = { state: null, ...credential, userId, id, version: 0 };
      await store.set(await keyOf("credential", id), userId, { ttl: null });
      await changeCredentials(store, await listKey(credential.userId), (all) => {
        if (all.some((one) => one.id === id)) throw new Error("The user already has a password.");
        return [...all, made];
      });
      return made;
    },
    async listCredentialsByUserId(userId) {
      return parseCredentials(await store.get(await listKey(userId)));
    },
    async updateCredential({ id, version, ...changes }) {
      const owner = await ownerOf(id);
      if (owner === null) return null;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      let changed: AdapterCredential | null = null;
      await changeCredentials(store, await listKey(owner), (all) => {
        changed = null;
        return all.map((one) => {
          if (one.id !== id || one.version !== version) return one;
          changed = { ...one, ...given, version: version + 1 };
          return changed;
        });
      });
      return changed;
    },
    async deleteCredential(id) {
      const owner = await ownerOf(id);
      if (owner === null) return;
      await changeCredentials(store, await listKey(owner), (all) => all.filter((one) => one.id !== id));
      await store.swap(await keyOf("credential", id), owner, null, { ttl: null });
    },
  } satisfies Adapter;
}

/**
 * Session records in a store: one text per session, the id under each token hash, and a list of ids per user. Records
 * expire with their sessions.
 */
function sessionInfoMethods(store: Store) {
  const read = async (id: string): Promise<SessionInfo | null> => {
    const text = await store.get(await keyOf("session", id));
    return text === null ? null : parseSessionInfo(text);
  };
  const listOf = async (userId: string) => openSessionList(store, await keyOf("sessions", userId));
  const remove = async (info: SessionInfo): Promise<void> => {
    for (const key of [await keyOf("token", info.tokenHash), await keyOf("session", info.id)]) {
      await store.swap(key, await store.get(key), null, { ttl: null });
    }
  };
  const readAll = async (ids: readonly string[]) => (await Promise.all(ids.map(read))).filter((info) => info !== null);

  return {
    async createSessionInfo(given) {
      // Some databases return numeric ids, despite the type; bigints cannot be written as JSON.
      const info: SessionInfo = { ...given, userId: String(given.userId) };
      const life = { ttl: lifeUntil(info.expires), ifAbsent: true } as const;
      if (!(await store.set(await keyOf("token", info.tokenHash), info.id, life))) {
        throw new Error("A session record with this token already exists.");
      }
      await store.set(await keyOf("session", info.id), JSON.stringify(info), { ttl: life.ttl });
      await (await listOf(info.userId)).put(info);
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
      const updated = await retryChange(async () => {
        const text = await store.get(key);
        if (text === null) return null;
        const before = parseSessionInfo(text);
        const after = { ...before, ...changes };
        const ttl = lifeUntil(after.expires);
        // The new hash is added before the old one is removed.
        await store.set(await keyOf("token", after.tokenHash), id, { ttl });
        if (!(await store.swap(key, text, JSON.stringify(after), { ttl }))) return undefined;
        const former = await keyOf("token", before.tokenHash);
        if (after.tokenHash !== before.tokenHash) await store.swap(former, id, null, { ttl: null });
        return after;
      }, "A session record");
      if (updated !== null && (patch.expires ?? patch.endedAt)) await (await listOf(updated.userId)).put(updated);
      return updated;
    },
    async listSessionInfosByUserId(userId, activeAt) {
      const list = await listOf(userId);
      const infos = await readAll(await (activeAt === undefined ? list.all() : list.active()));
      return infos.filter(({ endedAt, expires }) => activeAt === undefined || (!endedAt && expires > activeAt));
    },
    async deleteSessionInfosByUserId(userId) {
      const list = await listOf(userId);
      const infos = await readAll(await list.all());
      for (const info of infos) await remove(info);
      await list.clear();
      return infos.length;
    },
  } satisfies Adapter;
}

/** Settings of {@link extend}. */
export interface ExtendOptions {
  /** The store for the data of the added methods. All processes of the application must share it. */
  readonly store: Store;
  /**
   * Whether the store is durable, such as a database, or a Redis that writes each change to disk. If true, passwords
   * and second factors are also stored in it. Otherwise they are not, because a lost second factor would no longer be
   * required.
   */
  readonly durable?: boolean;
}

/**
 * Adds missing optional methods to an adapter, such as an Auth.js adapter from npm, backed by a store. No table is
 * added, and existing methods are kept. When a user is deleted, their data in the store is also deleted.
 *
 * @param adapter Not modified.
 */
export function extend<A extends Adapter>(adapter: A, { store, durable = false }: ExtendOptions): A & Adapter {
  const infos = lacks(adapter, "createSessionInfo") ? sessionInfoMethods(store) : undefined;
  const credentials = durable && lacks(adapter, "createCredential") ? credentialMethods(store) : undefined;
  const { deleteUser } = adapter;
  const extended: Adapter = { store, ...infos, ...credentials };
  if (deleteUser !== undefined) {
    extended.deleteUser = async (userId) => {
      const deleted = await deleteUser.call(adapter, userId);
      await infos?.deleteSessionInfosByUserId(userId);
      for (const { id } of (await credentials?.listCredentialsByUserId(userId)) ?? []) {
        await credentials?.deleteCredential(id);
      }
      return deleted ?? undefined;
    };
  }
  const get = (name: PropertyKey): unknown => {
    // The database would decide without the credentials of the store.
    if (name === "removeSignInMethod" && credentials !== undefined) return undefined;
    const own: unknown = Reflect.get(extended, name);
    if (own !== undefined && (name === "deleteUser" || lacks(adapter, name))) return own;
    const theirs: unknown = Reflect.get(adapter, name);
    return typeof theirs === "function" ? theirs.bind(adapter) : theirs;
  };
  const keys = () => [...new Set([...Reflect.ownKeys(adapter), ...Reflect.ownKeys(extended)])];
  // Class methods are on the prototype, so they are looked up rather than copied. The target is empty, so that the added methods
  // are own members, which `{ ...adapter }` copies, whatever the adapter is.
  return new Proxy({} as A & Adapter, {
    get: (_, name) => get(name),
    has: (_, name) => name in adapter || name in extended,
    ownKeys: keys,
    getOwnPropertyDescriptor: (_, name) =>
      keys().includes(name)
        ? { value: get(name), writable: true, enumerable: isEnumerable(adapter, name), configurable: true }
        : undefined,
    set: (_, name, value) => Reflect.set(adapter, name, value),
    getPrototypeOf: () => Reflect.getPrototypeOf(adapter),
  });
}

function isEnumerable(adapter: Adapter, name: PropertyKey): boolean {
  return Reflect.getOwnPropertyDescriptor(adapter, name)?.enumerable !== false;
}

function lacks(adapter: Adapter, name: PropertyKey): boolean {
  return (Reflect.get(adapter, name) ?? undefined) === undefined;
}
