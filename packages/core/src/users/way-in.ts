import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Identity } from "./identity.ts";

/**
 * Conditions for adding an account or a passkey to an existing user. The session that requests it may be stolen, or may end
 * while it is being stored.
 */

/** Maximum number of accounts and passkeys per user. Real users have a few; a stolen session could add thousands. */
const MAX_WAYS_IN = 100;

/**
 * Limits the number of a user's accounts and passkeys, as far as the adapter can list them.
 *
 * @throws AccountNotLinked (`too-many`), AdapterError.
 */
export async function requireRoom(
  { config }: FlowContext,
  { account }: Pick<Identity, "account">,
  userId: string,
): Promise<void> {
  const accounts = adapterHas(config, "listAccountsByUserId")
    ? await callAdapter(config, "listAccountsByUserId", userId)
    : [];
  const passkeys = account.type === "webauthn" ? await callAdapter(config, "listAuthenticatorsByUserId", userId) : [];
  if (Math.max(accounts.length, passkeys.length) < MAX_WAYS_IN) return;
  throw new AccountNotLinked(`A user can have at most ${MAX_WAYS_IN} accounts and passkeys. Remove one first.`, {
    cause: { provider: account.provider, reason: "too-many" },
  });
}

/**
 * Confirms, after an account or passkey was stored, that the session that requested it still exists. If it ended in
 * between, because the user signed out or the owner of the address claimed it, the account or passkey is removed again,
 * together with every session that it may have opened. If this cannot be determined, it is removed as well.
 *
 * @param session fingerprint of the requesting session.
 * @param isStored whether it was confirmed before, and what was stored since cannot be removed: only a session that is known to have
 * ended then counts. One in which an extension requires the new passkey has not ended.
 * @throws AccountNotLinked (`session-ended`), AdapterError.
 */
export async function requireSameSession(
  context: FlowContext,
  { account }: Pick<Identity, "account">,
  userId: string,
  session: string,
  isStored?: boolean,
): Promise<void> {
  const { config, logger } = context;
  try {
    const current = await strategyOf(config).identify(context, true, isStored);
    if (current?.fingerprint === session) return;
  } catch (error) {
    if (isStored) return logger.error(toError(error));
    await removeAccount(context, { account });
    throw error;
  }
  await removeAccount(context, { account });
  if (adapterHas(config, "deleteSessionsByUserId")) await callAdapter(config, "deleteSessionsByUserId", userId);
  throw new AccountNotLinked("The session that requested this account or passkey has ended.", {
    cause: { provider: account.provider, reason: "session-ended" },
  });
}

/** Removes an account that was linked a moment ago, as far as the adapter can. */
async function removeAccount({ config }: FlowContext, { account }: Pick<Identity, "account">): Promise<void> {
  const { provider, providerAccountId } = account;
  if (adapterHas(config, "unlinkAccount")) await callAdapter(config, "unlinkAccount", { provider, providerAccountId });
}
