import { type ForgottenAccount, type Handled, handleOf, type Tools } from "@cardea/extend";
import { accountHome, keepingOf, wipe } from "./accounts.ts";
import { findHome, type TokenOwner } from "./find-home.ts";
import type { Home } from "./home.ts";
import { LEASE_MS, seekLease } from "./lease.ts";
import type { Settings } from "./settings.ts";

/**
 * Revokes the tokens of an account at its provider (RFC 7009) and removes them here. Call it before an account is unlinked or a user is
 * deleted.
 *
 * @returns Whether the provider was called: false if it has no revocation endpoint, or there were no tokens.
 * @throws errors of the call to the provider; TypeError for tokens in a cookie without `headers`. The tokens are then
 * kept.
 */
export async function revokeTokens(auth: Handled, provider: string, owner: TokenOwner): Promise<boolean> {
  const { t, home, finish } = await findHome(handleOf(auth, "vault"), provider, owner);
  if (home === null) return false;
  if (home.isReadOnly === true) {
    throw new TypeError("vault: pass the response `headers` to remove tokens that are stored in a cookie.");
  }
  const isRevoked = await revoke(t, home);
  await wipe(home);
  finish();
  return isRevoked;
}

/** Milliseconds between two looks at the lease of another process. */
const LOOK_MS = 100;

/**
 * Revokes and removes the tokens of an account that is about to be removed. A refresh that is under way ends first, so that its new tokens are
 * revoked too; one that does not end in time loses them, because it may only replace the tokens that it read.
 *
 * @throws errors of the call to the provider. The tokens are removed here in any case.
 */
export async function forgetTokens(
  settings: Settings,
  { provider, providerAccountId }: ForgottenAccount,
  t: Tools,
): Promise<void> {
  const keeping = keepingOf(t);
  if (keeping === "cookie" || keeping === "session-store") return;
  const home = accountHome(t, { provider, account: providerAccountId }, settings);
  const seeker = await seekLease(t, home.name);
  const until = performance.now() + LEASE_MS;
  let lease = await seeker.take();
  while (lease === null && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    lease = await seeker.take();
  }
  try {
    await revoke(t, home);
  } finally {
    await wipe(home);
    await lease?.release();
  }
}

/** A refresh token ends the grant with all of its access tokens (RFC 7009 §2.1). */
async function revoke(t: Tools, home: Home): Promise<boolean> {
  const { refreshToken, accessToken } = (await home.read()).tokens;
  const tools = await t.provider(home.key.provider);
  if (refreshToken !== undefined) return (await tools?.revoke(refreshToken, "refresh_token")) ?? false;
  return accessToken !== undefined && ((await tools?.revoke(accessToken, "access_token")) ?? false);
}
