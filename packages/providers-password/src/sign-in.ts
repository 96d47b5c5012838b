import {
  type AdapterUser,
  type Admission,
  type Candidate,
  CredentialsSignin,
  parseEmailAddress,
  type RequestTools,
  type Tools,
} from "@cardea/core/extend";
import { minFor } from "./choose.ts";
import {
  CLOCKS_DIFFER,
  findPassword,
  stateOf,
  storePassword,
  upgradedHash,
  verifyHash,
  verifyNone,
} from "./credential.ts";
import { tryNone, tryOnce } from "./failures.ts";
import { PoolFull } from "./hash/pool.ts";
import type { Settings } from "./options.ts";
import { isTooLong } from "./rule/check-rule.ts";
import { type Clock, runtimeOf } from "./runtime.ts";

/**
 * Checks an address and a password. Each answer takes the same time, whether the address is known or not, and whatever its hash is
 * (ASVS 6.3.8).
 *
 * 1. The user with the address, and the stored hash; without one, that of `legacy`.
 * 2. A hash is checked, or one of the same cost made.
 * 3. After a hundred wrong passwords in a row no password is right until the address is proven (NIST SP 800-63B-4 §3.2.2).
 * 4. A hash of another format, or of former parameters, is replaced unless the password changed meanwhile.
 * 5. A password that was changed while the former one was being checked counts: who knows the former one is not signed in.
 *
 * @throws CredentialsSignin (`busy`) when too many passwords are being checked. AdapterError.
 */
export async function checkPassword(
  settings: Settings,
  t: RequestTools,
  { email, password }: Readonly<Record<string, string>>,
): Promise<AdapterUser | null> {
  try {
    const clock = await runtimeOf(t, settings).begin();
    const proven = await findProven(settings, t, clock, email ?? "", password ?? "");
    await clock.end();
    return proven !== null && (await isStillRight(settings, t, clock, proven)) ? proven.user : null;
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
  const known = address === null || isTooLong(password, settings.rule) ? null : await findStored(settings, t, address);
  if (known === null) {
    await tryNone(t, () => verifyNone(settings, clock, password.slice(0, settings.rule.max)));
    return null;
  }
  const { user, hash, credential } = known;
  if (!(await tryOnce(t, user.id, () => verifyHash(settings, clock, password, hash)))) return null;
  const upgraded = await upgrade(settings, t, clock, { ...known, password });
  return { user, password, secrets: [hash, upgraded], isStored: credential !== null };
}

/** Who proved a password, and the stored hashes that it belongs to. */
interface Proven {
  readonly user: AdapterUser;
  readonly password: string;
  readonly secrets: readonly (string | null)[];
  /** False where the hash came from `legacy`. */
  readonly isStored: boolean;
}

/** A check waits for its turn, and its user may choose a new password meanwhile. Another sign-in may have replaced the hash as well. */
async function isStillRight(settings: Settings, t: Tools, clock: Clock, proven: Proven): Promise<boolean> {
  const { user, password, secrets, isStored } = proven;
  const now = await findPassword(t, user.id);
  if (now === null) return !isStored;
  return secrets.includes(now.secret) || verifyHash(settings, clock, password, now.secret);
}

/**
 * 1. A sign-in may wait for another proof: a password that was changed meanwhile is no proof any more.
 * 2. A password that was long enough beside a second factor, and is not without one, is asked to grow before there is a session. It is
 *    asked last: every other extension has admitted the user by then.
 *
 * @throws AdapterError.
 */
export async function admitPassword(
  settings: Settings,
  { account, user, facts }: Candidate,
  t: RequestTools,
): Promise<Admission> {
  if (account.provider !== settings.id || user.id === undefined) return { admit: true };
  const now = await findPassword(t, user.id);
  const [, provenAt = 0] = facts.f.find(([method]) => method === "pwd") ?? [];
  const isChanged = now !== null && (stateOf(now).setAt ?? 0) > 1000 * (provenAt + 1) + CLOCKS_DIFFER;
  if (isChanged) return { refuse: "the password was changed during the sign-in" };
  const isShort = now !== null && stateOf(now).short === true;
  return isShort && (await minFor(settings, t, user)) === settings.rule.min ? { ask: "password" } : { admit: true };
}

type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>;

/** The user with an address and their hash, wherever it is stored. What `legacy` knows counts only for a user without a password here. */
async function findStored({ legacy }: Settings, t: Tools, address: string) {
  const user = await findUser(t, address);
  const credential = user === null ? null : await findPassword(t, user.id);
  if (user !== null && credential !== null) return { user, hash: credential.secret, credential };
  const former = await legacy?.(address);
  if (former === null || former === undefined) return null;
  if (user?.id === former.userId) return { user, hash: former.hash, credential: null };
  const owner = await t.callAdapter("getUser", former.userId);
  const own = owner === null ? null : await findPassword(t, owner.id);
  return owner === null ? null : { user: owner, hash: own?.secret ?? former.hash, credential: own };
}

/** The user with an address: exactly this one, whatever a database takes for equal. */
export async function findUser(t: Tools, address: string): Promise<AdapterUser | null> {
  const user = await t.callAdapter("getUserByEmail", address);
  const own = parseEmailAddress(user?.email ?? "", { allowLocalDomains: true });
  return own === address ? user : null;
}

/** A full pool, or a change by another request, leaves it for the next sign-in. Returns the new hash; null without one. */
async function upgrade(settings: Settings, t: Tools, clock: Clock, proven: Stored & { readonly password: string }) {
  const { user, hash, credential, password } = proven;
  try {
    const better = await upgradedHash(settings, clock, password, hash);
    // A password that another library took is not asked to grow: it was never promised a second factor.
    const { setAt = 0, short = false } = credential === null ? {} : stateOf(credential);
    if (better !== null || credential === null)
      await storePassword(t, user.id, credential, { hash: better ?? hash, short }, setAt);
    return better;
  } catch (error) {
    if (error instanceof PoolFull) return null;
    throw error;
  }
}
