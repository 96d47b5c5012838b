import type { AdapterCredential, AdapterUser, Tools } from "@cardea/extend";
import type { Settings } from "./options.ts";
import type { Clock } from "./runtime.ts";
import { composed, spellingsOf } from "./spellings.ts";

/** The state stored with a hash. */
interface PasswordState {
  /** The password is shorter than allowed without a second factor: it was set while one was always required. */
  readonly short?: true;
}

/** The password of a user; null if they have none. */
export async function findPassword(t: Tools, userId: string): Promise<AdapterCredential | null> {
  const all = await t.callAdapter("listCredentialsByUserId", userId);
  return all.find(({ type }) => type === "password") ?? null;
}

/** The state stored with a hash; empty if another library wrote it. */
export function stateOf({ state }: AdapterCredential): PasswordState {
  if (typeof state !== "object" || state === null) return {};
  const short: unknown = Reflect.get(state, "short");
  return short === true ? { short } : {};
}

/**
 * What links of an address depend on: when it was last proven, and the epoch of its user, which ends with each new password. Every link is
 * void once this changed after it was requested. No clocks are compared.
 */
export async function standOf(t: Tools, user: AdapterUser | null): Promise<string> {
  // Also without an account, so that an outage of the store does not reveal which addresses have one.
  const epoch = await t.epoch(user?.id ?? "").read();
  const proven = user?.emailVerified instanceof Date ? user.emailVerified.getTime() : 0;
  return `${proven}/${epoch}`;
}

/** The hash of a password chosen by a user. */
export interface NewPassword {
  readonly hash: string;
  readonly short: boolean;
}

/** Hashes a password that passed the rule, composed. @throws PoolFull. */
export async function hashNew({ hash, rule }: Settings, clock: Clock, typed: string): Promise<NewPassword> {
  const password = composed(typed);
  return { hash: await clock.hash(() => hash.hash(password)), short: [...password].length < rule.min };
}

/**
 * Stores a password, replacing the one that was read.
 *
 * @param former The password that was read; null if the user has none.
 * @returns false if another request changed the password in the meantime.
 * @throws AdapterError.
 */
export async function storePassword(
  t: Tools,
  userId: string,
  former: Pick<AdapterCredential, "id" | "version"> | null,
  { hash, short }: NewPassword,
): Promise<boolean> {
  const state = short ? { short } : {};
  try {
    if (former !== null) {
      const { id, version } = former;
      return (await t.callAdapter("updateCredential", { id, version, secret: hash, state })) !== null;
    }
    const row = { userId, type: "password", secret: hash, createdAt: new Date(), state };
    await t.callAdapter("createCredential", row);
    return true;
  } catch (error) {
    const now = await findPassword(t, userId);
    // The password was stored, and only the answer was lost.
    if (now?.secret === hash) return true;
    // A user has at most one password: another request was faster.
    if (former === null && now !== null) return false;
    throw error;
  }
}

/**
 * Whether a password matches a stored hash, in one of its spellings. A hash that no format accepts matches no password, and is logged without the hash itself.
 *
 * @throws PoolFull.
 */
export async function verifyHash(
  settings: Settings,
  { t, clock }: Check,
  {
    user,
    password,
    hash,
  }: { readonly user: Pick<AdapterUser, "id">; readonly password: string; readonly hash: string },
): Promise<boolean> {
  const format = settings.formats.find((one) => one.matches(hash));
  if (format === undefined) {
    t.logger.warn(
      `password-hash: the stored hash of user ${user.id}${costOf(hash)} is rejected: no configured format accepts it, or checking it would cost more than the format allows. Configure the format in \`accept\`, with that cost, or let the user reset the password.`,
    );
    await verifyNone(settings, clock, password);
    return false;
  }
  return clock.hash(async () => {
    for (const spelling of spellingsOf(password)) {
      // A format of the application may resolve to an object, which is not a proof.
      if ((await format.verify(spelling, hash)) === true) return true;
      if (!isCurrent(settings, hash)) await settings.hash.hash(spelling);
    }
    return false;
  }, format.memoryOf?.(hash));
}

/** What a check needs of its request. */
interface Check {
  readonly t: Pick<Tools, "logger">;
  readonly clock: Clock;
}

/** Name and cost of a hash in the PHC string format, which are not secret. */
function costOf(hash: string): string {
  const [, id, cost] = /^\$([a-z0-9-]{1,32})\$(?:v=\d{1,9}\$)?((?:[a-z]{1,8}=\d{1,9},?){1,8})\$/.exec(hash) ?? [];
  return id === undefined ? "" : ` (${id}, ${cost})`;
}

/**
 * A wrong password takes as long as one checked against a current hash, and is checked in the same turn of the pool.
 */
function isCurrent({ hash }: Settings, text: string): boolean {
  return hash.matches(text) && hash.isCurrent(text);
}

/** Takes as long as a check if there is nothing to check (ASVS 6.3.8). @throws PoolFull. */
export async function verifyNone({ hash }: Settings, clock: Clock, password: string): Promise<void> {
  await clock.hash(async () => {
    for (const spelling of spellingsOf(password)) await hash.hash(spelling);
  });
}

/**
 * The hash that replaces a verified one. Null if it is current, or if more than one password matches it: a user who
 * knows only part of the password must not define the rest.
 */
export async function upgradedHash(
  settings: Settings,
  clock: Clock,
  typed: string,
  former: string,
): Promise<string | null> {
  const { hash, formats } = settings;
  const password = composed(typed);
  if (isCurrent(settings, former)) return null;
  const format = formats.find((one) => one.matches(former));
  if (format?.isTruncated?.(password) === true) return null;
  return clock.hash(() => hash.hash(password));
}
