// Token rotation as applications do it without a vault, for comparison: the rule of the guide "Refresh Token Rotation" of Auth.js.
import type { Adapter } from "@cardea/core/adapters";
import { USER_HEADER, type WorkerSettings } from "./orders.ts";

/**
 * What the session callback of the guide does with the strategy "database", for one request.
 *
 * 1. The account of the user is read.
 * 2. A token that is not over is as it is.
 * 3. Otherwise the provider is asked with the refresh token of the row, and the row gets what it answers.
 *
 * @throws Error where the guide sets `session.error`, which has the user sign in again.
 */
export async function refreshByRecipe(
  adapter: Adapter,
  { id, issuer, clientId, clientSecret }: WorkerSettings["provider"],
  userId: string,
): Promise<string> {
  const account = (await adapter.listAccountsByUserId?.(userId))?.find((one) => one.provider === id);
  if (account === undefined) throw new Error("There is no account.");
  if (Number(account.expires_at) * 1000 >= Date.now()) return String(account.access_token);
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, [USER_HEADER]: userId },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: String(account.refresh_token) }),
  });
  if (!answer.ok) throw Object.assign(new Error("refused"), { name: "RefreshTokenError" });
  const { access_token, expires_in, refresh_token = account.refresh_token } = await answer.json();
  const { providerAccountId } = account;
  const expires_at = Math.floor(Date.now() / 1000) + expires_in;
  await adapter.updateAccount?.({ provider: id, providerAccountId, access_token, refresh_token, expires_at });
  return access_token;
}
