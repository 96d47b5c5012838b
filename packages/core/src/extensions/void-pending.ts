import { guardStore } from "../application/guard-store.ts";
import { randomToken, sha256 } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Seconds } from "../model/units.ts";

/**
 * When all sessions of a user end, so do the user's pending sign-ins, because they were started with credentials that
 * the user may just have changed. The store holds a random mark for each user whose sessions were ended recently; a
 * sign-in continues only if the user's mark has not changed since it started. No clocks are compared.
 */

/** Twice the lifetime of a pending sign-in, so that a mark outlives every sign-in started before it. */
const LIFETIME: Seconds = 1200;

/** Invalidates the pending sign-ins of a user. Without a store, there are none. @throws errors of the store. */
export async function voidPending({ store }: ResolvedConfig, userId: string): Promise<void> {
  if (store !== undefined) await guardStore(store).set(await keyOf(userId), randomToken(16), { ttl: LIFETIME });
}

/** The mark that must be unchanged when a sign-in continues; null if there is none. @throws errors of the store. */
export async function markOf({ store }: ResolvedConfig, userId: string): Promise<string | null> {
  return store === undefined ? null : guardStore(store).get(await keyOf(userId));
}

/** Whether the sessions of a user were ended after a mark was read. @throws errors of the store. */
export async function isVoid(config: ResolvedConfig, userId: string, mark: string | null): Promise<boolean> {
  const now = await markOf(config, userId);
  return now !== null && now !== mark;
}

async function keyOf(userId: string): Promise<string> {
  return `cardea:core:${await sha256(JSON.stringify(["ended", String(userId)]))}`;
}

/** Why a sign-in is refused that {@link isOutdated}. */
export const OUTDATED = "the user's sessions were ended during the sign-in";

/** Whether the sessions of the user ended since the sign-in of this request started. @throws errors of the store. */
export async function isOutdated({ state, config }: FlowContext, userId: string | undefined): Promise<boolean> {
  return state.mark !== undefined && isVoid(config, String(userId), state.mark);
}
