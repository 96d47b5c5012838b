import { guardOf } from "../context/create-context.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { Changes, Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, AdapterError } from "../model/errors.ts";
import type { ClaimedIdentity, EmailIdentity, Identity, OAuthIdentity, PasskeyIdentity } from "../model/identity.ts";
import type { Account, User } from "../model/records.ts";
import type { NewPasskey } from "../model/sign-in-method-spec.ts";
import { removedAddressOf } from "../protocol/removed-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import { adapterHas, type ResolvedUser } from "../session/accounts.ts";
import { callAdapter } from "./call-adapter.ts";
import { findAccountOwner, findUserByAddress } from "./find-user.ts";

/**
 * Creates users and links accounts, so that neither a failing database nor a lost race leaves a user without an account: an
 * orphaned user would block that e-mail address for its owner. If the adapter creates both in one transaction, this also
 * holds for a process that is killed in between (decisions/019).
 */

/**
 * How long a concurrent sign-in may take from the user it has created to the user's account, in milliseconds: the pauses
 * between two look-ups. Only adapters that cannot store both at once leave such a gap.
 */
const PAUSES = [25, 75, 200, 500] as const;

/** An identity that has an account, or an account that waited for its owner (`pending-address.ts`). */
type AccountIdentity = OAuthIdentity | PasskeyIdentity | WaitingIdentity;

interface WaitingIdentity extends Pick<ClaimedIdentity, "user" | "account" | "stored" | "context"> {
  readonly kind: "waiting";
}

/** A passkey that is being registered. */
export interface NewPasskeyIdentity extends PasskeyIdentity {
  readonly details: NewPasskey;
}

/** Whether an identity is a passkey that is being registered. */
export function isNewPasskey(identity: Identity | WaitingIdentity): identity is NewPasskeyIdentity {
  return identity.kind === "webauthn" && identity.details.ceremony === "register";
}

/** The resulting user. */
export interface CreatedUser extends ResolvedUser {
  readonly user: AdapterUser;
}

/**
 * Creates a user and links the account, in one transaction if the adapter can.
 *
 * 1. The user is created. If that fails because another request was faster, the account or address that it stored decides.
 * 2. The account is linked. If another request has linked it first, ours is removed and that user signs in.
 *
 * @throws AccountNotLinked (1, the address is in use by now), AdapterError.
 */
export async function createUserWithAccount(
  context: FlowContext,
  identity: AccountIdentity,
  changes: Changes,
): Promise<CreatedUser> {
  const draft = toDraft(context, identity);
  const atOnce = adapterHas(context.config, "createUserWithAccount");
  const made = await (atOnce ? createAtOnce : createUser)(context, identity, draft);
  if (!made.isNewUser) return made;
  const { user } = made;
  changes.undo.push(removing(context, user));
  const winner = atOnce ? null : await linkNew(context, identity, user);
  if (winner !== null) {
    await changes.undo.pop()?.run();
    return { user: winner, isNewUser: false };
  }
  changes.undo.push(unlinking(context, identity));
  changes.announcements.push(() => context.emit("createUser", { user, ...contextMember(identity.context) }));
  announceLink(context, identity, user, changes);
  return made;
}

/**
 * Links an account to an existing user.
 *
 * @throws AccountNotLinked if another user linked it first, AdapterError.
 */
export async function linkAccount(
  context: FlowContext,
  identity: AccountIdentity,
  user: AdapterUser,
  changes: Changes,
): Promise<CreatedUser> {
  try {
    await callAdapter(context.config, "linkAccount", { ...storedAccount(context, identity), userId: user.id });
  } catch (error) {
    const owner = await findAccountOwner(context, identity);
    if (owner === null) throw error;
    if (!isSameId(owner.id, user.id))
      throw new AccountNotLinked("The account was linked to another user during the sign-in.");
  }
  changes.undo.push(unlinking(context, identity));
  announceLink(context, identity, user, changes);
  const { provider } = identity.account;
  const method = identity.kind === "webauthn" ? "passkey" : "account";
  const fact = { kind: "method.added", userId: String(user.id), by: "owner", method, provider } as const;
  changes.announcements.push(async () => guardOf(context.config)?.note(context.config, fact));
  return { user, isNewUser: false };
}

