import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError, Verification } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { removedAddressOf } from "../protocol/removed-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import type { CreatedUser } from "./create-user.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { EmailIdentity } from "./identity.ts";
import {
  consumePendingAddress,
  findPendingAddress,
  forgetPendingAddress,
  restorePendingAddress,
} from "./pending-address.ts";

/**
 * How often the address is taken back from sign-ups that claim it in the same moment. Each of them can do so once, and finds the
 * address taken afterwards.
 */
const MAX_ATTEMPTS = 50;

/**
 * Gives the owner of a proven address a new user. The former user keeps everything but the address: it may have been created
 * by someone else, and then nothing of it (account, passkey, session) may lead to the owner.
 *
 * 1. The user that the proof is about still has the address, never proven; the proof is consumed.
 * 2. The address is taken off that user.
 * 3. The new user is created with it. Whatever claimed the address in between never proved it, and loses it again.
 *
 * @throws Verification when the proof no longer counts. AdapterError: the address is back where it was, and so is the proof.
 */
export async function startFresh(context: FlowContext, { account }: EmailIdentity): Promise<CreatedUser> {
  const found = await findPendingAddress(context, account.providerAccountId);
  if (found === null || !(await consumePendingAddress(context, found.pending))) {
    throw new Verification(
      "The proof of the e-mail address is no longer valid: it was used, has expired, or the user has changed.",
    );
  }
  const { pending, owner } = found;
  const { email, provenAt } = pending;
  let freed: AdapterUser | null = null;
  try {
    freed = await removeAddress(context, owner, email);
    const created = await createAddressOwner(context, {
      id: randomUuid(),
      name: null,
      image: null,
      email,
      emailVerified: provenAt,
    });
    forgetPendingAddress(context);
    await context.emit("updateUser", { user: freed });
    if (created.isNewUser) await context.emit("createUser", { user: created.user });
    return created;
  } catch (error) {
    if (freed !== null) await restoreAddress(context, owner, email);
    await restorePendingAddress(context, pending);
    throw error;
  }
}

/**
 * Creates the user, against sign-ups that take the address in the same moment. The database decides whether it has one user of
 * an address or several; in the end the address leads to a user who proved it.
 */
async function createAddressOwner(
  context: FlowContext,
  draft: AdapterUser & { readonly email: string },
): Promise<CreatedUser> {
  let created: AdapterUser | null = null;
  let failure: unknown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    created ??= await callAdapter(context.config, "createUser", draft).catch((error: unknown) => {
      failure = error;
      return null;
    });
    const holder = await findUserByAddress(context.config, draft.email);
    // The second: the write succeeded and only its answer was lost.
    if (holder !== null && isOneOf(holder, created, draft)) return { user: holder, isNewUser: true };
    if (holder !== null && isAddressProven(holder)) {
      if (created !== null) await withdraw(context, created);
      return { user: holder, isNewUser: false };
    }
    if (holder === null) break;
    await removeAddress(context, holder, draft.email);
  }
  if (created !== null) return { user: created, isNewUser: true };
  throw failure ?? new AdapterError("The new user cannot be found.");
}

function isOneOf({ id }: AdapterUser, created: AdapterUser | null, draft: AdapterUser): boolean {
  return isSameId(id, created?.id) || isSameId(id, draft.id);
}

/** The owner has a user already, who proved the address in the same moment: one is enough. */
async function withdraw(context: FlowContext, { id }: AdapterUser): Promise<void> {
  try {
    if (adapterHas(context.config, "deleteUser")) await callAdapter(context.config, "deleteUser", id);
    else await callAdapter(context.config, "updateUser", { id, email: null });
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/**
 * Takes the address off a user: null, or where the table refuses that an address that no one can have.
 *
 * @throws AdapterError when the table refuses both; nothing has changed then.
 */
async function removeAddress(context: FlowContext, owner: AdapterUser, email: string): Promise<AdapterUser> {
  const { config } = context;
  let failure: unknown;
  for (const replacement of [null, removedAddressOf(owner.id)]) {
    try {
      const updated = await callAdapter(config, "updateUser", { id: owner.id, email: replacement });
      const freed = { ...owner, ...(updated ?? {}), email: replacement };
      // The row that was written says so; every further call is time in which someone else may take the address.
      if (updated?.email === replacement) return freed;
      // Some adapters leave out what is null, or return nothing.
      const holder = await findUserByAddress(config, email);
      if (!isSameId(holder?.id, owner.id)) return freed;
    } catch (error) {
      failure = error;
    }
  }
  const cause = { ...(failure === undefined ? {} : { err: toError(failure) }), method: "updateUser" };
  throw new AdapterError(
    "The e-mail address of a user who never verified it could not be removed. Allow null, or any text, in the column for the user's e-mail address.",
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
