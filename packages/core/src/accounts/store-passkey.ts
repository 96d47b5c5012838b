import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { WebAuthnVerificationError } from "../model/errors.ts";
import type { KnownPasskey, NewPasskey } from "../model/sign-in-method-spec.ts";
import { isSameId } from "../protocol/same-id.ts";
import { adapterHas } from "../session/accounts.ts";
import { callAdapter } from "./call-adapter.ts";
import {
  type CreatedUser,
  createUserWithAccount,
  linkAccount,
  type NewPasskeyIdentity,
  newAuthenticator,
} from "./create-user.ts";

/** Stores a new passkey: user, account and authenticator. If one of them cannot be stored, the sign-in fails, and the others are removed. */

/**
 * Creates a user with an account and a passkey.
 *
 * @throws AccountNotLinked if the address is in use by now, WebAuthnVerificationError (`known-credential`) if the id is; AdapterError.
 */
export async function createUserWithPasskey(
  context: FlowContext,
  identity: NewPasskeyIdentity,
  changes: Changes,
): Promise<CreatedUser> {
  const created = await createUserWithAccount(context, identity, changes);
  if (!created.isNewUser) await requireOwnPasskey(context, identity, created.user);
  else if (!adapterHas(context.config, "createUserWithAccount"))
    await storeAuthenticator(context, identity, created.user);
  return created;
}

/**
 * The account exists already. It is ours if only the response of the write was lost; otherwise another user registered a
 * credential with this id at the same time, and the id does not prove that they are the same user: clients choose ids.
 */
async function requireOwnPasskey(
  context: FlowContext,
  { account, details }: NewPasskeyIdentity,
  user: AdapterUser,
): Promise<void> {
  if (await isStored(context, details, user)) return;
  const message = "Another user registered the same credential at the same time.";
  throw new WebAuthnVerificationError(message, "known-credential", { provider: account.provider });
}

/**
 * Adds a passkey to a user. The account is stored before the authenticator: an authenticator cannot be removed through the adapter, and
 * without its account it gives no access. For the same reason, the checks of the sign-in are run in between.
 *
 * @throws AccountNotLinked, AdapterError.
 */
export async function linkPasskey(
  context: FlowContext,
  identity: NewPasskeyIdentity,
  user: AdapterUser,
  changes: Changes,
): Promise<CreatedUser> {
  const linked = await linkAccount(context, identity, user, changes);
  for (const check of changes.checks) await check();
  await storeAuthenticator(context, identity, user);
  return linked;
}

/**
 * Stores a use of a passkey: counter, backup state and time (WebAuthn L3 §7.2 step 24). A counter of zero says nothing.
 *
 * @throws AdapterError.
 */
export async function storeUse({ config, now }: FlowContext, { credentialID, counter, backedUp }: KnownPasskey) {
  const isNamed = adapterHas(config, "updateAuthenticator");
  if (!isNamed || counter > 0) await callAdapter(config, "updateAuthenticatorCounter", credentialID, counter);
  if (!isNamed) return;
  const use = { credentialBackedUp: backedUp, usedAt: new Date(now() * 1000) };
  await callAdapter(config, "updateAuthenticator", { credentialID, ...use });
}

async function storeAuthenticator(context: FlowContext, { details }: NewPasskeyIdentity, user: AdapterUser) {
  try {
    await callAdapter(context.config, "createAuthenticator", {
      ...newAuthenticator(context, details),
      userId: user.id,
    });
  } catch (error) {
    // The write may have succeeded, and only its response was lost.
    if (!(await isStored(context, details, user).catch(() => false))) throw error;
  }
}

/** Whether the database has this very passkey, of this user. */
async function isStored({ config }: FlowContext, { authenticator }: NewPasskey, { id }: AdapterUser): Promise<boolean> {
  const stored = await callAdapter(config, "getAuthenticator", authenticator.credentialID);
  return isSameId(stored?.userId, id) && stored?.credentialPublicKey === authenticator.credentialPublicKey;
}
