import { guardStore } from "../application/guard-store.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, InvalidCheck } from "../model/errors.ts";
import type { PendingSignIn } from "../model/extension-action.ts";
import type { AskedSignIn } from "../model/extension-runner.ts";
import type { Identity } from "../model/identity.ts";
import type { AddedFacts, SessionFacts } from "../model/session-facts.ts";
import type { Store } from "../model/store.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { joinFacts, parseAddedFacts } from "../protocol/session-facts.ts";
import { runSignIn } from "../sign-in/run-sign-in.ts";
import type { Bound } from "./bind.ts";
import { type KeptSignIn, openKept, reviveIdentity, sealKept } from "./kept-sign-in.ts";
import { epochOf, isVoid } from "./user-epoch.ts";
import { addWaitingCookie, clearWaitingCookie, findWaitingCookie, type WaitingCookie } from "./waiting-cookie.ts";

/**
 * Pending sign-ins, interrupted by `admit` of an extension (docs/extensions.md#pending-sign-ins). The proven identity
 * is encrypted in the store, and the browser holds a random id. Extensions do not receive a provider's tokens.
 */

/** Long enough to find a phone. */
const LIFETIME: Seconds = 600;

/**
 * Stores a sign-in. Without a store, it is not stored, and the extension can only redirect elsewhere.
 *
 * @returns The URL to redirect to.
 * @throws CallbackRouteError if it cannot be stored, and errors of the store.
 */
export async function keepSignIn({ list }: Bound, context: FlowContext, asked: AskedSignIn): Promise<string> {
  const { config, baseUrl } = context;
  const { ask, candidate, adds, attempt } = asked;
  const url = new URL(`${baseUrl}/${ask}`);
  const owner = list.find(({ actions = {} }) => Object.hasOwn(actions, `GET ${ask}`));
  if (config.store === undefined || owner === undefined) return url.href;
  const cookie = await addWaitingCookie(context, LIFETIME);
  const key = await keyOf(cookie);
  // `sign-in/admit.ts` passes the proven identity.
  const identity = asked.identity as Identity;
  const { epoch = await epochOf(config, String(candidate.user.id)).read() } = context.state;
  const expires = context.now() + LIFETIME;
  const kept: KeptSignIn = { extension: owner.id, identity, candidate, adds, attempt, expires, epoch };
  await guardStore(config.store).set(key, await sealKept(context, kept, key), { ttl: LIFETIME });
  url.searchParams.set("pending", cookie.id);
  return url.href;
}

/**
 * This browser's sign-in that is pending for an extension; see {@link
 * import("../model/extension-action.ts").ActionRequest.pendingSignIn}.
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
  const cookie = config.store && (await findWaitingCookie(context, typeof named === "string" ? named : null));
  if (config.store === undefined || !cookie) return null;
  const store = guardStore(config.store);
  const key = await keyOf(cookie);
  const sealed = await store.get(key);
  const kept = sealed === null ? null : await openKept(context, sealed, key);
  if (sealed === null || kept?.extension !== extension) return null;
  if (await isVoid(config, String(kept.candidate.user.id), kept.epoch)) return null;
  const entry: Entry = { store, key, sealed, kept, cookie };
  return {
    id: cookie.id,
    candidate: kept.candidate,
    expires: kept.expires,
    complete: (facts) => complete(context, entry, facts, succeeded),
    drop: async () => {
      await take(entry);
      clearWaitingCookie(context, cookie.name);
    },
  };
}

/** A pending sign-in in the store. */
interface Entry {
  readonly store: Store;
  readonly key: string;
  readonly sealed: string;
  readonly kept: KeptSignIn;
  readonly cookie: WaitingCookie;
}

/**
 * 1. The identity is still valid: its provider is configured, its passkey registered.
 * 2. The entry is consumed, so that only one of several requests with the same proof continues.
 * 3. The sign-in continues by deciding who the user is. After every extension admitted the user, their sessions must
 *    not have been ended since the sign-in started. After a failure that is not a refusal, the entry is restored.
 */
async function complete(
  context: ActionContext,
  entry: Entry,
  added: AddedFacts,
  succeeded: () => Promise<void>,
): Promise<string> {
  const { kept, cookie } = entry;
  const { candidate, adds, attempt, epoch } = kept;
  const { sid: _, at: _at, ...facts } = joinFacts(notLater(candidate.facts, context.now()), parseAddedFacts(added));
  const { user, isNewUser, callbackUrl } = candidate;
  const { url, code } = await runSignIn(context, async (undo) => {
    const identity = await reviveIdentity(context, kept);
    if (!(await take(entry))) throw new InvalidCheck("This sign-in was already completed. Start again.");
    undo.push({ of: "proof", run: () => putBack(context, entry) });
    if (identity === null)
      throw new AccessDenied("The account or passkey used for this sign-in no longer exists. Sign in again.");
    // A sign-in that ended everything else goes on with the new epoch.
    context.state.epoch = Math.max(epoch, facts.e ?? 0);
    return { identity, callbackUrl, attempt, interrupted: { userId: user.id, adds, isNewUser, facts } };
  });
  clearWaitingCookie(context, cookie.name);
  // If another extension asks next, the proof for this one was right all the same.
  if (code === undefined || facts.f?.length) await succeeded();
  return url;
}

/** The first proof may have been given on a server whose clock is ahead: it was given before now. */
function notLater(facts: SessionFacts, now: EpochSeconds): SessionFacts {
  return { ...facts, f: facts.f.map(([method, at]) => [method, Math.min(at, now)]) };
}

function take({ store, key, sealed }: Entry): Promise<boolean> {
  return store.swap(key, sealed, null, { ttl: LIFETIME });
}

/** Restores the entry, so that an outage does not discard the first proof. */
async function putBack({ now }: FlowContext, { store, key, sealed, kept }: Entry): Promise<void> {
  const ttl = kept.expires - now();
  if (ttl > 0) await store.set(key, sealed, { ttl, ifAbsent: true });
}

async function keyOf({ secret }: WaitingCookie): Promise<string> {
  return `cardea:pending:${await sha256(`pending admission entry ${secret}`)}`;
}
