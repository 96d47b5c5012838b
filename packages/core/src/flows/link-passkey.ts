import type { AdapterUser } from "../model/adapter.ts";
import type { EventCallbacks } from "../model/config.ts";
import type { EventMessage, FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { Authenticator } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import { isSameId } from "../protocol/same-id.ts";
import { adapterHas, callAdapter } from "../session/call-adapter.ts";
import { type CreatedUser, createUserWithAccount, linkAccount } from "./create-user.ts";
import type { Identity } from "./identity.ts";

/**
 * Storing a new passkey: user, account and authenticator, all or nothing (safety H235). Events are held back until all of it
 * is there.
 */

/**
 * Makes a user with an account and a passkey.
 *
 * @throws AccountNotLinked when the address was taken meanwhile; AdapterError, leaving nothing behind.
 */
export async function createUserWithPasskey(context: FlowContext, identity: Identity): Promise<CreatedUser> {
  const held = holdEvents(context);
  const created = await createUserWithAccount(held.context, identity);
  const isStored = created.isNewUser && adapterHas(context.config, "createUserWithAccount");
  try {
    if (!isStored) await storeAuthenticator(context, identity, created.user);
  } catch (error) {
    await unlink(context, identity);
    if (created.isNewUser) await attempt(context, "deleteUser", created.user.id);
    throw error;
  }
  await held.release();
  return created;
}

/**
 * Adds a passkey to a user who is signed in.
 *
 * @throws AccountNotLinked, AdapterError, leaving nothing behind.
 */
export async function linkPasskey(context: FlowContext, identity: Identity, user: AdapterUser): Promise<CreatedUser> {
  const held = holdEvents(context);
  const linked = await linkAccount(held.context, identity, user);
  try {
    await storeAuthenticator(context, identity, user);
  } catch (error) {
    await unlink(context, identity);
    throw error;
  }
  await held.release();
  return linked;
}

async function storeAuthenticator(context: FlowContext, identity: Identity, { id: userId }: AdapterUser) {
  const authenticator = authenticatorOf(identity);
  try {
    await callAdapter(context.config, "createAuthenticator", { ...authenticator, userId });
  } catch (error) {
    // The write succeeded and only its answer was lost.
    const stored = await callAdapter(context.config, "getAuthenticator", authenticator.credentialID).catch(() => null);
    if (!isSameId(stored?.userId, userId)) throw error;
  }
}

function authenticatorOf({ passkey }: Identity): Omit<Authenticator, "userId"> {
  if (passkey?.ceremony === "register") return passkey.authenticator;
  throw new CallbackRouteError("A registration without a credential.");
}

async function unlink(context: FlowContext, { account: { provider, providerAccountId } }: Identity): Promise<void> {
  await attempt(context, "unlinkAccount", { provider, providerAccountId });
}

/** Undoes as far as the adapter can; what fails is logged, and the first error is the one that is told. */
async function attempt(
  context: FlowContext,
  ...[method, argument]:
    | ["unlinkAccount", { readonly provider: string; readonly providerAccountId: string }]
    | ["deleteUser", string]
): Promise<void> {
  if (!adapterHas(context.config, method)) return;
  try {
    if (method === "deleteUser") await callAdapter(context.config, method, argument);
    else await callAdapter(context.config, method, argument);
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/** A context whose events wait. */
function holdEvents(context: FlowContext): { readonly context: FlowContext; readonly release: () => Promise<void> } {
  const held: (() => Promise<void>)[] = [];
  const emit = async <E extends keyof EventCallbacks>(event: E, message: EventMessage<E>) => {
    held.push(() => context.emit(event, message));
  };
  const release = async () => {
    for (const tell of held) await tell();
  };
  return { context: { ...context, emit }, release };
}
