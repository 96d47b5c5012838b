import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import { writeProof } from "./address-proof.ts";
import { consumePendingAddress, findPendingAddress, forgetPendingAddress } from "./pending-address.ts";
import type { ResolvedUser } from "./resolved-user.ts";

/**
 * Applies the proof of an address to its user after they signed in with an existing sign-in method. Any other sign-in
 * leaves the proof unchanged.
 *
 * @returns the user, with the address marked as verified if the two belong together.
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
  // The user's address changed in the meantime; the sign-in is still valid.
  if (proven === null) return user;
  await context.emit("updateUser", { user: proven });
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}
