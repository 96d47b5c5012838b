import type { AdapterAccount } from "@cardea/core/adapters";
import { adapter } from "./auth.ts";

/** Providers that are configured: an account at any other one lets no one in. */
const CONNECTABLE = new Set(["github", "google"]);
/** Whether an e-mail provider is configured. */
const HAS_LINKS = true;

/** The accounts of a user at OAuth and OpenID Connect providers. */
export async function accountsOf(userId: string): Promise<AdapterAccount[]> {
  const accounts = (await adapter.listAccountsByUserId?.(userId)) ?? [];
  return accounts.filter(({ provider }) => CONNECTABLE.has(provider));
}

/** Whether a user can sign in without the accounts at providers. */
async function hasOtherWay(userId: string): Promise<boolean> {
  const [user, credentials = [], passkeys = []] = await Promise.all([
    adapter.getUser?.(userId),
    adapter.listCredentialsByUserId?.(userId),
    adapter.listAuthenticatorsByUserId?.(userId),
  ]);
  const hasLink = HAS_LINKS && Boolean(user?.email && user.emailVerified);
  return hasLink || passkeys.length > 0 || credentials.some(({ type }) => type === "password");
}

/** Removes an account of this user. Returns false if it is not theirs, or their last way to sign in. */
export async function unlink(userId: string, provider: string, providerAccountId: string): Promise<boolean> {
  const [accounts, isSafe] = await Promise.all([accountsOf(userId), hasOtherWay(userId)]);
  const account = accounts.find((one) => one.provider === provider && one.providerAccountId === providerAccountId);
  if (account === undefined || (accounts.length === 1 && !isSafe)) return false;
  await adapter.unlinkAccount?.({ provider, providerAccountId });
  if (isSafe || (await accountsOf(userId)).length > 0) return true;
  // Another request removed the other account at the same moment.
  await adapter.linkAccount?.(account);
  return false;
}
