import {
  type AdapterUser,
  type EndedBy,
  type EpochSeconds,
  retryChange,
  type Seconds,
  type Tools,
} from "@cardea/extend";
import { undoableUntil } from "./change-address.ts";
import { storeOf } from "./links.ts";
import { forgetAllTokens } from "./methods.ts";
import type { Settings } from "./options.ts";
import { sendLater } from "./send.ts";

/** A deletion that waits for its time. If the store loses it, the user is kept. */
export interface PendingRemoval {
  readonly requestedAt: EpochSeconds;
  /** When the user is deleted. */
  readonly due: EpochSeconds;
  readonly by: EndedBy;
  /** When a process began to delete the user; another takes over if it ends without having done so. */
  readonly began?: EpochSeconds;
}

/** Deletions are found by the hour in which they are due. */
const HOUR: Seconds = 60 * 60;
/** The first call looks so far back: no deletion waits longer. */
const REACH_HOURS = 120 * 24;
/** A process that has not deleted a user after this time has ended. */
const TAKEN_OVER_AFTER: Seconds = 15 * 60;

const keyOf = (t: Tools, userId: string) => t.permanentKey("removal", String(userId));
const hourKey = (t: Tools, hour: number) => t.permanentKey("removals", String(hour));

/** Written only by this file. */
function parseRemoval(text: string): PendingRemoval {
  return JSON.parse(text) as PendingRemoval;
}

/** The pending deletion of a user; null without one. @throws errors of the store. */
export async function findRemoval(t: Tools, userId: string): Promise<PendingRemoval | null> {
  const text = await storeOf(t).get(await keyOf(t, userId));
  return text === null ? null : parseRemoval(text);
}

/** The answer to a request: when the user is deleted, or that the application refuses. */
export type Removal = { readonly kind: "due"; readonly due: Date } | { readonly kind: "refused" };

/**
 * Requests the deletion of a user.
 *
 * 1. The application may refuse (`mayRemove`).
 * 2. It is due after the configured time, and not before the owner of a former address can no longer restore it. A second request changes
 *    nothing.
 * 3. All sessions end, and sign-ins are interrupted from now on.
 * 4. The tokens at providers are revoked. One that cannot be is logged.
 *
 * @throws errors of the store, the adapter and of ending sessions. The request stands once it is stored.
 */
export async function requestRemoval(
  settings: Settings,
  t: Tools,
  { user, by, baseUrl }: { readonly user: AdapterUser; readonly by: EndedBy; readonly baseUrl: string | undefined },
): Promise<Removal> {
  const userId = String(user.id);
  if ((await settings.mayRemove(user)) !== true) return { kind: "refused" };
  const due = Math.max(t.now() + settings.removeAfter, await undoableUntil(t, userId));
  const removal: PendingRemoval = { requestedAt: t.now(), due, by };
  // First: a request that is not in the list is never carried out, one in the list without a request is skipped.
  await addTo(t, await hourKey(t, Math.floor(due / HOUR)), userId);
  const isNew = await storeOf(t).set(await keyOf(t, userId), JSON.stringify(removal), { ttl: null, ifAbsent: true });
  const standing = isNew ? removal : ((await findRemoval(t, userId)) ?? removal);
  await t.endSessions(userId, { by, reason: "deletion requested" });
  const date = new Date(1000 * standing.due);
  if (!isNew) return { kind: "due", due: date };
  t.note({ kind: "deletion.requested", userId, by });
  if (baseUrl !== undefined) sendLater(settings, t, { kind: "deletion-requested", to: user.email, baseUrl, date });
  await forgetAllTokens(t, userId);
  return { kind: "due", due: date };
}

/**
 * Cancels a deletion.
 *
 * @returns false if there is none, or it has begun.
 * @throws errors of the store.
 */
export async function cancelRemoval(t: Tools, userId: string, by: EndedBy): Promise<boolean> {
  const key = await keyOf(t, userId);
  const text = await storeOf(t).get(key);
  if (text === null || parseRemoval(text).began !== undefined) return false;
  if (!(await storeOf(t).swap(key, text, null, { ttl: null }))) return false;
  t.note({ kind: "deletion.cancelled", userId, by });
  return true;
}

/** The users that were deleted, and those whose deletion is due and was refused or failed. */
export interface RemovedUsers {
  /** Ids of deleted users. */
  readonly removed: readonly string[];
  /** Ids of users who are kept for now: `mayRemove` refused, or the database failed. They are tried again. */
  readonly kept: readonly string[];
}

/**
 * Deletes the users whose time has come. Several processes may call it at once: each user is deleted by one.
 *
 * @throws errors of the store.
 */
