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

/** How many ways to join ambiguous chunks are tried: of each number of chunks in every way, and together. */
const MAX_WAYS = 8;
const MAX_JOINED = 32;

/** A value that may have been written, as received. */
export interface JoinedValue {
  readonly value: string;
  /** Whether chunks follow that may belong to it. */
  readonly isPart: boolean;
}

/**
 * Joins the chunks of a value. Only `name` and `name.<n>` are read. A browser also sends cookies that a neighbouring site or an
 * earlier version of the application set under these names, so every value that may have been written is returned: the
 * complete cookies, then the unbroken sequences of chunks from 0, the longest first. Never throws.
 *
 * Browsers send the cookies of one writer at the same place among those of their name (RFC 6265 §5.4), so chunks at the same place
 * are joined before others: a neighbour's complete sequence takes no way from ours.
 *
 * @returns usually one value; empty if there is none, or if the first part is missing.
 */
export function joinChunks(name: string, cookies: ReceivedCookies): readonly JoinedValue[] {
  const whole = valuesOf(name, cookies).map((value) => ({ value, isPart: false }));
  if (!cookies.received.has(`${name}.0`)) return whole;
  if (cookies.repeated.size === 0) return [...whole, ...joinSingle(name, cookies)];
  const parts: (readonly string[])[] = [];
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const values = valuesOf(`${name}.${n}`, cookies);
    if (values.length === 0) break;
    parts.push(values);
  }
  const sequences = parts.map((_, shorter) => parts.slice(0, parts.length - shorter));
  const joined = new Map<string, boolean>();
  for (const join of [inStep, inEveryWay]) {
    for (const [shorter, sequence] of sequences.entries()) {
      for (const value of join(sequence)) if (!joined.has(value)) joined.set(value, shorter > 0);
    }
  }
  const chunks = [...joined].map(([value, isPart]) => ({ value, isPart }));
  return [...whole, ...chunks.slice(0, MAX_JOINED)];
}

/** As {@link joinChunks}, where each name was sent once. */
function joinSingle(name: string, { received }: ReceivedCookies): readonly JoinedValue[] {
  const joined: JoinedValue[] = [];
  let value = "";
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const part = received.get(`${name}.${n}`);
    if (part === undefined) break;
    value += part;
    if (part !== "" || n === 0) joined.push({ value, isPart: true });
  }
  return joined.reverse().map((one, shorter) => (shorter === 0 ? { value: one.value, isPart: false } : one));
}

type Sequence = readonly (readonly string[])[];

/** Chunks at the same place among those of their name; where one has fewer values, its last. */
function inStep(sequence: Sequence): readonly string[] {
  const places = Math.max(...sequence.map((values) => values.length));
  return Array.from({ length: places }, (_, place) =>
    sequence.map((values) => values[place] ?? values.at(-1)).join(""),
  );
}

function inEveryWay(sequence: Sequence): readonly string[] {
  const add = (ways: readonly string[], values: readonly string[]) =>
    ways.flatMap((way) => values.map((value) => way + value)).slice(0, MAX_WAYS);
  return sequence.reduce(add, [""]);
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
