import { type Handled, handleOf } from "@cardea/core/extend";
import { wipe } from "./accounts.ts";
import { findHome, type TokenOwner } from "./find-home.ts";

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
