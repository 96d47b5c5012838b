import { sha256 } from "../crypto/primitives.ts";
import { allowedAttempt } from "../flows/allow-attempt.ts";
import { resumeSignIn } from "../flows/complete-sign-in.ts";
import type { AddedFacts } from "../model/added-facts.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, AccountNotLinked, InvalidCheck, Verification } from "../model/errors.ts";
import type { PendingSignIn } from "../model/extension-action.ts";
import type { AskedSignIn } from "../model/extension-runner.ts";
import type { Store } from "../model/store.ts";
import type { Seconds } from "../model/units.ts";
import { joinFacts, parseAddedFacts } from "../protocol/session-facts.ts";
import type { Identity } from "../users/identity.ts";
import { tellOutcome } from "./ask-attempt.ts";
import type { Bound } from "./bind.ts";
import { goingOn, type KeptSignIn, openKept, reviveIdentity, sealKept } from "./kept-sign-in.ts";
import { isVoid, markOf } from "./void-pending.ts";
import { addWaitingCookie, clearWaitingCookie, findWaitingCookie, type WaitingCookie } from "./waiting-cookie.ts";

/**
 * Sign-ins that wait because `admit` of an extension asked for something (docs/extensions.md#pending-sign-ins). What they proved is
 * sealed in the store; the browser has a random id, and no extension is given a provider's tokens.
 */

/** Long enough to find a phone. */
const LIFETIME: Seconds = 600;

/**
 * Keeps a sign-in. Without a store it is not kept, and the extension can only lead elsewhere.
 *
 * @returns where to go.
 * @throws CallbackRouteError when it cannot be kept, and what the store throws.
 */
export async function keepSignIn({ list }: Bound, context: FlowContext, asked: AskedSignIn): Promise<string> {
  const { config, baseUrl } = context;
  const { ask, candidate, adds } = asked;
  const url = new URL(`${baseUrl}/${ask}`);
  const owner = list.find(({ actions = {} }) => Object.hasOwn(actions, `GET ${ask}`));
  if (config.store === undefined || owner === undefined) return url.href;
  const cookie = await addWaitingCookie(context, LIFETIME);
  const key = await keyOf(cookie);
  // `flows/admit-sign-in.ts` gives the identity of the ceremony.
  const identity = asked.identity as Identity;
  const former = goingOn.get(context.jar);
  const attempt = former?.attempt ?? allowedAttempt(context);
  const mark = former === undefined ? await markOf(config, String(candidate.user.id)) : former.mark;
  const expires = context.now() + LIFETIME;
  const kept: KeptSignIn = { extension: owner.id, identity, candidate, adds, attempt, expires, mark };
  await config.store.set(key, await sealKept(context, kept, key), { ttl: LIFETIME });
  url.searchParams.set("pending", cookie.id);
  return url.href;
}

/** The sign-in of this browser that waits for an extension, see {@link import("../model/extension-action.ts").ActionRequest.pendingSignIn}. */
export async function findPendingSignIn(
  bound: Bound,
  context: ActionContext,
  extension: string,
): Promise<PendingSignIn | null> {
  const { store } = context.config;
  const named = context.request.body.get("pending") ?? context.query.get("pending");
  const cookie = store && (await findWaitingCookie(context, typeof named === "string" ? named : null));
  if (store === undefined || !cookie) return null;
  const key = await keyOf(cookie);
  const sealed = await store.get(key);
  const kept = sealed === null ? null : await openKept(context, sealed, key);
  if (sealed === null || kept?.extension !== extension) return null;
  if (await isVoid(context.config, String(kept.candidate.user.id), kept.mark)) return null;
  const entry: Entry = { store, key, sealed, kept, cookie };
  return {
    id: cookie.id,
    candidate: kept.candidate,
    expires: kept.expires,
    complete: (facts) => complete(bound, context, entry, facts),
    drop: async () => {
      await take(entry);
      clearWaitingCookie(context, cookie.name);
    },
  };
}

/** A sign-in in the store. */
interface Entry {
  readonly store: Store;
  readonly key: string;
  readonly sealed: string;
  readonly kept: KeptSignIn;
  readonly cookie: WaitingCookie;
}

/**
 * 1. The identity is what it was: its provider is configured, its passkey registered.
 * 2. The entry is taken: of several requests with the same proof one goes on.
 * 3. The sign-in goes on with the decision who it is. Once every extension admitted the user, their sessions must not have ended since it
 *    began. After a failure that is not a refusal the entry is put back.
 */
async function complete(bound: Bound, context: ActionContext, entry: Entry, added: AddedFacts): Promise<string> {
  const { kept, cookie } = entry;
  const { candidate, adds, attempt, mark } = kept;
  const identity = await reviveIdentity(context, kept);
  if (!(await take(entry))) throw new InvalidCheck("This sign-in was completed already. Start again.");
  if (identity === null) throw new AccessDenied("The way in of this sign-in is gone. Sign in again.");
  const { sid: _, at: _at, ...facts } = joinFacts(candidate.facts, parseAddedFacts(added));
  const { user, isNewUser, callbackUrl } = candidate;
  goingOn.set(context.jar, { attempt, mark });
  try {
    const { url, code } = await resumeSignIn(context, identity, callbackUrl, {
      userId: user.id,
      adds,
      isNewUser,
      facts,
    });
    clearWaitingCookie(context, cookie.name);
    if (code === undefined && attempt !== undefined) await tellOutcome(bound, context, attempt, "success");
    return url;
  } catch (error) {
    if (!isRefusal(error)) await putBack(context, entry);
    throw error;
  }
}

function take({ store, key, sealed }: Entry): Promise<boolean> {
  return store.swap(key, sealed, null, { ttl: LIFETIME });
}

function isRefusal(error: unknown): boolean {
  return error instanceof AccessDenied || error instanceof AccountNotLinked || error instanceof Verification;
}

/** An outage does not throw the first proof away. */
async function putBack({ now, logger }: FlowContext, { store, key, sealed, kept }: Entry): Promise<void> {
  const ttl = kept.expires - now();
  if (ttl <= 0) return;
  try {
    await store.set(key, sealed, { ttl, ifAbsent: true });
  } catch (error) {
    logger.warn(`pending-sign-in-lost: it could not be put back into the store: ${String(error)}`);
  }
}

async function keyOf({ secret }: WaitingCookie): Promise<string> {
  return `cardea:pending:${await sha256(`pending admission entry ${secret}`)}`;
}
