import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { isSameAddress, parseEmailAddress } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { OAuthIdentity } from "./identity.ts";

/**
 * Stores when the address of a user was proven, and announces it.
 *
 * @throws Verification when the user got another address in the meantime: nothing was proven about that one. AdapterError.
 */
export async function markProven(context: FlowContext, owner: AdapterUser, emailVerified: Date): Promise<AdapterUser> {
  const user = await writeProof(context, owner, emailVerified);
  if (user === null) throw new Verification("The user's e-mail address changed while it was being verified.");
  await context.emit("updateUser", { user });
  return user;
}

/**
 * Stores the time, and confirms after the write that it stands beside the address that was proven. An application that lets
 * users change their address may do so between the look-up and the write.
 *
 * @returns null when the user has another address now; the time is removed again.
 * @throws AdapterError.
 */
export async function writeProof(
  context: FlowContext,
  owner: AdapterUser,
  emailVerified: Date,
): Promise<AdapterUser | null> {
  const change = { id: owner.id, emailVerified };
  const updated = await callAdapter(context.config, "updateUser", change);
  if (await hasAddress(context, owner, updated)) return { ...owner, ...change, ...(updated ?? {}) };
  await removeProof(context, owner.id);
  return null;
}

/** Removes the time; a failure is logged. */
export async function removeProof({ config, logger }: FlowContext, id: string): Promise<void> {
  try {
    await callAdapter(config, "updateUser", { id, emailVerified: null });
  } catch (error) {
    logger.error(toError(error));
  }
}

/** The row that the write returned says which address it was written beside; some adapters return none. */
async function hasAddress(context: FlowContext, { id, email }: AdapterUser, updated: Partial<AdapterUser> | null) {
  if (typeof updated?.email === "string") return isSameAddress(updated.email, email ?? "");
  return isSameId((await findUserByAddress(context.config, email ?? ""))?.id, id);
}

/**
 * Marks the address of a user as proven, once, when they sign in through an account that already belongs to them and the
 * provider states that this very address is verified. It only adds to what is known: if the write fails, the sign-in goes on.
 */
export async function healAddress(
  context: FlowContext,
  identity: OAuthIdentity,
  owner: AdapterUser,
): Promise<AdapterUser> {
  const { emailClaim, user } = identity;
  const address = parseEmailAddress(owner.email ?? "", { allowLocalDomains: true });
  const isVouched = emailClaim === "verified" && address !== null && user.email === address;
  if (!isVouched || isAddressProven(owner) || !adapterHas(context.config, "updateUser")) return owner;
  try {
    return await markProven(context, owner, new Date(context.now() * 1000));
  } catch (error) {
    context.logger.error(toError(error));
    return owner;
  }
}
