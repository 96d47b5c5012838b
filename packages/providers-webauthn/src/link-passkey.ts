import {
  type AccountTools,
  type AdapterAuthenticator,
  type AdapterUser,
  isSameId,
  type SignedInUser,
  type SignInTools,
  WebAuthnVerificationError,
} from "@cardea/core/extend";
import type { NewPasskey } from "./proven-passkey.ts";

/**
 * Stores a new passkey: user, account and authenticator. If one of them cannot be stored, the sign-in fails, and core removes the others.
 */

/**
 * Creates a user with an account and a passkey.
 *
 * @throws AccountNotLinked if the address is in use by now, WebAuthnVerificationError (`known-credential`) if the id is; AdapterError.
 */
export async function createUserWithPasskey(
  t: SignInTools,
  accounts: AccountTools,
  passkey: NewPasskey,
): Promise<SignedInUser> {
  const created = await accounts.create(passkey, passkey.authenticator);
  if (!created.isNewUser) await requireOwnPasskey(t, passkey, created.user);
  else if (!t.adapterHas("createUserWithAccount")) await storeAuthenticator(t, passkey, created.user);
  return created;
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
 * Adds a passkey to a signed-in user. The account is stored before the authenticator: an authenticator cannot be removed through the
 * adapter, and without its account it gives no access.
 *
 * @param to the user, and the fingerprint of the session that asked for the passkey.
 * @throws AccountNotLinked, AdapterError.
 */
export async function linkPasskey(
  t: SignInTools,
  accounts: AccountTools,
  passkey: NewPasskey,
  { user, session }: { readonly user: AdapterUser; readonly session: string },
): Promise<SignedInUser> {
  const linked = await accounts.link(passkey, user, session);
  await storeAuthenticator(t, passkey, user);
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
