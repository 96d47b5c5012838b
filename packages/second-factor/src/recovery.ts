import { readTypedCode, type Tools } from "@cardea/extend";
import { codesOf, listRows, type Row } from "./credentials.ts";
import type { Keep } from "./kept.ts";

/** The number of codes per user. */
const COUNT = 10;

/** 120 bits cannot be guessed, so a fast hash is sufficient (ASVS 6.5.2). */
const CODE_BYTES = 15;

/** RFC 4648 §6. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** How often the update is retried after a concurrent change. */
const MAX_TRIES = 3;

/** At this number or below, users are told to create new codes. */
export const FEW_CODES = 3;

/** How long making new codes may take. Concurrent requests do not wait for it. */
const LOCK_SECONDS = 30;

/**
 * Replaces a user's codes. The new codes are shown once, and only their hashes are stored. Of several concurrent requests one
 * does: the others would show codes that are replaced already.
 *
 * @param keep called after the new codes were stored; false if they had to be removed again.
 * @returns null if another request is replacing them, or the former ones stay.
 * @throws AdapterError, and errors of the store and of `keep`.
 */
export async function renewRecoveryCodes(
  t: Tools,
  userId: string,
  keep: Keep = async () => true,
): Promise<readonly string[] | null> {
  const key = await t.permanentKey("codes", userId);
  const own = t.randomId();
  if ((await t.store?.set(key, own, { ttl: LOCK_SECONDS, ifAbsent: true })) !== true) return null;
  try {
    return await replaceCodes(t, userId, keep);
  } finally {
    // The lock expires by itself.
    await t.store?.swap(key, own, null, { ttl: LOCK_SECONDS }).catch(() => false);
  }
}

/**
 * The former codes are removed last: if the database fails or the process is killed before, they still count, because the oldest row does. No one
 * has seen the new ones then, and the next replacement removes both.
 */
async function replaceCodes(t: Tools, userId: string, keep: Keep): Promise<readonly string[] | null> {
  const former = (await listRows(t, userId)).filter(({ type }) => type === "recovery");
  const codes = Array.from({ length: COUNT }, makeCode);
  const hashes = await Promise.all(codes.map((code) => hashOf(t, userId, code)));
  const createdAt = new Date(t.now() * 1000);
  const { id } = await t.callAdapter("createCredential", {
    userId,
    type: "recovery",
    secret: "sha-256",
    createdAt,
    state: { hashes },
  });
  if (!(await keep(() => t.callAdapter("deleteCredential", id)))) return null;
  for (const row of former) await t.callAdapter("deleteCredential", row.id);
  return codes;
}

/** A consumed code. */
export interface UsedCode {
  /** How many codes are left. */
  readonly left: number;
  /** Id of the row that contained the code. */
  readonly row: string;
  readonly hash: string;
}

/**
 * Consumes a code, atomically across processes.
 *
 * @returns null if the code is wrong.
 * @throws AdapterError.
 */
export async function checkRecoveryCode(t: Tools, userId: string, code: unknown): Promise<UsedCode | null> {
  const hash = await hashOf(t, userId, readTypedCode(code));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = codesOf(await listRows(t, userId));
    const hashes = row === undefined ? [] : hashesOf(row);
    if (row === undefined || !hashes.includes(hash)) return null;
    const left = hashes.filter((one) => one !== hash);
    const { id, version } = row;
    const change = { id, version, state: { hashes: left }, usedAt: new Date(t.now() * 1000) };
    if ((await t.callAdapter("updateCredential", change)) !== null) return { left: left.length, row: id, hash };
  }
  return null;
}

/**
 * Restores a code if an outage interrupted the sign-in, because it may be the last one. Does nothing if new codes were
 * created in the meantime. Never throws.
 */
export async function restoreRecoveryCode(t: Tools, userId: string, { row: id, hash }: UsedCode): Promise<void> {
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const row = codesOf(await listRows(t, userId));
      if (row?.id !== id || hashesOf(row).includes(hash)) return;
      const { version } = row;
      const change = { id, version, state: { hashes: [...hashesOf(row), hash] } };
      if ((await t.callAdapter("updateCredential", change)) !== null) return;
    }
  } catch (error) {
    t.logger.warn("second-factor-code-lost: a recovery code could not be restored after an outage:", error);
  }
}

/** How many codes a user has left. */
export function codesLeft(rows: readonly Row[]): number {
  const row = codesOf(rows);
  return row === undefined ? 0 : hashesOf(row).length;
}

function hashesOf({ state }: Row): readonly string[] {
  const { hashes }: { hashes?: unknown } = Object(state);
  return Array.isArray(hashes) ? hashes.filter((one) => typeof one === "string") : [];
}

/** Ignores case. The hash includes the user, so that a row is useless if copied to another user. */
function hashOf(t: Tools, userId: string, code: string): Promise<string> {
  return t.digest(`recovery code ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

/** Creates a code of 24 base32 characters, in groups of four. */
function makeCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  const characters = Array.from({ length: 24 }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * n)) & 31n)]);
  return characters.join("").replace(/(.{4})(?=.)/g, "$1-");
}
