import {
  type AdapterUser,
  type EndedBy,
  isRecent,
  isSameId,
  type Seconds,
  type SessionFacts,
  type Tools,
} from "@cardea/extend";
import { type FoundLink, keepLink, type Link, storeOf } from "./links.ts";
import type { Settings } from "./options.ts";
import { sendLater } from "./send.ts";
import { takeSnapshot } from "./snapshot.ts";

/** How long the links of a change are valid. */
const LINK_LIFE: Seconds = 24 * 60 * 60;

/** A change of address that waits for its links. One for each user: a new one replaces it. */
export interface PendingChange {
  readonly id: string;
  /** The new address. */
  readonly email: string;
  /** The address at the time of the request; if it is another one by now, the change is void. */
  readonly from: string | null;
  /** Whether the new address was proven. */
  readonly confirmed: boolean;
  /** Whether the user agreed, by a factor or in the current mailbox. */
  readonly approved: boolean;
  /** The user's epoch: the change ends with all that stands for an earlier proof. */
  readonly epoch: number;
  readonly by: EndedBy;
}

/** What a change needs besides its user. */
interface Request {
  readonly user: AdapterUser;
  /** The new address, as `parseEmailAddress` returns it. */
  readonly email: string;
  /** Whether the user agreed by a factor, or an administrator asks. Otherwise, the owner of the current address must. */
  readonly approved: boolean;
  readonly by: EndedBy;
  readonly baseUrl: string;
}

/** Proofs that someone who merely reads the user's mail cannot give. */
const FACTORS: readonly string[] = ["pwd", "otp", "recovery", "passkey", "oidc"];

/** Maximum age of such a proof. */
const FRESH: Seconds = 15 * 60;

/** Whether a session has a recent proof that is not the mailbox. */
export function hasConsent(facts: SessionFacts | null, now: number): boolean {
  return facts?.f.some(([method, at]) => FACTORS.includes(method) && isRecent(at, FRESH, now)) === true;
}

const keyOf = (t: Tools, userId: string) => t.permanentKey("change", String(userId));

/**
 * Starts a change of address. It does the same whether or not the address belongs to another account, whose owner is told instead of being
 * sent a link.
 *
 * @throws errors of the store and the adapter.
 */
export async function requestChange(settings: Settings, t: Tools, request: Request): Promise<void> {
  const { user, email, approved, by, baseUrl } = request;
  const id = t.randomId();
  const epoch = await t.epoch(user.id).read();
  const change: PendingChange = { id, email, from: user.email, confirmed: false, approved, epoch, by };
  await storeOf(t).set(await keyOf(t, user.id), JSON.stringify(change), { ttl: LINK_LIFE });
  const { origin } = new URL(baseUrl);
  const linkTo = async (kind: "confirm" | "approve", lifetime: Seconds) => {
    const link: Link = { kind, userId: String(user.id), change: id };
    return `${baseUrl}/account/confirm?${new URLSearchParams({ token: await keepLink(t, link, origin, lifetime) })}`;
  };
  // Both are made in any case, so that it takes as long.
  const confirm = await linkTo("confirm", LINK_LIFE);
  const owner = await t.findUserByAddress(email);
  const isTaken = owner !== null && !isSameId(owner.id, user.id);
  const message = { baseUrl, address: email };
  if (isTaken) sendLater(settings, t, { ...message, kind: "address-taken", to: email });
  else sendLater(settings, t, { ...message, kind: "confirm-address", to: email, url: confirm });
  if (approved) return;
  // Its "this was not me" is of use after the change has ended.
  const approve = await linkTo("approve", settings.undo);
  sendLater(settings, t, { ...message, kind: "approve-address", to: user.email, url: approve });
}

/** The change that a user's links are about; null if there is none, or it is void. @throws errors of the store. */
export async function findChange(t: Tools, userId: string): Promise<PendingChange | null> {
  const text = await storeOf(t).get(await keyOf(t, userId));
  if (text === null) return null;
  const change = parseChange(text);
  return change.epoch < (await t.epoch(userId).read()) ? null : change;
}

/** Ends a change that has not been made. @throws errors of the store. */
export async function dropChange(t: Tools, userId: string): Promise<void> {
  const key = await keyOf(t, userId);
  const text = await storeOf(t).get(key);
  if (text !== null) await storeOf(t).swap(key, text, null, { ttl: null });
}