/**
 * Creates the user of an address that was just proven.
 *
 * @returns `changed` if another sign-up with the address was faster.
 * @throws AdapterError, and errors of `created`.
 */
export async function createUserWithAddress(
  context: FlowContext,
  { account, provenAt, spelling, created, context: own }: EmailIdentity,
  { undo, announcements }: Changes,
): Promise<CreatedUser | "changed"> {
  const { config } = context;
  const email = account.providerAccountId;
  const draft = { id: randomUuid(), name: null, image: null, email, emailVerified: provenAt };
  try {
    const user = await callAdapter(config, "createUser", draft).catch(async (error: unknown) => {
      const holder = await findUserByAddress(config, spelling ?? email);
      if (holder === null) throw error;
      // With our own random id, the write succeeded and only its response was lost. Otherwise another sign-up was faster.
      return isSameId(holder.id, draft.id) ? holder : null;
    });
    if (user === null) return "changed";
    undo.push(removing(context, user));
    // What belongs to the new user, such as a password.
    await created?.(user);
    announcements.push(() => context.emit("createUser", { user, ...contextMember(own) }));
    return { user, isNewUser: true };
  } catch (error) {
    throw duringCreation(error, "email-sign-up");
  }
}

/** Removes a user who was created a moment ago, or at least the address, which would otherwise be blocked for its owner. */
export function removing({ config }: FlowContext, { id }: AdapterUser): Undo {
  const canDelete = adapterHas(config, "deleteUser");
  const write = (email: string | null) => callAdapter(config, "updateUser", { id, email });
  const free = () => write(null).catch(() => write(removedAddressOf(id)));
  return { of: "record", run: () => (canDelete ? callAdapter(config, "deleteUser", id) : free()) };
}

/** Removes an account that was linked a moment ago, as far as the adapter can. */
function unlinking({ config }: FlowContext, { account: { provider, providerAccountId } }: AccountIdentity): Undo {
  const key = { provider, providerAccountId };
  return {
    of: "record",
    run: async () => adapterHas(config, "unlinkAccount") && callAdapter(config, "unlinkAccount", key),
  };
}

/** What is stored of an account. If an extension stores the tokens of providers, they are not written here. */
export function storedAccount({ config }: Pick<FlowContext, "config">, identity: AccountIdentity): Account {
  const account = selectedAccount(identity);
  if (config.extensions?.keepsTokens !== true) return account;
  const { access_token, refresh_token, id_token, ...stored } = account;
  return stored;
}

/** What is stored of a new passkey: with its time, if the adapter has the column. */
export function newAuthenticator({ config, now }: FlowContext, { authenticator }: NewPasskey) {
  if (!adapterHas(config, "updateAuthenticator")) return authenticator;
  return { ...authenticator, createdAt: new Date(now() * 1000) };
}

function selectedAccount({ account, stored = account }: AccountIdentity): Account {
  return stored;
}

/** In one transaction, so nothing has to be undone. */
async function createAtOnce(context: FlowContext, identity: AccountIdentity, draft: AdapterUser): Promise<CreatedUser> {
  try {
    const authenticator = isNewPasskey(identity) ? [newAuthenticator(context, identity.details)] : [];
    const account = storedAccount(context, identity);
    const user = await callAdapter(context.config, "createUserWithAccount", draft, account, ...authenticator);
    return { user, isNewUser: true };
  } catch (error) {
    return findWinner(context, identity, await findByAddress(context, draft), error);
  }
}

async function createUser(context: FlowContext, identity: AccountIdentity, draft: AdapterUser): Promise<CreatedUser> {
  try {
    return { user: await callAdapter(context.config, "createUser", draft), isNewUser: true };
  } catch (error) {
    const isTaken = await findByAddress(context, draft);
    // The write succeeded and only its response was lost: the record with our own random id is ours. Nothing else
    // identifies it: a user without accounts that looks the same may be a user with a password.
    if (isTaken !== null && isSameId(isTaken.id, draft.id)) return { user: isTaken, isNewUser: true };
    return findWinner(context, identity, isTaken, error);
  }
}

