import { parseEmailAddress, type Seconds, type Tools } from "@cardea/extend";

/** NIST SP 800-63B-4 §3.2.2: at most one hundred consecutive wrong passwords. */
const MAX_FAILURES = 100;

/** A counter that is unused for this long is deleted. */
const LIFETIME: Seconds = 400 * 24 * 60 * 60;

/**
 * Consecutive wrong passwords of a user. They are counted in the store and not with the hash: changing that record ends
 * remembered browsers, and an attacker must not be able to cause this by guessing.
 */
const keyOf = (t: Tools, userId: string) => t.permanentKey("failures", userId);

/** The user whose password is checked. */
interface Owner {
  readonly id: string;
  readonly email?: string | null | undefined;
}

/**
 * Whether `@cardea/attempts` counts the attempts at a user's password, by address. It knows the owner's devices: a second
 * count without them would let strangers lock the owner out.
 */
function isCountedByAddress(t: Tools, email: string | null | undefined): boolean {
  return t.hasExtension("attempts") && parseEmailAddress(email ?? "", { allowLocalDomains: true }) !== null;
}

/**
 * Counts an attempt, checks it, and resets the count if it was correct. Concurrent attempts cannot all pass. With
 * `@cardea/attempts`, which has counted the attempt, it is only checked.
 *
 * @returns false for a wrong password, and for any password after too many wrong ones.
 * @throws errors of the check and the store. An attempt with an unknown result does not count.
 */
export async function tryOnce(t: Tools, { id, email }: Owner, check: () => Promise<boolean>): Promise<boolean> {
  if (isCountedByAddress(t, email)) return check();
  const key = await keyOf(t, id);
  const { value = Number.POSITIVE_INFINITY } = (await t.store?.add(key, 1, { ttl: LIFETIME })) ?? {};
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await t.store?.add(key, -1, { ttl: LIFETIME });
    throw error;
  }
  if (!isRight || value > MAX_FAILURES) return false;
  await clearFailures(t, id);
  return true;
}

/**
 * An attempt without a user. Queries the store like {@link tryOnce}, so that an outage does not reveal which addresses
 * are known.
 *
 * @throws errors of the check and the store.
 */
export async function tryNone(t: Tools, check: () => Promise<void>): Promise<void> {
  if (!t.hasExtension("attempts")) await t.store?.add(await keyOf(t, ""), 0, { ttl: LIFETIME });
  await check();
}

/** Resets the count, after a correct password or a verified address. */
export async function clearFailures(t: Tools, userId: string): Promise<void> {
  const key = await keyOf(t, userId);
  const count = await t.store?.get(key);
  if (typeof count === "string") await t.store?.swap(key, count, null, { ttl: null });
}
