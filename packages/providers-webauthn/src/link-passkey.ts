import {
  type AdapterAuthenticator,
  type AdapterUser,
  isSameId,
  type SignedInUser,
  type SignInTools,
  toError,
  WebAuthnVerificationError,
} from "@cardea/core/extend";
import type { NewPasskey } from "./proven-passkey.ts";

/**
 * Stores a new passkey: user, account and authenticator, all or nothing. Events are held back until all of them are stored.
 */

/**
 * Creates a user with an account and a passkey.
 *
 * @throws AccountNotLinked if the address is in use by now, WebAuthnVerificationError (`known-credential`) if the id is;
 *   AdapterError, leaving nothing behind.
 */
export async function createUserWithPasskey(t: SignInTools, passkey: NewPasskey): Promise<SignedInUser> {
  const accounts = t.accounts();
  const created = await accounts.create(passkey, passkey.authenticator);
  if (created.isNewUser) await storeOrUndo(t, passkey, created.user);
  else await requireOwnPasskey(t, passkey, created.user);
  await accounts.announce();
  return created;
}

async function storeOrUndo(t: SignInTools, passkey: NewPasskey, user: AdapterUser): Promise<void> {
  if (t.adapterHas("createUserWithAccount")) return;
  try {
    await storeAuthenticator(t, passkey, user);
  } catch (error) {
    await unlink(t, passkey);
    await attempt(t, "deleteUser", user.id);
    throw error;
  }
}

/**
 * The account exists already. It is ours if only the response of the write was lost; otherwise another user registered a
 * credential with this id at the same time, and the id does not prove that they are the same user: clients choose ids.
 */
async function requireOwnPasskey(t: SignInTools, passkey: NewPasskey, user: AdapterUser): Promise<void> {
  const stored = await t.callAdapter("getAuthenticator", passkey.authenticator.credentialID);
  if (isOurs(stored, passkey, user.id)) return;
  const message = "Another user registered the same credential at the same time.";
  throw new WebAuthnVerificationError(message, "known-credential", { provider: passkey.account.provider });
}

function isOurs(stored: AdapterAuthenticator | null | undefined, passkey: NewPasskey, userId: string): boolean {
  const { credentialPublicKey } = passkey.authenticator;
  return isSameId(stored?.userId, userId) && stored?.credentialPublicKey === credentialPublicKey;
}

/**
 * Adds a passkey to a signed-in user. The account is stored and confirmed before the authenticator: an authenticator cannot
 * be removed through the adapter, and without its account it gives no access. If the session ended while the authenticator
 * was stored, the account is removed again.
 *
 * @param session fingerprint of the session that requested it.
 * @throws AccountNotLinked, AdapterError, leaving nothing behind.
 */
export async function linkPasskey(
  t: SignInTools,
  passkey: NewPasskey,
  user: AdapterUser,
  session: string,
): Promise<SignedInUser> {
  await t.requireRoom(passkey.account, user.id);
  const accounts = t.accounts();
  const linked = await accounts.link(passkey, user);
  await t.requireSameSession(passkey.account, user.id, session);
  try {
    await storeAuthenticator(t, passkey, user);
  } catch (error) {
    await unlink(t, passkey);
    throw error;
  }
  // The authenticator cannot be removed: if this cannot be determined, the user keeps the passkey.
  await t.requireSameSession(passkey.account, user.id, session, true);
  await accounts.announce();
  return linked;
}

async function storeAuthenticator(t: SignInTools, passkey: NewPasskey, { id: userId }: AdapterUser) {
  const authenticator = passkey.authenticator;
  try {
    await t.callAdapter("createAuthenticator", { ...authenticator, userId });
  } catch (error) {
    // The write succeeded and only its response was lost.
    const stored = await t.callAdapter("getAuthenticator", authenticator.credentialID).catch(() => null);
    if (!isOurs(stored, passkey, userId)) throw error;
  }
}

async function unlink(t: SignInTools, { account: { provider, providerAccountId } }: NewPasskey): Promise<void> {
  await attempt(t, "unlinkAccount", { provider, providerAccountId });
}

/** Undoes as far as the adapter can; failures are logged, and the first error is reported. */
async function attempt(
  t: SignInTools,
  ...[method, argument]:
    | ["unlinkAccount", { readonly provider: string; readonly providerAccountId: string }]
    | ["deleteUser", string]
): Promise<void> {
  if (!t.adapterHas(method)) return;
  try {
    if (method === "deleteUser") await t.callAdapter(method, argument);
    else await t.callAdapter(method, argument);
  } catch (error) {
    t.logger.error(toError(error));
  }
}
