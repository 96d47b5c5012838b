import {
  type AdapterUser,
  type Admission,
  type Candidate,
  CredentialsSignin,
  isId,
  isSameId,
  parseEmailAddress,
  type RequestTools,
  type Tools,
} from "@cardea/extend";
import { minFor } from "./choose.ts";
import { findPassword, stateOf, storePassword, upgradedHash, verifyHash, verifyNone } from "./credential.ts";
import { tryNone, tryOnce } from "./failures.ts";
import { PoolFull } from "./hash/pool.ts";
import type { Settings } from "./options.ts";
import { isTooLong } from "./rule/check-rule.ts";
import { type Clock, runtimeOf } from "./runtime.ts";
import { composed, spellingsOf } from "./spellings.ts";

/**
 * Checks an address and a password. The response time is the same whether or not the address is known, and for every
 * hash format (ASVS 6.3.8).
 *
 * 1. Finds the user and the stored hash or, without one, the hash from `legacy`.
 * 2. Checks the hash, or computes one of the same cost.
 * 3. After one hundred consecutive wrong passwords, rejects every password until the address is verified (NIST SP
 *    800-63B-4 §3.2.2).
 * 4. Upgrades a hash of another format or with outdated parameters, unless the password has changed in the meantime.
 * 5. If the password changed during the check, the previous password is rejected; if it changes afterwards, so is the sign-in.
 *
 * @throws CredentialsSignin (`busy`) if too many passwords are being checked; AdapterError.
 */
export async function checkPassword(
  settings: Settings,
  t: RequestTools,
  { email, password }: Readonly<Record<string, string>>,
): Promise<AdapterUser | null> {
  const bounded = (password ?? "").slice(0, 4 * settings.rule.max + 1);
  try {
    const clock = await runtimeOf(t, settings).begin(spellingsOf(bounded).length);
    const proven = await findProven(settings, t, clock, email ?? "", bounded);
    await clock.end();
    if (proven === null) return null;
    await t.watchSessions(proven.user.id);
    return (await isStillRight(settings, t, clock, proven)) ? proven.user : null;
  } catch (error) {
    throw error instanceof PoolFull ? busy(error) : error;
  }
}

function busy({ message, retryAfter }: PoolFull): CredentialsSignin {
  const refusal = new CredentialsSignin(message, { cause: { retryAfter, busy: true } });
  refusal.code = "busy";
  return refusal;
}

async function findProven(
  settings: Settings,
  t: Tools,
  clock: Clock,
  email: string,
  password: string,
): Promise<Proven | null> {
  const address = parseEmailAddress(email, { allowLocalDomains: true });
  const known =
    address === null || isTooLong(composed(password), settings.rule)
      ? null
      : await findStored(settings, t, email, address);
  if (known === null) {
    await tryNone(t, () => verifyNone(settings, clock, password.slice(0, settings.rule.max)));
    return null;
  }
  const { user, hash, credential } = known;
  if (!(await tryOnce(t, user, () => verifyHash(settings, { t, clock }, { user, password, hash })))) return null;
  const upgraded = await upgrade(settings, t, clock, { ...known, password });
  return { user, password, secrets: [hash, upgraded], isStored: credential !== null };
}

/** The user who proved a password, with the matching stored hashes. */
interface Proven {
  readonly user: AdapterUser;
  readonly password: string;
  readonly secrets: readonly (string | null)[];
  /** False if the hash came from `legacy`. */
  readonly isStored: boolean;
}

/**
 * A check waits for its turn; in the meantime, the user may choose a new password, or another sign-in may upgrade the
 * hash.
 */
async function isStillRight(settings: Settings, t: Tools, clock: Clock, proven: Proven): Promise<boolean> {
  const { user, password, secrets, isStored } = proven;
  const now = await findPassword(t, user.id);
  if (now === null) return !isStored;
  return secrets.includes(now.secret) || verifyHash(settings, { t, clock }, { user, password, hash: now.secret });
}

/**
 * A password that is too short without a second factor must be replaced before a session is issued. This is checked last, after every other
 * extension has admitted the user.
 *
 * @throws AdapterError.
 */
export async function admitPassword(
  settings: Settings,
  { account, user }: Candidate,
  t: RequestTools,
): Promise<Admission> {
  if (account.provider !== settings.id || user.id === undefined) return { admit: true };
  const now = await findPassword(t, user.id);
  const isShort = now !== null && stateOf(now).short === true;
  return isShort && (await minFor(settings, t, user)) === settings.rule.min ? { ask: "password" } : { admit: true };
}

type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>;

/**
 * Finds the user with an address, and their hash. A hash from `legacy` counts only for a user without a stored
 * password.
 */
async function findStored({ legacy }: Settings, t: Tools, spelling: string, address: string) {
  const user = await t.findUserByAddress(spelling);
  const credential = user === null ? null : await findPassword(t, user.id);
  if (user !== null && credential !== null) return { user, hash: credential.secret, credential };
  const former = await legacy?.(address);
  if (former === null || former === undefined) return null;
  if (!isId(former.userId) || typeof former.hash !== "string")
    throw new TypeError("Password(): `legacy` must return null, or a user's id and the text of a hash.");
  if (user !== null && isSameId(user.id, former.userId)) return { user, hash: former.hash, credential: null };
  const owner = await t.callAdapter("getUser", former.userId);
  const own = owner === null ? null : await findPassword(t, owner.id);
  return owner === null ? null : { user: owner, hash: own?.secret ?? former.hash, credential: own };
}

/**
 * If the pool is full or another request changed the hash, the upgrade is left to the next sign-in. Returns the new
 * hash, or null.
 */
async function upgrade(settings: Settings, t: Tools, clock: Clock, proven: Stored & { readonly password: string }) {
  const { user, hash, credential, password } = proven;
  try {
    const better = await upgradedHash(settings, clock, password, hash);
    // A password accepted by another library need not be replaced: its length did not depend on a second factor.
    const { short = false } = credential === null ? {} : stateOf(credential);
    if (better !== null || credential === null)
      await storePassword(t, user.id, credential, { hash: better ?? hash, short });
    return better;
  } catch (error) {
    if (error instanceof PoolFull) return null;
    throw error;
  }
}
