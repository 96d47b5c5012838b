import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import { writeProof } from "./address-proof.ts";
import {
  consumePendingAddress,
  type FoundAddress,
  findPendingAddress,
  forgetPendingAddress,
  restorePendingAddress,
} from "./pending-address.ts";
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
  const proven = await useProof(context, found);
  forgetPendingAddress(context);
  if (proven === null) return user;
  await context.emit("updateUser", { user: proven });
  return { ...user, id: proven.id, emailVerified: proven.emailVerified };
}

/**
 * Consumes the proof and marks the address as verified. If the database fails, the proof is restored, so that the next sign-in
 * applies it.
 *
 * @returns null if the proof was used, or the user has another address by now. The sign-in is still valid.
 * @throws AdapterError.
 */
async function useProof(context: FlowContext, { pending, owner }: FoundAddress): Promise<AdapterUser | null> {
  if (!(await consumePendingAddress(context, pending))) return null;
  try {
    return await writeProof(context, owner, pending.provenAt);
  } catch (error) {
    await restorePendingAddress(context, pending);
    throw error;
  }
}
