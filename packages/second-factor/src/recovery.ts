import type { Tools } from "@cardea/core/extend";
import { codesOf, listRows, type Row } from "./credentials.ts";

/** How many codes a user is given. */
const COUNT = 10;

/** 120 bits: no one guesses that, so that a fast hash is enough (ASVS 6.5.2). */
const CODE_BYTES = 15;

/** RFC 4648 §6. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** How often the list of codes is read again when another request changed it in between. */
const MAX_TRIES = 3;

/** From this number on the user should make new ones. */
export const FEW_CODES = 3;

/**
 * Gives a user new codes; the former ones are void. They are shown once, and only their hashes are stored.
 *
 * @throws AdapterError.
 */
export async function renewRecoveryCodes(t: Tools, userId: string): Promise<readonly string[]> {
  const former = (await listRows(t, userId)).filter(({ type }) => type === "recovery");
  for (const { id } of former) await t.callAdapter("deleteCredential", id);
  const codes = Array.from({ length: COUNT }, makeCode);
  const hashes = await Promise.all(codes.map((code) => hashOf(t, userId, code)));
  const createdAt = new Date(t.now() * 1000);
  await t.callAdapter("createCredential", {
    userId,
    type: "recovery",
    secret: "sha-256",
    createdAt,
    state: { hashes },
  });
  return codes;
}

/**
 * Uses a code up, once for all processes.
 *
 * @returns how many are left; null when the code is wrong.
 * @throws AdapterError.
 */
export async function checkRecoveryCode(t: Tools, userId: string, code: unknown): Promise<number | null> {
  if (typeof code !== "string" || code.length > 64) return null;
  const hash = await hashOf(t, userId, code);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = codesOf(await listRows(t, userId));
    const hashes = row === undefined ? [] : hashesOf(row);
    if (row === undefined || !hashes.includes(hash)) return null;
    const left = hashes.filter((one) => one !== hash);
    const { id, version } = row;
    const change = { id, version, state: { hashes: left }, usedAt: new Date(t.now() * 1000) };
    if ((await t.callAdapter("updateCredential", change)) !== null) return left.length;
  }
  return null;
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

/** However it is typed: without case, spaces and dashes. With the user, so that a row is of no use under another. */
function hashOf(t: Tools, userId: string, code: string): Promise<string> {
  return t.digest(`recovery code ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, "")}`);
}

/** Twenty-four characters of five bits, in groups of four. */
function makeCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  const characters = Array.from({ length: 24 }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * n)) & 31n)]);
  return characters.join("").replace(/(.{4})(?=.)/g, "$1-");
}
