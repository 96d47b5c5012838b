import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError, Verification } from "../model/errors.ts";
import { removedAddressOf } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { removeProof } from "./address-proof.ts";
import type { CreatedUser } from "./create-user.ts";
import { findUserByAddress } from "./find-user.ts";
import type { EmailIdentity } from "./identity.ts";
import {
  consumePendingAddress,
  findPendingAddress,
  forgetPendingAddress,
  restorePendingAddress,
} from "./pending-address.ts";

/**
 * How often the address is taken back from concurrent sign-ups that claim it. Each sign-up can claim it once and then finds it
 * in use.
 */
const MAX_ATTEMPTS = 50;

/**
 * Creates a new user for the owner of a verified address. The former user keeps everything but the address: someone else may
 * have created that user, whose accounts, passkeys and sessions must then not give access to the owner's new user.
 *
 * 1. The user of the proof still has the address, unverified; the proof is consumed.
 * 2. The address is removed from that user, who does not count as having verified it.
 * 3. The new user is created with it. Any user that claimed the address in between never verified it, and loses it again.
 *
 * @throws Verification if the proof is no longer valid. AdapterError: the new user is removed, the address and the proof are restored.
 */
export async function startFresh(context: FlowContext, { account, context: own }: EmailIdentity): Promise<CreatedUser> {
  const found = await findPendingAddress(context, account.providerAccountId);
  if (found === null || !(await consumePendingAddress(context, found.pending))) {
    throw new Verification(
      "The proof of the address is no longer valid: it was used, has expired, or the user has changed.",
    );
  }
  const { pending, owner } = found;
  const { email, provenAt } = pending;
  let freed: AdapterUser | null = null;
  const made: Made = { user: null };
  try {
    freed = await removeAddress(context, owner, pending.spelling);
    // A concurrent sign-in the former way may have marked the address as verified.
    if (isAddressProven(freed)) {
      await removeProof(context, freed.id);
      freed = { ...freed, emailVerified: null };
    }
    const draft = { id: randomUuid(), name: null, image: null, email, emailVerified: provenAt };
    const created = await createAddressOwner(context, draft, made);
    forgetPendingAddress(context);
    await context.emit("updateUser", { user: freed });
    if (created.isNewUser) await context.emit("createUser", { user: created.user, ...contextMember(own) });
    return created;
  } catch (error) {
    if (made.user !== null) await withdraw(context, made.user);
    if (freed !== null) await restoreAddress(context, owner, pending.spelling);
    await restorePendingAddress(context, pending);
    throw error;
  }
}

/** The new user, once there is one. */
interface Made {
  user: AdapterUser | null;
}

/**
 * Creates the user in the presence of concurrent sign-ups with the same address. The database may allow one user per
 * address or several; in the end the address leads to a user who verified it.
 *
 * @param made receives the user as soon as it exists: if a later step fails, it is removed again, so that a retry succeeds.
 */
async function createAddressOwner(
  context: FlowContext,
  draft: AdapterUser & { readonly email: string },
  made: Made,
): Promise<CreatedUser> {
  let failure: unknown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    made.user ??= await callAdapter(context.config, "createUser", draft).catch((error: unknown) => {
      failure = error;
      return null;
    });
    const holder = await findUserByAddress(context.config, draft.email);
    // The second case: the write succeeded and only its response was lost.
    if (holder !== null && isOneOf(holder, made.user, draft)) return { user: holder, isNewUser: true };
    if (holder !== null && isAddressProven(holder)) {
      if (made.user !== null) await withdraw(context, made.user);
      return { user: holder, isNewUser: false };
    }
    if (holder === null) break;
    await removeAddress(context, holder, draft.email);
  }
  if (made.user !== null) return { user: made.user, isNewUser: true };
  throw failure ?? new AdapterError("The new user cannot be found.");
}

function isOneOf({ id }: AdapterUser, created: AdapterUser | null, draft: AdapterUser): boolean {
  return isSameId(id, created?.id) || isSameId(id, draft.id);
}

/** Deletes the user: the owner already has one who verified the address at the same time, or the user cannot be completed. */
async function withdraw(context: FlowContext, { id }: AdapterUser): Promise<void> {
  try {
    if (adapterHas(context.config, "deleteUser")) await callAdapter(context.config, "deleteUser", id);
    else await callAdapter(context.config, "updateUser", { id, email: null });
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/**
 * Removes the address from a user: sets null or, if the table does not allow that, an address that no one can have.
 *
 * @throws AdapterError if the table rejects both; nothing has changed then.
 */
async function removeAddress(context: FlowContext, owner: AdapterUser, spelling: string): Promise<AdapterUser> {
  const { config } = context;
  let failure: unknown;
  for (const replacement of [null, removedAddressOf(owner.id)]) {
    try {
      const updated = await callAdapter(config, "updateUser", { id: owner.id, email: replacement });
      const freed = { ...owner, ...(updated ?? {}), id: owner.id, email: replacement };
      // The returned record is confirmation enough; during another call, another request could claim the address.
      if (updated?.email === replacement) return freed;
      // Some adapters omit null members, or return nothing.
      const holder = await findUserByAddress(config, spelling);
      if (!isSameId(holder?.id, owner.id)) return freed;
    } catch (error) {
      failure = error;
    }
  }
  const cause = { ...(failure === undefined ? {} : { err: toError(failure) }), method: "updateUser" };
  throw new AdapterError(
    "The address of a user who never verified it could not be removed. Allow null, or any text, in its column.",
    { cause },
  );
}

async function restoreAddress(context: FlowContext, owner: AdapterUser, email: string): Promise<void> {
  try {
    await callAdapter(context.config, "updateUser", { id: owner.id, email });
  } catch (error) {
    context.logger.error(toError(error));
  }
}