export async function removeDue(settings: Settings, t: Tools): Promise<RemovedUsers> {
  const store = storeOf(t);
  const now = Math.floor(t.now() / HOUR);
  const cursorKey = await t.permanentKey("removals-from");
  const cursor = await store.get(cursorKey);
  const outcomes = new Map<string, Outcome>();
  let first = cursor === null ? now - REACH_HOURS : Number(cursor);
  for (let hour = first, isDone = true; hour <= now; hour++) {
    isDone = (await removeOfHour(settings, t, { hour, now }, outcomes)) && isDone;
    // The present and the last hour may still be written to by servers whose clocks are behind.
    if (isDone && hour < now - 1) first = hour + 1;
  }
  if (String(first) !== cursor) await store.swap(cursorKey, cursor, String(first), { ttl: null });
  const of = (wanted: Outcome) => [...outcomes].filter(([, outcome]) => outcome === wanted).map(([userId]) => userId);
  return { removed: of("removed"), kept: of("kept") };
}

/** `none`: the deletion was cancelled, or is listed under another hour. `later`: another process is at it, or its time has not come. */
type Outcome = "removed" | "kept" | "later" | "none";

/** Resolves to whether nothing of this hour is left to do. Users who are kept move on to the present, so that no call looks back at them. */
async function removeOfHour(
  settings: Settings,
  t: Tools,
  { hour, now }: { readonly hour: number; readonly now: number },
  outcomes: Map<string, Outcome>,
): Promise<boolean> {
  const key = await hourKey(t, hour);
  const ids = parseList(await storeOf(t).get(key)).filter((userId) => !outcomes.has(userId));
  for (const userId of ids) {
    const outcome = await removeIfDue(settings, t, userId);
    outcomes.set(userId, outcome);
    if (outcome === "later" || (outcome === "kept" && hour === now)) continue;
    if (outcome === "kept") await addTo(t, await hourKey(t, now), userId);
    await dropFrom(t, key, userId);
  }
  return ids.every((userId) => outcomes.get(userId) !== "later");
}

async function removeIfDue(settings: Settings, t: Tools, userId: string): Promise<Outcome> {
  const key = await keyOf(t, userId);
  const text = await storeOf(t).get(key);
  if (text === null) return "none";
  const removal = parseRemoval(text);
  if (removal.due > t.now()) return "later";
  if (removal.began !== undefined && removal.began > t.now() - TAKEN_OVER_AFTER) return "later";
  const begun = JSON.stringify({ ...removal, began: t.now() });
  try {
    const user = await t.callAdapter("getUser", userId);
    if (user !== null && (await settings.mayRemove(user)) !== true) return "kept";
    // From here on, it can no longer be cancelled, and no other process deletes this user.
    if (!(await storeOf(t).swap(key, text, begun, { ttl: null }))) return "later";
    if (user !== null) await removeNow(settings, t, user, removal.by);
    await storeOf(t).swap(key, begun, null, { ttl: null });
    return "removed";
  } catch (error) {
    t.logger.error(new Error(`account(): a user could not be deleted; it is tried again.`, { cause: error }));
    // The request stands, and can be cancelled again.
    await storeOf(t).swap(key, begun, text, { ttl: null });
    return "kept";
  }
}

async function removeNow(settings: Settings, t: Tools, user: AdapterUser, by: EndedBy): Promise<void> {
  const userId = String(user.id);
  // Tokens of a refresh or a sign-in that was under way at the request.
  await forgetAllTokens(t, userId);
  await t.endSessions(userId, { by, reason: "user deleted" });
  await t.callAdapter("deleteUser", userId);
  await t
    .forgetSessions(userId)
    .catch((error: unknown) =>
      t.logger.warn("account-records-left: the user's session records were not removed:", error),
    );
  t.note({ kind: "user.deleted", userId, by });
  const { fixedUrl } = t;
  if (fixedUrl !== undefined) sendLater(settings, t, { kind: "deleted", to: user.email, baseUrl: fixedUrl });
}

/** Written only by this file. */
function parseList(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(text) as readonly string[]);
}

async function changeList(t: Tools, key: string, change: (ids: readonly string[]) => readonly string[]): Promise<void> {
  await retryChange(async () => {
    const text = await storeOf(t).get(key);
    const ids = change(parseList(text));
    return (
      (await storeOf(t).swap(key, text, ids.length === 0 ? null : JSON.stringify(ids), { ttl: null })) || undefined
    );
  }, "The list of pending deletions");
}

const addTo = (t: Tools, key: string, userId: string) =>
  changeList(t, key, (ids) => (ids.includes(userId) ? ids : [...ids, userId]));
const dropFrom = (t: Tools, key: string, userId: string) =>
  changeList(t, key, (ids) => ids.filter((one) => one !== userId));
