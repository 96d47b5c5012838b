import { type Handled, handleOf } from "@cardea/core/extend";
import { wipe } from "./accounts.ts";
import { findHome, type TokenOwner } from "./find-home.ts";

/**
 * Revokes the tokens of an account at its provider (RFC 7009) and removes them here. Call it before an account is unlinked or a user is
 * deleted.
 *
 * @returns whether the provider was asked: false when it has no revocation endpoint, or there were no tokens.
 * @throws what asking the provider threw, and TypeError for tokens in a cookie without `headers`; then the tokens are still here.
 */
export async function revokeTokens(auth: Handled, provider: string, owner: TokenOwner): Promise<boolean> {
  const { t, home, finish } = await findHome(handleOf(auth, "vault"), provider, owner);
  if (home === null) return false;
  if (home.isReadOnly === true) {
    throw new TypeError("vault: tokens in a cookie are removed only where `headers` of the answer are given.");
  }
  const { refreshToken, accessToken } = (await home.read()).tokens;
  const tools = await t.provider(provider);
  let isRevoked = false;
  // A refresh token ends the grant with all of its access tokens (RFC 7009 §2.1).
  if (refreshToken !== undefined) isRevoked = (await tools?.revoke(refreshToken, "refresh_token")) ?? false;
  else if (accessToken !== undefined) isRevoked = (await tools?.revoke(accessToken, "access_token")) ?? false;
  await wipe(home);
  finish();
  return isRevoked;
}
