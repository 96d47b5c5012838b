import type { Tools } from "@cardea/extend";
import { storeOf } from "./links.ts";

/** The holder has ended, or does nothing any more, after this time. */
const LEASE_SECONDS = 60;

/** The holder writes nothing later than this, in milliseconds: a call of the adapter takes ten seconds at most. */
const WORK_MS = 30_000;

const [LOOK_MS, PATIENCE_MS] = [50, 15_000];

/**
 * Does some work while no other process that shares the store does the same.
 *
 * @param work `isHeld` says whether it may still write.
 * @throws Error if another process does it for too long; errors of the store and of the work.
 */
export async function withLease<T>(
  t: Tools,
  about: readonly string[],
  work: (isHeld: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const store = storeOf(t);
  const key = await t.permanentKey("lease", ...about);
  const own = t.randomId();
  const until = performance.now() + PATIENCE_MS;
  while (!(await store.set(key, own, { ttl: LEASE_SECONDS, ifAbsent: true }))) {
    if (performance.now() > until) throw new Error("account(): another request is changing this account. Try again.");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS * (1 + Math.random())));
  }
  const began = performance.now();
  try {
    return await work(async () => performance.now() - began < WORK_MS && (await store.get(key)) === own);
  } finally {
    await store.swap(key, own, null, { ttl: null });
  }
}
