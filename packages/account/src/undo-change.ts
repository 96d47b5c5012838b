import { isSameId, type Tools } from "@cardea/extend";
import { dropChange } from "./change-address.ts";
import { type FoundLink, type Link, storeOf } from "./links.ts";
import type { Settings } from "./options.ts";
import { cancelRemoval } from "./remove-user.ts";
import { sendLater } from "./send.ts";
import { restoreSnapshot } from "./snapshot.ts";

type UndoLink = Extract<Link, { kind: "undo" }>;

/** The changes of a user that were undone: those after `from`, up to `until`. */
interface Undone {
  readonly from: number;
  readonly until: number;
}

const keyOf = (t: Tools, userId: string) => t.permanentKey("undone", userId);

/**
 * Whether a change of address can still be undone. Undoing one ends the links of those after it, which went to addresses of the user who made
 * them.
 *
 * @throws errors of the store.
 */
export async function isUndoable(t: Tools, { userId, change }: UndoLink): Promise<boolean> {
  const text = await storeOf(t).get(await keyOf(t, userId));
  if (text === null) return true;
  // Written by `markUndone`.
  const { from, until } = JSON.parse(text) as Undone;
  return change <= from || change > until;
}

async function markUndone(t: Tools, { userId, change }: UndoLink, { removeAfter, undo }: Settings): Promise<void> {
  const until = Number((await storeOf(t).get(await t.permanentKey("changes", userId))) ?? change);
  const undone: Undone = { from: change, until };
  await storeOf(t).set(await keyOf(t, userId), JSON.stringify(undone), { ttl: undo + removeAfter });
}

/** `conflict`: another account has verified the former address since. `void`: the user no longer exists, or the link ended. */
export type Undo = "restored" | "conflict" | "void";

/**
 * Restores the address that a user had before a change, for the owner of that address.
 *
 * 1. Later changes and a pending deletion end.
 * 2. The address is restored. An account that has it without ever having proven it loses it.
 * 3. The user signs in as before the change: what was added since is removed, what was changed is restored.
 * 4. Everything that stands for an earlier proof ends, sessions included.
 *
 * Steps 3 and 4 are carried out even if the address could not be restored.
 *
 * @throws errors of the store and the adapter; the caller then restores the link.
 */
export async function undoChange(
  settings: Settings,
  t: Tools,
  { link, baseUrl }: { readonly link: FoundLink["link"]; readonly baseUrl: string },
): Promise<Undo> {
  if (link.kind !== "undo" || !(await isUndoable(t, link))) return "void";
  const { userId, from, before } = link;
  const user = await t.callAdapter("getUser", userId);
  if (user === null) return "void";
  await markUndone(t, link, settings);
  await dropChange(t, userId);
  await cancelRemoval(t, userId, "owner");
  const isRestored = await restoreAddress(t, userId, from).finally(async () => {
    await restoreSnapshot(t, userId, before);
    await t.endSessions(userId, { by: "owner", reason: "address restored" });
  });
  t.note({ kind: "address.changed", userId, by: "owner", how: "undo" });
  if (user.email !== from) sendLater(settings, t, { kind: "address-restored", to: user.email, baseUrl, address: from });
  return isRestored ? "restored" : "conflict";
}

/** The link was opened in the mailbox, which proves the address. */
async function restoreAddress(t: Tools, userId: string, email: string): Promise<boolean> {
  const emailVerified = new Date(t.now() * 1000);
  const other = await t.findUserByAddress(email);
  if (other !== null && !isSameId(other.id, userId)) {
    if (other.emailVerified !== null) {
      // The former address is not ours to take, and the present one must not sign in.
      await t.callAdapter("updateUser", { id: userId, emailVerified: null });
      return false;
    }
    await t.callAdapter("updateUser", { id: other.id, email: null });
  }
  await t.callAdapter("updateUser", { id: userId, email, emailVerified });
  return true;
}
