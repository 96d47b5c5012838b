import type { Seconds, Tools } from "@cardea/core/extend";

/** NIST SP 800-63B-4 §3.2.2: at most a hundred wrong passwords in a row. */
const MAX_FAILURES = 100;

/** A counter that is not touched for so long is forgotten. */
const LIFETIME: Seconds = 400 * 24 * 60 * 60;

/**
 * Wrong passwords in a row of a user. They are counted in the store and not beside the hash: a change of that record ends remembered
 * browsers, which a stranger must not be able to do by guessing.
 */
const keyOf = (t: Tools, userId: string) => t.permanentKey("failures", userId);

/**
 * Counts a try, checks it, and forgets the wrong ones before it where it was right. Tries at the same time cannot pass together.
 *
 * @returns false for a wrong password, and for every one after too many wrong ones.
 * @throws what the check and the store throw: a try whose outcome is unknown does not count.
 */
export async function tryOnce(t: Tools, userId: string, check: () => Promise<boolean>): Promise<boolean> {
  const key = await keyOf(t, userId);
  const { value = Number.POSITIVE_INFINITY } = (await t.store?.add(key, 1, { ttl: LIFETIME })) ?? {};
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await t.store?.add(key, -1, { ttl: LIFETIME });
    throw error;
  }
  if (!isRight || value > MAX_FAILURES) return false;
  await clearFailures(t, userId);
  return true;
}

/**
 * A try for no user: asks the store as {@link tryOnce} does, so that an outage does not tell known addresses from unknown ones.
 *
 * @throws what the check and the store throw.
 */
export async function tryNone(t: Tools, check: () => Promise<void>): Promise<void> {
  await t.store?.add(await keyOf(t, ""), 0, { ttl: LIFETIME });
  await check();
}

/** Begins again, after a right password or a proven address. */
export async function clearFailures(t: Tools, userId: string): Promise<void> {
  const key = await keyOf(t, userId);
  const count = await t.store?.get(key);
  if (typeof count === "string") await t.store?.swap(key, count, null, { ttl: null });
}
