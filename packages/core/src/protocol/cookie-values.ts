import type { ReceivedCookies } from "./received-cookies.ts";

/**
 * The values that a request's cookies have for one name: sent several times, escaped by a framework, or split. Browsers silently ignore a
 * cookie of more than 4096 bytes (RFC 6265bis §5.6), so a larger token becomes `<name>.0`, `<name>.1`, …
 */

/** How many values of one name are tried, so that a flood of cookies does not cause a flood of work. */
const MAX_VALUES = 8;

/** The values of a cookie in the order of the header, up to {@link MAX_VALUES}; empty if it was not sent. */
export function valuesOf(name: string, { received, repeated }: ReceivedCookies): readonly string[] {
  const value = received.get(name);
  return value === undefined ? [] : (repeated.get(name)?.slice(0, MAX_VALUES) ?? [value]);
}

/**
 * A cookie's value before `encodeURIComponent`. Our own tokens need no escaping; an application's token may contain any
 * character, which frameworks escape. Never throws: a value with a malformed escape was not written by us, and is returned
 * unchanged.
 */
export function decodeCookieValue(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}

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
interface Chunk {
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

/** A value, with the cookies that it was sent in. */
interface SentValue {
  readonly value: string;
  readonly names: readonly string[];
}

/**
 * The values that may have been written under a name: each whole cookie, then the first unbroken sequence of chunks. It ends with a chunk
 * that is shorter than the first one: what follows is left of a longer value, whose response was overtaken. A name `__Host-` can be set by this host alone; under another one, the cookie of a sibling domain may hide ours (docs/cookies.md). Never throws.
 */
export function joinChunks(name: string, cookies: ReceivedCookies): readonly SentValue[] {
  const whole = valuesOf(name, cookies).map((value) => ({ value, names: [name] }));
  const names: string[] = [];
  const chunks: string[] = [];
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const chunk = cookies.received.get(`${name}.${n}`);
    if (chunk === undefined) break;
    names.push(`${name}.${n}`);
    if (chunks.push(chunk) > 1 && chunk.length < (chunks[0] ?? "").length) break;
  }
  return names.length === 0 ? whole : [...whole, { value: chunks.join(""), names }];
}

/** The names under which parts of a value are stored, in order: those to clear if they are not written again. */
export function storedChunkNames(name: string, cookies: ReadonlyMap<string, string>): readonly string[] {
  const found = cookies.has(name) ? [name] : [];
  for (let n = 0; n < MAX_READ_CHUNKS && found.length < cookies.size; n += 1) {
    const chunk = `${name}.${n}`;
    if (cookies.has(chunk)) found.push(chunk);
  }
  return found;
}
