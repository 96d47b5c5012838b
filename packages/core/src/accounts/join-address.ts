import { takeInterrupted } from "../cookies/interrupted-sign-in.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import type { JoiningSignIn } from "../session/accounts.ts";
import { writeProof } from "./address-proof.ts";
import {
  cancelPendingAddresses,
  findPendingAddress,
  type PendingAddress,
  readPendingAddresses,
} from "./pending-address.ts";
import { linkWaiting } from "./waiting-account.ts";

/**
 * Applies the proof of an address to its user after they signed in with an existing sign-in method.
 *
 * 1. The proof of a link marks the address as verified. Any other sign-in leaves it unchanged.
 * 2. A waiting account is linked if its page started this sign-in, so that no one links an account that they were not shown, and if every
 *    extension lets this session add it. It ends with any other sign-in.
 *
 * @returns the user, with the address marked as verified if the two belong together.
 * @throws AdapterError, and errors of extensions.
 */
export async function joinPendingAddress(context: FlowContext, signIn: JoiningSignIn): Promise<User | AdapterUser> {
  const { user, isNewUser, adds, startedFor, mayAdd, changes } = signIn;
  const { undo, announcements } = changes;
  const isMeant = ({ provider, id }: PendingAddress) => provider !== undefined || id === startedFor;
  const found = isNewUser || adds ? null : await findPendingAddress(context, isMeant);
  if (found === null || found.isFresh || !isSameId(user.id, found.owner.id)) {
    const others = await readPendingAddresses(context);
    if (others.some(({ waiting }) => waiting !== undefined)) announcements.push(() => cancelPendingAddresses(context));
    return user;
  }
  const { pending, owner } = found;
  // The sign-in is valid without the proof, which another request may have used.
  if (!(await takeInterrupted(context, pending, undo))) return user;
  const { waiting, id } = pending;
  if (waiting !== undefined && id === startedFor) await linkWaiting(context, waiting, owner, changes, mayAdd);
  if (pending.provider === undefined) return user;
  const proven = await writeProof(context, owner, pending.provenAt);
  if (proven === null) return user;
  announcements.push(() => context.emit("updateUser", { user: proven }));
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}