/** Restores a change after an outage, unless the user has requested another one. */
export async function restoreChange(t: Tools, userId: string, change: PendingChange): Promise<void> {
  await storeOf(t).set(await keyOf(t, userId), JSON.stringify(change), { ttl: LINK_LIFE, ifAbsent: true });
}

/** Written only by this file. */
function parseChange(text: string): PendingChange {
  return JSON.parse(text) as PendingChange;
}

/** `waiting`: the other link was not opened yet. `void`: the change ended, or the address now belongs to another account. */
export type Confirmed =
  | { readonly kind: "waiting" }
  | { readonly kind: "void" }
  | { readonly kind: "ready"; readonly change: PendingChange };

/**
 * Notes that the owner of an address opened its link. Of several requests, one receives `ready`, and makes the change.
 *
 * @throws errors of the store.
 */
export async function confirmChange(t: Tools, { link }: FoundLink): Promise<Confirmed> {
  if (link.kind === "undo") return { kind: "void" };
  const key = await keyOf(t, link.userId);
  const store = storeOf(t);
  for (;;) {
    const text = await store.get(key);
    const change = text === null ? null : await findChange(t, link.userId);
    if (text === null || change?.id !== link.change) return { kind: "void" };
    const next = link.kind === "confirm" ? { ...change, confirmed: true } : { ...change, approved: true };
    const isReady = next.confirmed && next.approved;
    if (await store.swap(key, text, isReady ? null : JSON.stringify(next), { ttl: LINK_LIFE }))
      return isReady ? { kind: "ready", change: next } : { kind: "waiting" };
  }
}

/** The number of a user's latest change of address. */
async function countChange(t: Tools, userId: string): Promise<number> {
  return (await storeOf(t).add(await t.permanentKey("changes", userId), 1, { ttl: null })).value;
}

/**
 * Changes the address of a user.
 *
 * 1. The address is still the one at the time of the request, and the new one belongs to no other account.
 * 2. The link that restores the former address is stored first: there is no change without a way back.
 * 3. The user is changed. The table decides between two users who confirm the same address.
 *
 * @returns false if the change is void.
 * @throws errors of the store and the adapter.
 */
export async function applyChange(
  settings: Settings,
  t: Tools,
  { userId, change, baseUrl }: { readonly userId: string; readonly change: PendingChange; readonly baseUrl: string },
): Promise<boolean> {
  const user = await t.callAdapter("getUser", userId);
  if (user === null || user.email !== change.from) return false;
  const owner = await t.findUserByAddress(change.email);
  if (owner !== null && !isSameId(owner.id, userId)) return false;
  const way = user.email ? await keepWayBack(settings, t, { user, from: user.email, baseUrl }) : undefined;
  try {
    await t.callAdapter("updateUser", { id: user.id, email: change.email, emailVerified: new Date(t.now() * 1000) });
  } catch (error) {
    // Another user confirmed the same address at the same moment.
    const now = await t.findUserByAddress(change.email);
    if (now !== null && !isSameId(now.id, userId)) return false;
    if (now === null) throw error;
  }
  t.note({ kind: "address.changed", userId, by: change.by, how: "change" });
  const date = new Date(1000 * (t.now() + settings.undo));
  sendLater(settings, t, { kind: "address-changed", to: user.email, baseUrl, url: way, address: change.email, date });
  return true;
}

interface WayBack {
  readonly user: AdapterUser;
  readonly from: string;
  readonly baseUrl: string;
}

/** Stores the link that restores the address, and when the latest one expires, until which the user is not deleted. */
async function keepWayBack(settings: Settings, t: Tools, { user, from, baseUrl }: WayBack): Promise<string> {
  const userId = String(user.id);
  const before = await takeSnapshot(t, userId, settings.undo);
  const link: Link = { kind: "undo", userId, change: await countChange(t, userId), from, before };
  const token = await keepLink(t, link, new URL(baseUrl).origin, settings.undo);
  const until = String(t.now() + settings.undo);
  await storeOf(t).set(await t.permanentKey("undoable", userId), until, { ttl: settings.undo });
  return `${baseUrl}/account/confirm?${new URLSearchParams({ token })}`;
}

/** Until when the owner of a former address can restore it; 0 if no one can. @throws errors of the store. */
export async function undoableUntil(t: Tools, userId: string): Promise<number> {
  return Number((await storeOf(t).get(await t.permanentKey("undoable", userId))) ?? 0);
}
