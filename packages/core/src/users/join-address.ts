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
  restoringPendingAddress,
} from "./pending-address.ts";

/**
 * Applies the proof of an address to its user after they signed in with an existing sign-in method. Any other sign-in
 * leaves the proof unchanged.
 *
 * @returns the user, with the address marked as verified if the two belong together.
 * @throws AdapterError.
 */
export async function joinPendingAddress(
  context: FlowContext,
  { user, isNewUser, adds }: { readonly user: User | AdapterUser; readonly isNewUser: boolean; readonly adds: boolean },
  { undo, announcements }: Changes,
): Promise<User | AdapterUser> {
  const found = !isNewUser && !adds ? await findPendingAddress(context) : null;
  if (found === null || !isSameId(user.id, found.owner.id)) return user;
  const { pending, owner } = found;
  announcements.push(() => forgetPendingAddress(context));
  // The sign-in is valid without the proof, which another request may have used.
  if (!(await consumePendingAddress(context, pending))) return user;
  undo.push(restoringPendingAddress(context, pending));
  const proven = await writeProof(context, owner, pending.provenAt);
  if (proven === null) return user;
  announcements.push(() => context.emit("updateUser", { user: proven }));
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}
