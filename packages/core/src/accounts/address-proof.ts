import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { Verification } from "../model/errors.ts";
import type { OAuthIdentity } from "../model/identity.ts";
import { isSameAddress, parseEmailAddress } from "../protocol/email-address.ts";
import { isSameId, toPlain } from "../protocol/same-id.ts";
import { adapterHas } from "../session/accounts.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { callAdapter, tryAdapter } from "./call-adapter.ts";
import { findUserByAddress } from "./find-user.ts";

/**
 * Stores when a user's address was verified.
 *
 * @throws Verification if the user's address changed in the meantime: the new one was not verified. AdapterError.
 */
export async function markProven(
  context: FlowContext,
  owner: AdapterUser,
  emailVerified: Date,
  { announcements }: Changes,
): Promise<AdapterUser> {
  const user = await writeProof(context, owner, emailVerified);
  if (user === null) throw new Verification("The address changed while it was being verified.");
  announcements.push(() => context.emit("updateUser", { user }));
  return user;
}

/**
 * Stores the time if the user still has the verified address, and confirms it afterwards: in an application that lets users
 * change their address, it may have changed since the look-up.
 *
 * 1. The address is looked up again, because callbacks may have taken long, unless the adapter shows another text in its place. The
 *    time at which another address was verified is kept.
 * 2. The time is stored. If the address changed at this very moment, the time is removed again.
 *
 * @returns null if the user has another address now.
 * @throws AdapterError.
 */
export async function writeProof(
  context: FlowContext,
  owner: AdapterUser,
  emailVerified: Date,
): Promise<AdapterUser | null> {
  if (owner.email?.includes("@") && !(await hasAddress(context, owner, null))) return null;
  const change = { id: owner.id, emailVerified };
  const updated = await callAdapter(context.config, "updateUser", change);
  if (await hasAddress(context, owner, updated))
    return { ...toPlain(owner), ...change, ...toPlain(updated ?? {}), id: owner.id };
  await tryAdapter(context, "updateUser", { id: owner.id, emailVerified: null });
  return null;
}

/** Checks the record that the write returned, or looks it up, because some adapters return none. */
async function hasAddress(context: FlowContext, { id, email }: AdapterUser, updated: Partial<AdapterUser> | null) {
  if (typeof updated?.email === "string") return isSameAddress(updated.email, email ?? "");
  return isSameId((await findUserByAddress(context.config, email ?? ""))?.id, id);
}

/**
 * Marks a user's address as verified, once, if they sign in with one of their existing accounts and the provider reports
 * exactly this address as verified. The mark is optional: if the write fails, the sign-in continues.
 */
export async function healAddress(
  context: FlowContext,
  identity: OAuthIdentity,
  owner: AdapterUser,
  changes: Changes,
): Promise<AdapterUser> {
  const { emailClaim, user } = identity;
  const address = parseEmailAddress(owner.email ?? "", { allowLocalDomains: true });
  const isVouched = emailClaim === "verified" && address !== null && user.email === address;
  if (!isVouched || isAddressProven(owner) || !adapterHas(context.config, "updateUser")) return owner;
  try {
    return await markProven(context, owner, new Date(context.now() * 1000), changes);
  } catch (error) {
    context.logger.error(toError(error));
    return owner;
  }
}
