import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import { writeProof } from "./address-proof.ts";
import {
  consumePendingAddress,
  findPendingAddress,
  forgetPendingAddress,
  type PendingAddress,
  readPendingAddresses,
  restoringPendingAddress,
  voidPendingAddress,
} from "./pending-address.ts";
import { linkWaiting } from "./waiting-account.ts";

/**
 * Applies the proof of an address to its user after they signed in with an existing sign-in method.
 *
 * 1. The proof of a link marks the address as verified. Any other sign-in leaves it unchanged.
 * 2. A waiting account is linked if its page started this sign-in, so that no one links an account that they were not shown. It ends
 *    with any other sign-in.
 *
 * @param startedFor the mark of the page that started the sign-in.
 * @returns the user, with the address marked as verified if the two belong together.
 * @throws AdapterError.
 */
export async function joinPendingAddress(
  context: FlowContext,
  { user, isNewUser, adds }: { readonly user: User | AdapterUser; readonly isNewUser: boolean; readonly adds: boolean },
  startedFor: string | undefined,
  changes: Changes,
): Promise<User | AdapterUser> {
  const { undo, announcements } = changes;
  const isPage = ({ provider, mark }: PendingAddress) => provider !== undefined || mark === startedFor;
  const found = isNewUser || adds ? null : await findPendingAddress(context, isPage);
  if (found === null || !isSameId(user.id, found.owner.id)) {
    const others = await readPendingAddresses(context);
    if (others.some(({ waiting }) => waiting !== undefined)) announcements.push(() => voidPendingAddress(context));
    return user;
  }
  const { pending, owner } = found;
  announcements.push(() => forgetPendingAddress(context));
  // The sign-in is valid without the proof, which another request may have used.
  if (!(await consumePendingAddress(context, pending))) return user;
  undo.push(restoringPendingAddress(context, pending));
  const { waiting, mark } = pending;
  if (waiting !== undefined && mark === startedFor) await linkWaiting(context, waiting, owner, changes);
  if (pending.provider === undefined) return user;
  const proven = await writeProof(context, owner, pending.provenAt);
  if (proven === null) return user;
  announcements.push(() => context.emit("updateUser", { user: proven }));
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}
