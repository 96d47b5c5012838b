import {
  type ActionContext,
  type AskedSignIn,
  cancelInterrupted,
  type FlowContext,
  guardStore,
  type Identity,
  type InterruptedSignIn,
  InvalidCheck,
  joinFacts,
  parseAddedFacts,
  runSignIn,
  SignOutError,
  takeInterrupted,
} from "@cardea/core/extension-host";
import {
  AccessDenied,
  type AddedFacts,
  type EpochSeconds,
  isSameId,
  type PendingSignIn,
  type SessionFacts,
  toError,
} from "@cardea/core/extension-kit";
import { extensionsOf } from "./extensions-of.ts";
import { addFactorCookie, FACTOR_LIFETIME, type FactorCookie, findFactorCookies } from "./factor-cookie.ts";
import { decryptKept, encryptKept, type KeptSignIn, reviveIdentity } from "./kept-sign-in.ts";
import { epochOf, isVoid } from "./user-epoch.ts";

/**
 * Pending sign-ins, interrupted by `admit` of an extension (docs/extensions.md#pending-sign-ins). The proven identity
 * is encrypted in the store, and the browser holds a random id. Extensions do not receive a provider's tokens.
 */

/**
 * Stores a sign-in. Without a store, it is not stored, and the extension can only redirect elsewhere.
 *
 * @returns The URL to redirect to.
 * @throws CallbackRouteError if it cannot be stored, and errors of the store.
 */
export async function keepSignIn(context: FlowContext, asked: AskedSignIn): Promise<string> {
  const { config, baseUrl } = context;
  const { ask, candidate, adds, attempt } = asked;
  const url = new URL(`${baseUrl}/${ask}`);
  const owner = extensionsOf(config).find(({ actions = {} }) => Object.hasOwn(actions, `GET ${ask}`));
  if (config.store === undefined || owner === undefined) return url.href;
  const { id, key } = await addFactorCookie(context);
  // `sign-in/admit.ts` passes the proven identity.
  const identity = asked.identity as Identity;
  const { epoch = await epochOf(config, String(candidate.user.id)).read() } = context.state;
  const expires = context.now() + FACTOR_LIFETIME;
  const kept: KeptSignIn = { extension: owner.id, identity, candidate, adds, attempt, expires, epoch };
  await guardStore(config.store).set(key, await encryptKept(context, kept, key), { ttl: FACTOR_LIFETIME });
  url.searchParams.set("pending", id);
  return url.href;
}

/**
 * This browser's sign-in that is pending for an extension; see {@link
 * import("@cardea/core/extension-kit").ActionRequest.pendingSignIn}.
 *
 * @param succeeded reports the attempt of the step that completes it.
 */
export async function findPendingSignIn(
  context: ActionContext,
  extension: string,
  succeeded: () => Promise<void>,
): Promise<PendingSignIn | null> {
  const { config } = context;
  const named = context.request.body.get("pending") ?? context.query.get("pending");
  const [found] = await findFactorCookies(context, typeof named === "string" ? named : null);
  if (config.store === undefined || found === undefined) return null;
  const { id, key, ...cookie } = found;
  const store = guardStore(config.store);
  const sealed = await store.get(key);
  const kept = sealed === null ? null : await decryptKept(context, sealed, key);
  if (sealed === null || kept?.extension !== extension) return null;
  if (await isVoid(config, String(kept.candidate.user.id), kept.epoch)) return null;
  const timeLeft = () => kept.expires - context.now();
  const interrupted: InterruptedSignIn = {
    id,
    consume: () => store.swap(key, sealed, null, { ttl: FACTOR_LIFETIME }),
    storeAgain: async () => timeLeft() > 0 && store.set(key, sealed, { ttl: timeLeft(), ifAbsent: true }),
    cookie: { ...cookie, options: { ...cookie.options, maxAge: timeLeft() } },
  };
  return {
    id,
    candidate: kept.candidate,
    expires: kept.expires,
    complete: (facts) => complete(context, { interrupted, kept }, facts, succeeded),
    cancel: () => cancelInterrupted(context, interrupted),
  };
}

/**
 * Ends the pending sign-ins of this browser, on the server too: the next user of the browser continues none. Never throws.
 *
 * @param user whose pending sign-ins go on; null: all end.
 */
export async function cancelPendingSignIns(context: FlowContext, user: string | null): Promise<void> {
  if (context.config.store === undefined) return;
  const store = guardStore(context.config.store);
  const isOf = async (key: string, userId: string) => {
    const kept = await decryptKept(context, (await store.get(key)) ?? "", key);
    return isSameId(kept?.candidate.user.id, userId);
  };
  const cancel = async ({ key, ...cookie }: FactorCookie) => {
    if (user !== null && (await isOf(key, user))) return;
    const consume = async () => store.swap(key, await store.get(key), null, { ttl: FACTOR_LIFETIME });
    await cancelInterrupted(context, { cookie, consume });
  };
  try {
    await Promise.all((await findFactorCookies(context, null)).map(cancel));
  } catch (error) {
    const cause = { err: toError(error) };
    context.logger.error(new SignOutError("A pending sign-in could not be deleted from the store.", { cause }));
  }
}

/**
 * 1. The identity is still valid: its provider is configured, its passkey registered.
 * 2. It is used up, so that only one of several requests with the same proof continues.
 * 3. The sign-in continues by deciding who the user is. After every extension admitted the user, their sessions must
 *    not have been ended since the sign-in started. After a failure that is not a refusal, it is pending again.
 */
async function complete(
  context: ActionContext,
  { interrupted, kept }: { readonly interrupted: InterruptedSignIn; readonly kept: KeptSignIn },
  added: AddedFacts,
  succeeded: () => Promise<void>,
): Promise<string> {
  const { candidate, adds, attempt, epoch } = kept;
  const { sid: _, at: _at, ...facts } = joinFacts(notLater(candidate.facts, context.now()), parseAddedFacts(added));
  const { user, isNewUser, callbackUrl } = candidate;
  const { url, code } = await runSignIn(context, async (undo) => {
    const identity = await reviveIdentity(context, kept);
    const isOpen = await takeInterrupted(context, interrupted, undo);
    if (!isOpen) throw new InvalidCheck("This sign-in was already completed. Start again.");
    if (identity === null)
      throw new AccessDenied("The account or passkey used for this sign-in no longer exists. Sign in again.");
    // A sign-in that ended everything else goes on with the new epoch.
    context.state.epoch = Math.max(epoch, facts.e ?? 0);
    return { identity, callbackUrl, attempt, interrupted: { userId: user.id, adds, isNewUser, facts } };
  });
  // If another extension asks next, the proof for this one was right all the same.
  if (code === undefined || facts.f?.length) await succeeded();
  return url;
}

/** The first proof may have been given on a server whose clock is ahead: it was given before now. */
function notLater(facts: SessionFacts, now: EpochSeconds): SessionFacts {
  return { ...facts, f: facts.f.map(([method, at]) => [method, Math.min(at, now)]) };
}
