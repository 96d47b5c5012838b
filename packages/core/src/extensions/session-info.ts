import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { guardStore } from "../application/guard-store.ts";
import { sha256 } from "../crypto/primitives.ts";
import { retryChange } from "../crypto/retry-change.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import type { SessionInfo, SessionInfoPatch } from "../model/session-info.ts";
import type { Store } from "../model/store.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";

/**
 * Session records: in the table `SessionInfo` if the adapter supports it, otherwise in the store, as one entry per
 * session and one list per user. Each has an end: an entry that of its session, a list that of its last session.
 */

/** More sessions than a user has in practice. Beyond it, those that ended are dropped from the list, then the oldest, which stay valid. */
const MAX_LISTED = 500;

/**
 * When each session of a user expires, by its id; negative once it ended. What has ended is not read, but its record is deleted with the
 * user's. The store has a list of ids, each followed by its time: former versions read and write the ids alone.
 */
type Listed = Map<string, EpochSeconds>;

const isTable = (config: ResolvedConfig): boolean =>
  adapterHas(config, "createSessionInfo", "getSessionInfo", "updateSessionInfo", "listSessionInfosByUserId");

/** Records a new session. */
export async function recordSession(config: ResolvedConfig, info: SessionInfo): Promise<void> {
  if (isTable(config)) {
    await callAdapter(config, "createSessionInfo", info);
    return;
  }
  const store = storeOf(config);
  await store.set(await keyOf("session", info.id), JSON.stringify(info), { ttl: lifeUntil(secondsOf(info.expires)) });
  await putInList(store, info);
}

/** The record of a session; null if there is none. */
async function findRecord(config: ResolvedConfig, sid: string, tokenHash: string): Promise<SessionInfo | null> {
  if (isTable(config)) return (await callAdapter(config, "getSessionInfo", tokenHash)) ?? null;
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
    ? await callAdapter(config, "listSessionInfosByUserId", userId, now)
    : await listed(config, userId);
  return all.filter(({ endedAt, expires }) => !endedAt && expires > now);
}

/** Updates a record; null if there is none. */
export async function patchInfo(
  config: ResolvedConfig,
  sid: string,
  patch: SessionInfoPatch,
): Promise<SessionInfo | null> {
  if (isTable(config)) return callAdapter(config, "updateSessionInfo", sid, patch);
  const store = storeOf(config);
  const key = await keyOf("session", sid);
  const patched = await retryChange(async () => {
    const text = await store.get(key);
    if (text === null) return null;
    const info = { ...parseEntry(text), ...patch };
    const ttl = lifeUntil(secondsOf(info.expires));
    return (await store.swap(key, text, JSON.stringify(info), { ttl })) ? info : undefined;
  }, "A session record");
  if (patched !== null && (patch.expires ?? patch.endedAt)) await putInList(store, patched);
  return patched;
}

/** Removes the records of a user. */
export async function removeInfos(config: ResolvedConfig, userId: string): Promise<void> {
  if (isTable(config)) {
    if (adapterHas(config, "deleteSessionInfosByUserId")) {
      await callAdapter(config, "deleteSessionInfosByUserId", userId);
    }
    return;
  }
  const store = storeOf(config);
  const list = await keyOf("user", userId);
  for (const id of parseList(await store.get(list), 0).keys()) {
    const key = await keyOf("session", id);
    await store.swap(key, await store.get(key), null, { ttl: null });
  }
  await changeEntry(store, list, () => null);
}

async function listed(config: ResolvedConfig, userId: string): Promise<SessionInfo[]> {
  const store = storeOf(config);
  const sessions = parseList(await store.get(await keyOf("user", userId)), Infinity);
  const active = [...sessions].filter(([, until]) => until * 1000 > Date.now());
  return (await Promise.all(active.map(([id]) => readEntry(store, id)))).filter((entry) => entry !== null);
}

/** Puts a session into its user's list, or notes there that it was renewed or ended, and removes those that have expired. */
async function putInList(store: Store, { id, userId, expires, endedAt }: SessionInfo): Promise<void> {
  const until = secondsOf(expires);
  await changeEntry(store, await keyOf("user", userId), (text) => {
    const all = parseList(text, until).set(id, endedAt ? -until : until);
    const isActive = ([, time]: readonly [string, EpochSeconds]) => time > 0;
    const kept = [...all].filter(([, time]) => Math.abs(time) * 1000 > Date.now());
    const ended = kept.filter((session) => !isActive(session));
    const sessions = [...ended, ...kept.filter(isActive)].slice(-MAX_LISTED);
    if (sessions.length === 0) return null;
    return { text: JSON.stringify(sessions.flat()), until: Math.max(...sessions.map(([, time]) => Math.abs(time))) };
  });
}

type Change = (text: string | null) => { readonly text: string; readonly until: EpochSeconds } | null;

async function changeEntry(store: Store, key: string, change: Change): Promise<void> {
  await retryChange(async () => {
    const text = await store.get(key);
    const next = change(text);
    const ttl = next === null ? null : lifeUntil(next.until);
    return (await store.swap(key, text, next?.text ?? null, { ttl })) || undefined;
  }, "The list of a user's sessions");
}

async function readEntry(store: Store, sid: string): Promise<SessionInfo | null> {
  const text = await store.get(await keyOf("session", sid));
  return text === null ? null : parseEntry(text);
}

function storeOf({ store }: ResolvedConfig): Store {
  if (store === undefined) throw new Error("Recording sessions requires a `store`, and none is configured.");
  return guardStore(store);
}

async function keyOf(...about: readonly string[]): Promise<string> {
  return `cardea:core:${await sha256(JSON.stringify(about.map(String)))}`;
}

const secondsOf = (time: Date): EpochSeconds => Math.ceil(time.getTime() / 1000);

/** At least one second, the minimum of Redis. */
const lifeUntil = (end: EpochSeconds): Seconds => Math.max(1, Math.ceil(end - Date.now() / 1000));

/** Written by this module; dates are stored as strings. */
function parseEntry(text: string): SessionInfo {
  const info = JSON.parse(text) as SessionInfo;
  const time = (value: Date | null | undefined) => (value ? new Date(value) : null);
  const { createdAt, seenAt, expires } = info;
  const times = { createdAt: new Date(createdAt), seenAt: new Date(seenAt), expires: new Date(expires) };
  return { ...info, ...times, endedAt: time(info.endedAt) };
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
