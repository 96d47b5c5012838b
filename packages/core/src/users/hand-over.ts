import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { canHandOver } from "../session/unproven-address.ts";
import { removeProof, writeProof } from "./address-proof.ts";

/**
 * Invited users: created by the application, with an address that was never verified and no other sign-in method. They
 * belong to the owner of the address.
 */

/**
 * Whether anything but the address could give access to a user. False only if that is ruled out: there is no password, the
 * adapter can list accounts and passkeys and there are none, and sessions are records that can be ended.
 *
 * @throws AdapterError.
 */
export async function mayHaveOtherWaysIn(config: ResolvedConfig, user: AdapterUser): Promise<boolean> {
  const hasPasswords = [...config.providers.values()].some(({ kind }) => kind === "credentials");
  return hasPasswords || hasPassword(user) || !canHandOver(config) || hasWaysIn(config, user.id);
}

/** An application may store passwords in the users table for its own sign-in. */
function hasPassword(user: object): boolean {
  return Object.entries(user).some(([name, value]) => /pass|pwd|hash|secret/i.test(name) && Boolean(value));
}

async function hasWaysIn(config: ResolvedConfig, userId: string): Promise<boolean> {
  const accounts = await callAdapter(config, "listAccountsByUserId", userId);
  const passkeys = await callAdapter(config, "listAuthenticatorsByUserId", userId);
  if (accounts.length > 0 || passkeys.length > 0) return true;
  // A password counts even where the provider that stored it is no longer configured.
  if (!adapterHas(config, "listCredentialsByUserId")) return false;
  return (await callAdapter(config, "listCredentialsByUserId", userId)).some(({ type }) => type === "password");
}

/**
 * Hands a user over to the owner of the address. If an account or passkey is added at the same time, the second look-up finds
 * it; otherwise the session that added it has ended, and the addition is undone.
 *
 * 1. The user's sessions are ended, then accounts and passkeys are looked up again. A user who has one is not marked.
 * 2. The address is marked as verified.
 * 3. The user's sessions are ended again.
 * 4. Accounts, passkeys and sessions are looked up again. If there are any, the mark is removed.
 *
 * @returns the user; null if something was found.
 * @throws AdapterError, with the mark removed.
 */
export async function handOver(context: FlowContext, user: AdapterUser, provenAt: Date): Promise<AdapterUser | null> {
  const { config } = context;
  await callAdapter(config, "deleteSessionsByUserId", user.id);
  if (await hasWaysIn(config, user.id)) return null;
  const proven = await writeProof(context, user, provenAt);
  if (proven === null) return null;
  try {
    await callAdapter(config, "deleteSessionsByUserId", user.id);
    if (!(await hasWaysIn(config, user.id)) && !(await hasSessions(config, user.id))) {
      await context.emit("updateUser", { user: proven });
      return proven;
    }
  } catch (error) {
    await undo(context, user.id).catch((failure: unknown) => context.logger.error(toError(failure)));
    throw error;
  }
  await undo(context, user.id);
  return null;
}

/** Removes the mark, then ends sessions that the owner opened with other links while the mark was set. */
async function undo(context: FlowContext, userId: string): Promise<void> {
  await removeProof(context, userId);
  await callAdapter(context.config, "deleteSessionsByUserId", userId);
}

async function hasSessions(config: ResolvedConfig, userId: string): Promise<boolean> {
  if (!adapterHas(config, "listSessionsByUserId")) return false;
  return (await callAdapter(config, "listSessionsByUserId", userId)).length > 0;
}
