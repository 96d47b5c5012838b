import { type ReceivedCookies, valuesOf } from "./received-cookies.ts";

/**
 * Splits a session token over several cookies. Browsers silently ignore a cookie of more than 4096 bytes (RFC 6265bis
 * §5.6), so a larger token becomes `<name>.0`, `<name>.1`, …
 */

/** Maximum size of one cookie in bytes: name, value and attributes. */
export const MAX_COOKIE_BYTES = 4096;

/** Maximum number of cookies of one session. Together they stay below the header size that proxies accept. */
export const MAX_CHUNKS = 5;

/**
 * How many chunk cookies of one name are read: a flood of them is not a session, and does not cause a flood of cookies in
 * return.
 */
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
 * @returns one chunk named `name` if it fits, otherwise several named `name.<n>`, or null if more than {@link MAX_CHUNKS}
 *   are needed.
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

/** How many combinations of ambiguous chunks are tried. */
const MAX_ROWS = 8;

/**
 * Joins the chunks of a value. Only `name` and `name.<n>` are read; a complete cookie takes precedence over chunks; chunks
 * must form an unbroken sequence from 0. Never throws.
 *
 * @returns the value; several if a name was sent with different values, so that a bad value cannot hide a good one. Empty
 *   if there is none, or if a part is missing.
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

/** The names under which parts of a value are stored, in order: those to clear if they are not written again. */
export function storedChunkNames(name: string, cookies: ReadonlyMap<string, string>): readonly string[] {
  const found = cookies.has(name) ? [name] : [];
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const chunk = `${name}.${n}`;
    if (cookies.has(chunk)) found.push(chunk);
  }
  return found;
}