/**
 * The user of a concurrent sign-in with the same account. A user with the address but without the account is a different user.
 *
 * @param sameEmail looked up before the account, because a concurrent sign-in stores it first.
 * @param error of the write.
 */
async function findWinner(
  context: FlowContext,
  identity: AccountIdentity,
  sameEmail: AdapterUser | null,
  error: unknown,
): Promise<CreatedUser> {
  const isTaken = sameEmail !== null;
  const owner = await (isTaken ? findLateOwner(context, identity, sameEmail) : findAccountOwner(context, identity));
  if (owner !== null) return { user: owner, isNewUser: false };
  throw isTaken ? addressTaken(error) : duringCreation(error);
}

async function findByAddress(context: FlowContext, { email }: AdapterUser): Promise<AdapterUser | null> {
  return email ? findUserByAddress(context.config, email) : null;
}

/** @param error of the write, for the log: usually that of the unique key, but the adapter may also have stored a user and failed. */
function addressTaken(error: unknown): AccountNotLinked {
  return new AccountNotLinked("Another sign-up used the address at the same time.", {
    cause: { err: toError(error) },
  });
}

/** @returns null if the account is linked to `user`; otherwise the user who linked it first. */
async function linkNew(
  context: FlowContext,
  identity: AccountIdentity,
  user: AdapterUser,
): Promise<AdapterUser | null> {
  try {
    await callAdapter(context.config, "linkAccount", { ...storedAccount(context, identity), userId: user.id });
    return null;
  } catch (error) {
    const owner = await findAccountOwner(context, identity).catch(() => null);
    if (owner === null) throw duringCreation(error);
    return isSameId(owner.id, user.id) ? null : owner;
  }
}

/**
 * Looks up the owner of an account again, after a user with its address was found: both may have been created by a concurrent
 * sign-in with the same account, after the first look-up.
 *
 * 1. If the adapter creates both at once, an account that does not exist by now belongs to no one.
 * 2. A user who has another account was not created by such a sign-in.
 * 3. Otherwise the account may still be written: it is looked up until {@link PAUSES} are over.
 *
 * @throws AdapterError.
 */
export async function findLateOwner(
  context: FlowContext,
  identity: Pick<ClaimedIdentity, "account">,
  sameEmail: AdapterUser,
): Promise<AdapterUser | null> {
  const { config } = context;
  const owner = await findAccountOwner(context, identity);
  if (owner !== null || adapterHas(config, "createUserWithAccount")) return owner;
  const hasList = adapterHas(config, "listAccountsByUserId");
  const accounts = hasList ? await callAdapter(config, "listAccountsByUserId", sameEmail.id) : [];
  if (accounts.length > 0) return findAccountOwner(context, identity);
  for (const pause of PAUSES) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const late = await findAccountOwner(context, identity);
    if (late !== null) return late;
  }
  return null;
}

function announceLink(
  context: FlowContext,
  identity: AccountIdentity,
  user: AdapterUser,
  { announcements }: Changes,
): void {
  const account = { ...selectedAccount(identity), userId: user.id };
  announcements.push(() => context.emit("linkAccount", { user, account, profile: identity.user }));
}

/** The record of a new user. An adapter that generates its own ids ignores ours. An address counts as verified only if the provider reports it. */
export function toDraft(context: FlowContext, identity: AccountIdentity): AdapterUser {
  const { id: _accountId, email, ...user }: User = identity.user;
  const emailVerified =
    identity.kind === "oauth" && identity.emailClaim === "verified" && email ? new Date(context.now() * 1000) : null;
  return assumeUser({ ...user, id: randomUuid(), email: email ?? null, emailVerified });
}

/** A provider without e-mail addresses leaves the user without one (docs/behaviour.md#sign-in). */
function assumeUser(draft: object): AdapterUser {
  return draft as AdapterUser;
}

function duringCreation(error: unknown, during: "oauth-sign-up" | "email-sign-up" = "oauth-sign-up"): unknown {
  if (error instanceof AdapterError) error.during = during;
  return error;
}
