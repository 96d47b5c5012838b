import { type EpochSeconds, type RequestTools, toError, type VerificationToken } from "@cardea/extend";
import { CHALLENGE_LIFETIME } from "./challenge-lifetime.ts";
import { hashOf, randomToken, toHex } from "./primitives.ts";
import { refusal } from "./refusal.ts";

/**
 * Used challenges (WebAuthn L3 §13.5.3: single use). Each process remembers those that it consumed; before a signature is
 * verified, the hash is stored as a verification token, which every process sees. Options write nothing, so visitors cannot
 * fill the table. The process that wrote a record deletes it after it expires, a few at each use.
 */

/** Longer than any challenge: a record must not be deleted while its challenge could still be used. */
const MARK_LIFETIME = CHALLENGE_LIFETIME + 120;

/** How many consumed challenges one process remembers; the oldest are dropped. The database records remain. */
const MAX_REMEMBERED = 10_000;

/** How many expired records are deleted at each use. */
const MAX_SWEPT = 10;

type Key = Pick<VerificationToken, "identifier" | "token">;

interface UsedChallenge {
  readonly key: Key;
  readonly until: EpochSeconds;
  /** Whether the database has a record for it. */
  stored: boolean;
}

const usedBy = new WeakMap<object, Map<string, UsedChallenge>>();

/** Whether databases reject a second record with the same key, by application. */
const refusesDuplicates = new WeakMap<object, boolean>();

/** The identifier cannot equal an e-mail address; the challenge is random, so its hash needs no secret. */
export async function keyOf({ id }: { readonly id: string }, challenge: string): Promise<Key> {
  return { identifier: `webauthn:${id}`, token: toHex(await hashOf(`webauthn challenge ${challenge}`)) };
}

/** Consumes a challenge in this process; false if it was consumed before. */
export function consumeHere(t: RequestTools, key: Key): boolean {
  const used = usedChallengesOf(t);
  if (used.has(key.token)) return false;
  used.set(key.token, { key, until: t.now() + MARK_LIFETIME, stored: false });
  for (const oldest of used.keys()) {
    if (used.size <= MAX_REMEMBERED) break;
    used.delete(oldest);
  }
  return true;
}

/**
 * Marks a challenge as used, for every process.
 *
 * @throws WebAuthnVerificationError (`replay`) if it is already marked; AdapterError.
 */
export async function markUsed(t: RequestTools, provider: { readonly id: string }, challenge: string): Promise<void> {
  const key = await keyOf(provider, challenge);
  await sweep(t);
  const isUnique = refusesDuplicates.get(t.application) ?? (await probe(t));
  refusesDuplicates.set(t.application, isUnique);
  const row = { ...key, expires: new Date((t.now() + MARK_LIFETIME) * 1000) };
  if (!isUnique && !(await isFirst(t, key))) throw refusal(provider, "replay");
  // A database that overwrites does not report an existing record. It is read first, and the record restored.
  const isMarked = isUnique ? false : await consumeRow(t, key);
  try {
    await t.callAdapter("createVerificationToken", row);
  } catch (error) {
    // Rejected because the record exists, or because the database fails: in that case it rejects another record as well.
    if (isUnique && (await probe(t))) throw refusal(provider, "replay", toError(error));
    throw error;
  }
  if (isMarked) throw refusal(provider, "replay");
  const entry = usedChallengesOf(t).get(key.token);
  if (entry !== undefined) entry.stored = true;
}

/** Whether this process is the first of those that share the store to use a challenge; without a store it is unknown. */
async function isFirst(t: RequestTools, { token }: Key): Promise<boolean> {
  const key = await t.permanentKey("challenge", token);
  return (await t.store?.set(key, "used", { ttl: MARK_LIFETIME, ifAbsent: true })) !== false;
}

/**
 * Finds out whether the database rejects a second record with the same key, using a record that is deleted immediately. The
 * second record is tried twice, so that a passing failure is not taken for a rejection.
 *
 * @throws AdapterError if it rejects the first one, or the record cannot be deleted.
 */
async function probe(t: RequestTools): Promise<boolean> {
  const key = { identifier: "webauthn-probe", token: randomToken() };
  const row = { ...key, expires: new Date((t.now() + MARK_LIFETIME) * 1000) };
  await t.callAdapter("createVerificationToken", row);
  const isRejected = () =>
    t.callAdapter("createVerificationToken", row).then(
      () => false,
      () => true,
    );
  const refused = (await isRejected()) && (await isRejected());
  while (await consumeRow(t, key)) if (refused) break;
  return refused;
}

async function consumeRow(t: RequestTools, key: Key): Promise<boolean> {
  const row = await t.callAdapter("useVerificationToken", key);
  // An adapter that compared only the identifier would accept any challenge (CVE-2022-39263).
  return Boolean(row) && row?.identifier === key.identifier && (row.token ?? key.token) === key.token;
}

/** Forgets expired challenges and deletes their records. A record that cannot be deleted now is left to the operator. */
async function sweep(t: RequestTools): Promise<void> {
  const used = usedChallengesOf(t);
  let swept = 0;
  for (const [token, { key, until, stored }] of used) {
    if (until > t.now() || swept >= MAX_SWEPT) break;
    used.delete(token);
    if (!stored) continue;
    swept += 1;
    await consumeRow(t, key).catch((error: unknown) => t.logger.error(toError(error)));
  }
}

function usedChallengesOf({ application }: RequestTools): Map<string, UsedChallenge> {
  const used = usedBy.get(application) ?? new Map<string, UsedChallenge>();
  usedBy.set(application, used);
  return used;
}
