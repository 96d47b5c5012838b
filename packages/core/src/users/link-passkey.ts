import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import type { AdapterAuthenticator, AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { WebAuthnVerificationError } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { isSameId } from "../protocol/same-id.ts";
import { type CreatedUser, createUserWithAccount, linkAccount } from "./create-user.ts";
import { deferEvents } from "./defer-events.ts";
import type { NewPasskeyIdentity } from "./identity.ts";
import { requireRoom, requireSameSession } from "./way-in.ts";

/**
 * Stores a new passkey: user, account and authenticator, all or nothing. Events are held back until all of them are stored.
 */

/**
 * Creates a user with an account and a passkey.
 *
 * @throws AccountNotLinked if the address is in use by now, WebAuthnVerificationError (`known-credential`) if the id is;
 *   AdapterError, leaving nothing behind.
 */
export async function createUserWithPasskey(context: FlowContext, identity: NewPasskeyIdentity): Promise<CreatedUser> {
  const held = deferEvents(context);
  const created = await createUserWithAccount(held.context, identity);
  if (created.isNewUser) await storeOrUndo(context, identity, created.user);
  else await requireOwnPasskey(context, identity, created.user);
  await held.release();
  return created;
}

async function storeOrUndo(context: FlowContext, identity: NewPasskeyIdentity, user: AdapterUser): Promise<void> {
  if (adapterHas(context.config, "createUserWithAccount")) return;
  try {
    await storeAuthenticator(context, identity, user);
  } catch (error) {
    await unlink(context, identity);
    await attempt(context, "deleteUser", user.id);
    throw error;
  }
}

/**
 * The account exists already. It is ours if only the response of the write was lost; otherwise another user registered a
 * credential with this id at the same time, and the id does not prove that they are the same user: clients choose ids.
 */
async function requireOwnPasskey(context: FlowContext, identity: NewPasskeyIdentity, user: AdapterUser): Promise<void> {
  const stored = await callAdapter(context.config, "getAuthenticator", identity.authenticator.credentialID);
  if (isOurs(stored, identity, user.id)) return;
  const message = "Another user registered the same credential at the same time.";
  throw new WebAuthnVerificationError(message, "known-credential", { provider: identity.account.provider });
}

function isOurs(
  stored: AdapterAuthenticator | null | undefined,
  identity: NewPasskeyIdentity,
  userId: string,
): boolean {
  const { credentialPublicKey } = identity.authenticator;
  return isSameId(stored?.userId, userId) && stored?.credentialPublicKey === credentialPublicKey;
}

/**
 * Adds a passkey to a signed-in user. The account is stored and confirmed before the authenticator: an authenticator cannot
 * be removed through the adapter, and without its account it gives no access.
 *
 * @param session fingerprint of the session that requested it.
 * @throws AccountNotLinked, AdapterError, leaving nothing behind.
 */
export async function linkPasskey(
  context: FlowContext,
  identity: NewPasskeyIdentity,
  user: AdapterUser,
  session: string,
): Promise<CreatedUser> {
  await requireRoom(context, identity, user.id);
  const held = deferEvents(context);
  const linked = await linkAccount(held.context, identity, user);
  await requireSameSession(context, identity, user.id, session);
  try {
    await storeAuthenticator(context, identity, user);
  } catch (error) {
    await unlink(context, identity);
    throw error;
  }
  await held.release();
  return linked;
}

async function storeAuthenticator(context: FlowContext, identity: NewPasskeyIdentity, { id: userId }: AdapterUser) {
  const authenticator = identity.authenticator;
  try {
    await callAdapter(context.config, "createAuthenticator", { ...authenticator, userId });
  } catch (error) {
    // The write succeeded and only its response was lost.
    const stored = await callAdapter(context.config, "getAuthenticator", authenticator.credentialID).catch(() => null);
    if (!isOurs(stored, identity, userId)) throw error;
  }
}

async function unlink(
  context: FlowContext,
  { account: { provider, providerAccountId } }: NewPasskeyIdentity,
): Promise<void> {
  await attempt(context, "unlinkAccount", { provider, providerAccountId });
}

/** Undoes as far as the adapter can; failures are logged, and the first error is reported. */
async function attempt(
  context: FlowContext,
  ...[method, argument]:
    | ["unlinkAccount", { readonly provider: string; readonly providerAccountId: string }]
    | ["deleteUser", string]
): Promise<void> {
  if (!adapterHas(context.config, method)) return;
  try {
    if (method === "deleteUser") await callAdapter(context.config, method, argument);
    else await callAdapter(context.config, method, argument);
  } catch (error) {
    context.logger.error(toError(error));
  }
}
