import { takeInterrupted } from "../cookies/interrupted-sign-in.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, AdapterError, Verification } from "../model/errors.ts";
import type { EmailIdentity, OAuthIdentity } from "../model/identity.ts";
import { removedAddressOf } from "../protocol/removed-address.ts";
import { isSameId, toPlain } from "../protocol/same-id.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { callAdapter, tryAdapter } from "./call-adapter.ts";
import { type CreatedUser, linkAccount, removing, toDraft } from "./create-user.ts";
import { findUserByAddress } from "./find-user.ts";
import { findPendingAddress, type PendingAddress } from "./pending-address.ts";
import { linkWaiting } from "./waiting-account.ts";

/**
 * How often the address is taken back from concurrent sign-ups that claim it. Each sign-up can claim it once and then finds it
 * in use.
 */
const MAX_ATTEMPTS = 50;

/**
 * Creates a new user for the owner of a verified address. The former user keeps everything but the address: someone else may
 * have created that user, whose accounts, passkeys and sessions must then not give access to the owner's new user.
 *
 * 1. The user of the proof still has the address, unverified; the proof is consumed. If it created the new user already, whose session could
 *    not be issued, they sign in.
 * 2. The address is removed from that user, who does not count as having verified it.
 * 3. The new user is created with it. Any user that claimed the address in between never verified it, and loses it again.
 * 4. The account whose provider vouched for the address is linked to the new user.
 *
 * @throws Verification if the proof is no longer valid. AccountNotLinked (4) if there is another owner by now. AdapterError: the new user is removed, the address and the proof are restored.
 */
export async function startFresh(
  context: FlowContext,
  identity: EmailIdentity | OAuthIdentity,
  changes: Changes,
): Promise<CreatedUser> {
  const { undo, announcements } = changes;
  const found = await findPendingAddress(context, (pending) => isOf(pending, identity));
  if (found === null || !(await takeInterrupted(context, found.pending, undo))) {
    throw new Verification(
      "The proof of the address is no longer valid: it was used, has expired, or the user has changed.",
    );
  }
  const { pending, owner } = found;
  if (found.isFresh) return { user: owner, isNewUser: false };
  const { email, provenAt, spelling, waiting } = pending;
  let freed = await removeAddress(context, owner, spelling);
  undo.push({
    of: "record",
    run: () => callAdapter(context.config, "updateUser", { id: owner.id, email: spelling }),
  });
  // A concurrent sign-in the former way may have marked the address as verified.
  if (isAddressProven(freed)) {
    await tryAdapter(context, "updateUser", { id: freed.id, emailVerified: null });
    freed = { ...freed, emailVerified: null };
  }
  const own = identity.kind === "oauth" ? toDraft(context, identity) : { id: randomUuid(), name: null, image: null };
  const draft = { ...own, email, emailVerified: provenAt };
  const created = await createAddressOwner(context, draft, changes);
  const { user, isNewUser } = created;
  announcements.push(() => context.emit("updateUser", { user: freed }));
  if (isNewUser) announcements.push(() => context.emit("createUser", { user, ...contextMember(identity.context) }));
  if (identity.kind === "email") {
    if (isNewUser && waiting !== undefined) await linkWaiting(context, waiting, user, changes);
    return created;
  }
  if (!isNewUser) throw new AccountNotLinked("Another user has verified the address meanwhile.");
  await linkAccount(context, identity, user, changes);
  return created;
}

/** Whether the page of a proof started this sign-in: by its link, or with the account that waits there. */
function isOf({ provider, waiting, email, id }: PendingAddress, identity: EmailIdentity | OAuthIdentity): boolean {
  const { account, user, startedFor, kind } = identity;
  if (id !== startedFor || email !== user.email) return false;
  if (kind === "email") return provider?.id === account.provider;
  return (
    waiting?.account.provider === account.provider &&
    isSameId(waiting.account.providerAccountId, account.providerAccountId)
  );
}

/**
 * Creates the user in the presence of concurrent sign-ups with the same address. The database may allow one user per
 * address or several; in the end the address leads to a user who verified it.
 */
async function createAddressOwner(
  context: FlowContext,
  draft: AdapterUser & { readonly email: string },
  { undo }: Changes,
): Promise<CreatedUser> {
  let failure: unknown;
  let made: AdapterUser | null = null;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (made === null) {
      made = await callAdapter(context.config, "createUser", draft).catch((error: unknown) => {
        failure = error;
        return null;
      });
      if (made !== null) undo.push(removing(context, made));
    }
    const holder = await findUserByAddress(context.config, draft.email);
    // The second case: the write succeeded and only its response was lost.
    if (holder !== null && isOneOf(holder, made, draft)) return { user: holder, isNewUser: true };
    if (holder !== null && isAddressProven(holder)) {
      // The owner already has a user, who verified the address at the same time.
      if (made !== null) await undo.pop()?.run();
      return { user: holder, isNewUser: false };
    }
    // The new user is accepted: an index that is updated later, as that of DynamoDB, will find them.
    if (holder === null) break;
    await removeAddress(context, holder, draft.email);
  }
  if (made !== null) return { user: made, isNewUser: true };
  throw failure ?? new AdapterError("The new user cannot be found.");
}

function isOneOf({ id }: AdapterUser, created: AdapterUser | null, draft: AdapterUser): boolean {
  return isSameId(id, created?.id) || isSameId(id, draft.id);
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
      const freed = { ...toPlain(owner), ...toPlain(updated ?? {}), id: owner.id, email: replacement };
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
