import { type ReceivedCookies, valuesOf } from "./received-cookies.ts";

/**
 * Splitting a session token over several cookies. Browsers ignore a cookie over 4096 bytes without a word
 * (RFC 6265bis §5.6), so a larger token becomes `<name>.0`, `<name>.1`, …
 */

/** The most that name, value and attributes of one cookie take together, in bytes. */
export const MAX_COOKIE_BYTES = 4096;

/** The most cookies one session may take: together they stay below what proxies accept as a header. */
export const MAX_CHUNKS = 5;

/** How many chunk cookies of one name are looked at; a flood of them is no session and is not answered with a flood. */
export const MAX_READ_CHUNKS = 16;

/** One cookie's part of a value. */
export interface Chunk {
  readonly name: string;
  readonly value: string;
}

/**
 * Splits a value so that each cookie stays within the limit. Inverse of {@link joinChunks}.
 *
 * @param name name of the cookie.
 * @param value ASCII; one character is one byte.
 * @param attributesLength bytes of the serialised attributes, `; Path=/` and so on.
 * @returns one chunk named `name` when all fits, several named `name.<n>` otherwise, or null when it takes more than {@link MAX_CHUNKS}.
 */
export function splitChunks(name: string, value: string, attributesLength: number): readonly Chunk[] | null {
  const whole = MAX_COOKIE_BYTES - attributesLength - name.length - 1;
  if (value.length <= whole) return [{ name, value }];
  const room = whole - ".0".length;
  if (room <= 0) return null;
  const count = Math.ceil(value.length / room);
  if (count > MAX_CHUNKS) return null;
  return Array.from({ length: count }, (_, n) => ({
    name: `${name}.${n}`,
    value: value.slice(n * room, (n + 1) * room),
  }));
}

/** How many ways to put ambiguous chunks together are tried. */
const MAX_ROWS = 8;

/**
 * Puts a value together again. Only exactly `name` and `name.<n>` are read; a whole cookie wins over chunks; chunks count
 * only as one unbroken row from 0. Never throws.
 *
 * @returns the value; several where a name was sent with different values: a bad one must not hide a good one. Empty when there
 *   is none or a part is missing.
 */
export function joinChunks(name: string, cookies: ReceivedCookies): readonly string[] {
  const whole = valuesOf(name, cookies);
  if (whole.length > 0) return whole;
  const names = storedChunkNames(name, cookies.received);
  const unbroken = names.every((stored, n) => stored === `${name}.${n}`);
  if (names.length === 0 || !unbroken) return [];
  let rows: readonly string[] = [""];
  for (const stored of names) {
    const parts = valuesOf(stored, cookies);
    rows = rows.flatMap((row) => parts.map((part) => row + part)).slice(0, MAX_ROWS);
  }
  return [...new Set(rows)];
}

/** The names under which something is stored, in order: what has to be cleared when it is not written again. */
export function storedChunkNames(name: string, cookies: ReadonlyMap<string, string>): readonly string[] {
  const found = cookies.has(name) ? [name] : [];
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const chunk = `${name}.${n}`;
    if (cookies.has(chunk)) found.push(chunk);
  }
  return found;
}
