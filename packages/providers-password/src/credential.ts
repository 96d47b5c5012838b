import type { AdapterCredential, Tools } from "@cardea/core/extend";
import type { Settings } from "./options.ts";
import type { Clock } from "./runtime.ts";

/** What is kept beside a hash. */
interface PasswordState {
  /** When the password was set, in milliseconds: links that were sent before it are void. */
  readonly setAt: number;
  /** Shorter than a password alone may be: it was set while a second factor was always required. */
  readonly short?: true;
}

/** So far, in milliseconds, may the clocks of two servers be apart. */
export const CLOCKS_DIFFER = 15_000;

/** The password of a user; null without one. */
export async function findPassword(t: Tools, userId: string): Promise<AdapterCredential | null> {
  const all = await t.callAdapter("listCredentialsByUserId", userId);
  return all.find(({ type }) => type === "password") ?? null;
}

/** What is kept beside a stored hash; nothing where another library wrote it. */
export function stateOf({ state }: AdapterCredential): Partial<PasswordState> {
  if (typeof state !== "object" || state === null) return {};
  const setAt: unknown = Reflect.get(state, "setAt");
  const short: unknown = Reflect.get(state, "short");
  return { ...(typeof setAt === "number" ? { setAt } : {}), ...(short === true ? { short } : {}) };
}

/** A hash of a password that its user chose. */
export interface NewPassword {
  readonly hash: string;
  readonly short: boolean;
}

/** Hashes a password that passed the rule. @throws PoolFull. */
export async function hashNew({ hash, rule }: Settings, clock: Clock, password: string): Promise<NewPassword> {
  return { hash: await clock.hash(() => hash.hash(password)), short: [...password].length < rule.min };
}

/**
 * Stores a password, in place of the one that was read.
 *
 * @param former the one that was read; null: the user has none.
 * @param setAt when its user chose it, in milliseconds; a hash that is replaced keeps its time, so that it voids no link.
 * @returns false when the password was changed by another request meanwhile.
 * @throws AdapterError.
 */
export async function storePassword(
  t: Tools,
  userId: string,
  former: Pick<AdapterCredential, "id" | "version"> | null,
  { hash, short }: NewPassword,
  setAt: number = Date.now(),
): Promise<boolean> {
  const state = short ? { setAt, short } : { setAt };
  if (former !== null) {
    const { id, version } = former;
    return (await t.callAdapter("updateCredential", { id, version, secret: hash, state })) !== null;
  }
  try {
    await t.callAdapter("createCredential", {
      userId,
      type: "password",
      secret: hash,
      createdAt: new Date(),
      state,
    });
    return true;
  } catch (error) {
    // A user has one password at most: another request was faster.
    if ((await findPassword(t, userId)) !== null) return false;
    throw error;
  }
}

/** Whether a password belongs to a stored hash. An unknown format belongs to none. @throws PoolFull. */
export async function verifyHash(settings: Settings, clock: Clock, password: string, hash: string): Promise<boolean> {
  const format = settings.formats.find((one) => one.matches(hash));
  if (format === undefined) {
    await verifyNone(settings, clock, password);
    return false;
  }
  return clock.hash(() => format.verify(password, hash));
}

/** Costs what a check costs, where there is nothing to check (ASVS 6.3.8). @throws PoolFull. */
export async function verifyNone({ hash }: Settings, clock: Clock, password: string): Promise<void> {
  await clock.hash(() => hash.hash(password));
}

/**
 * The hash that replaces a verified one: null where it is as new ones are, and where more than one password belongs to it, so that who
 * knows a part of the password does not define the rest.
 */
export async function upgradedHash(
  { hash, formats }: Settings,
  clock: Clock,
  password: string,
  former: string,
): Promise<string | null> {
  if (hash.matches(former) && hash.isCurrent(former)) return null;
  const format = formats.find((one) => one.matches(former));
  if (format?.isTruncated?.(password) === true) return null;
  return clock.hash(() => hash.hash(password));
}
