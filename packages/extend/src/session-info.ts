import {
  adapterHas,
  guardStore,
  lifeUntil,
  openSessionList,
  parseSessionInfo,
  type ResolvedConfig,
  requireAccounts,
  type SessionList,
  sha256,
} from "@cardea/core/extension-host";
import {
  retryChange,
  type SessionFacts,
  type SessionInfo,
  type SessionInfoPatch,
  type Store,
} from "@cardea/core/extension-kit";

/**
 * Session records: in the table `SessionInfo` if the adapter supports it, otherwise in the store, as one entry per
 * session and one list per user. Each has an end: an entry that of its session, a list that of its last session.
 */

const isTable = (config: ResolvedConfig): boolean =>
  adapterHas(config, "createSessionInfo", "getSessionInfo", "updateSessionInfo", "listSessionInfosByUserId");

/** Records a new session. */
export async function recordSession(config: ResolvedConfig, info: SessionInfo): Promise<void> {
  if (isTable(config)) {
    await requireAccounts(config).records.call("createSessionInfo", info);
    return;
  }
  const store = storeOf(config);
  await store.set(await keyOf("session", info.id), JSON.stringify(info), { ttl: lifeUntil(info.expires) });
  await (await listOf(store, info.userId)).put(info);
}

/** The record of a session; null if there is none. */
async function findRecord(config: ResolvedConfig, sid: string, tokenHash: string): Promise<SessionInfo | null> {
  if (isTable(config)) return (await requireAccounts(config).records.call("getSessionInfo", tokenHash)) ?? null;
  return config.store === undefined ? null : readEntry(guardStore(config.store), sid);
}

/** The facts of a database session that are not in its token. */
export async function findFacts(
  config: ResolvedConfig,
  sid: string,
  tokenHash: string,
): Promise<Pick<SessionFacts, "f" | "idp"> | null> {
  const info = await findRecord(config, sid, tokenHash);
  if (info === null) return null;
  const f = info.factors.map(({ m, t }) => [m, t] as const);
  return info.idp ? { f, idp: info.idp } : { f };
}

/** The records of a user's sessions that have neither ended nor expired. */
export async function listInfos(config: ResolvedConfig, userId: string): Promise<readonly SessionInfo[]> {
  const now = new Date();
  const all = isTable(config)
    ? await requireAccounts(config).records.call("listSessionInfosByUserId", userId, now)
    : await listed(config, userId);
  return all.filter(({ endedAt, expires }) => !endedAt && expires > now);
}

/** Updates a record; null if there is none. */
export async function patchInfo(
  config: ResolvedConfig,
  sid: string,
  patch: SessionInfoPatch,
): Promise<SessionInfo | null> {
  if (isTable(config)) return requireAccounts(config).records.call("updateSessionInfo", sid, patch);
  const store = storeOf(config);
  const key = await keyOf("session", sid);
  const patched = await retryChange(async () => {
    const text = await store.get(key);
    if (text === null) return null;
    const info = { ...parseSessionInfo(text), ...patch };
    const ttl = lifeUntil(info.expires);
    return (await store.swap(key, text, JSON.stringify(info), { ttl })) ? info : undefined;
  }, "A session record");
  if (patched !== null && (patch.expires ?? patch.endedAt)) await (await listOf(store, patched.userId)).put(patched);
  return patched;
}

/** Removes the records of a user. */
export async function removeInfos(config: ResolvedConfig, userId: string): Promise<void> {
  if (isTable(config)) {
    if (adapterHas(config, "deleteSessionInfosByUserId")) {
      await requireAccounts(config).records.call("deleteSessionInfosByUserId", userId);
    }
    return;
  }
  const store = storeOf(config);
  const list = await listOf(store, userId);
  for (const id of await list.all()) {
    const key = await keyOf("session", id);
    await store.swap(key, await store.get(key), null, { ttl: null });
  }
  await list.clear();
}

async function listed(config: ResolvedConfig, userId: string): Promise<SessionInfo[]> {
  const store = storeOf(config);
  const ids = await (await listOf(store, userId)).active();
  return (await Promise.all(ids.map((id) => readEntry(store, id)))).filter((entry) => entry !== null);
}

async function listOf(store: Store, userId: string): Promise<SessionList> {
  return openSessionList(store, await keyOf("user", userId));
}

async function readEntry(store: Store, sid: string): Promise<SessionInfo | null> {
  const text = await store.get(await keyOf("session", sid));
  return text === null ? null : parseSessionInfo(text);
}

function storeOf({ store }: ResolvedConfig): Store {
  if (store === undefined) throw new Error("Recording sessions requires a `store`, and none is configured.");
  return guardStore(store);
}

async function keyOf(...about: readonly string[]): Promise<string> {
  return `cardea:core:${await sha256(JSON.stringify(about.map(String)))}`;
}
