import { type FlowContext, guardStore, MAX_LIFETIME, type ResolvedConfig, sha256 } from "@cardea/core/extension-host";
import { type Counter, openCounter, type Seconds } from "@cardea/core/extension-kit";

/** Longer than any cookie, on servers whose clocks differ: nothing outlives the epoch that ended it. */
const LIFE: Seconds = MAX_LIFETIME + 60 * 60;

/** Without a store nothing but sessions stands for an earlier proof, and those cannot be ended. */
const NONE: Counter = { read: async () => 0, raise: async () => ({ value: 0, former: 0 }), restore: async () => {} };

/**
 * The epoch of a user: a number that grows whenever earlier proofs of the user must no longer count
 * (docs/session-control.md#what-each-event-ends). Whatever stands for a proof carries the epoch of its time, 0 if it is from before epochs,
 * and its reader compares: after a smaller one, it has ended. No clocks are compared, and there is nothing to clean up.
 */
export function epochOf({ store }: ResolvedConfig, userId: string): Counter {
  // The key with which sessions() began: what it ended before stays ended.
  const key = sha256(JSON.stringify(["count", "epoch", String(userId)])).then((digest) => `cardea:sessions:${digest}`);
  return store === undefined ? NONE : openCounter(guardStore(store), key, { ttl: LIFE });
}

/**
 * Whether a sign-in of an epoch has ended: it was started with credentials that the user may just have changed.
 *
 * @throws errors of the store.
 */
export async function isVoid(config: ResolvedConfig, userId: string, epoch: number): Promise<boolean> {
  return epoch < (await epochOf(config, userId).read());
}

/** Why a sign-in is refused that {@link isOutdated}. */
export const OUTDATED = "the user's sessions were ended during the sign-in";

/** Whether the sessions of the user ended since the sign-in of this request started. @throws errors of the store. */
export async function isOutdated({ state, config }: FlowContext, userId: string | undefined): Promise<boolean> {
  return state.epoch !== undefined && isVoid(config, String(userId), state.epoch);
}
