import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import { writeProof } from "./address-proof.ts";
import { consumePendingAddress, findPendingAddress, forgetPendingAddress } from "./pending-address.ts";
import type { ResolvedUser } from "./resolved-user.ts";

/**
 * Joins a proof of an address with the user it is about, once that user signed in by a way in that was theirs already. Any
 * other sign-in leaves the proof as it is.
 *
 * @returns the user, with the address marked as proven where the two belong together.
 * @throws AdapterError.
 */
export async function joinPendingAddress(context: FlowContext, resolved: ResolvedUser): Promise<User | AdapterUser> {
  const { user, isNewUser, added = false } = resolved;
  const isOwn = !isNewUser && !added && context.received.has(context.cookies.address.name);
  const found = isOwn ? await findPendingAddress(context) : null;
  if (found === null || !isSameId(user.id, found.owner.id)) return user;
  forgetPendingAddress(context);
  if (!(await consumePendingAddress(context, found.pending))) return user;
  const proven = await writeProof(context, found.owner, found.pending.provenAt);
  // The user got another address in the meantime; the sign-in is good all the same.
  if (proven === null) return user;
  await context.emit("updateUser", { user: proven });
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}
