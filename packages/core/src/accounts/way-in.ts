import { toError } from "../model/auth-error.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { Identity } from "../model/identity.ts";
import { adapterHas } from "../session/accounts.ts";
import { identifySession, type SessionIdentity } from "../session/identify-session.ts";
import { callAdapter } from "./call-adapter.ts";

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
 * Requires that the session which asks for an account or passkey still exists when everything is stored: the user may sign out
 * meanwhile, or the owner of the address claim it. To be called before the first write, so that what the write adds is removed before
 * the sessions that it may have opened are ended.
 *
 * A session in which an extension requires a proof, perhaps by the new passkey, has not ended. If it cannot be read, nothing is added,
 * unless it was read after the account was stored: what was stored since, an authenticator, cannot be removed.
 */
export function requireAskingSession(
  context: FlowContext,
  { account: { provider } }: Pick<Identity, "account">,
  { userId, fingerprint }: SessionIdentity,
  { undo, checks }: Changes,
): void {
  const { config, logger } = context;
  let hasEnded = false;
  let wasThere = false;
  undo.push({
    of: "record",
    run: async () =>
      hasEnded && adapterHas(config, "deleteSessionsByUserId") && callAdapter(config, "deleteSessionsByUserId", userId),
  });
  checks.push(async () => {
    const current = await identifySession(context, { isFresh: true, orAsked: true }).catch((error: unknown) => {
      if (!wasThere) throw error;
      logger.error(toError(error));
      return { fingerprint };
    });
    wasThere = current?.fingerprint === fingerprint;
    hasEnded = !wasThere;
    if (wasThere) return;
    throw new AccountNotLinked("The session that requested this account or passkey has ended.", {
      cause: { provider, reason: "session-ended" },
    });
  });
}
