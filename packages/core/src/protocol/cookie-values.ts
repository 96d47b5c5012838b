import type { ReceivedCookies } from "./received-cookies.ts";

/**
 * The values that a request's cookies have for one name: sent several times, escaped by a framework, or split. Browsers silently ignore a
 * cookie of more than 4096 bytes (RFC 6265bis §5.6), so a larger token becomes `<name>.0`, `<name>.1`, …
 */

/**
 * Maximum number of values to try for one name, so that a flood of cookies does not cause a flood of work. A neighbouring site
 * can set one for the parent domain and one for each prefix of the path, and all of them may come before ours.
 */
export const MAX_VALUES = 24;

/**
 * The values of a cookie in the order in which to try them, up to {@link MAX_VALUES}; empty if it was not sent. Those at the beginning
 * and at the end of the header take turns: browsers send the cookies of longer paths before ours, which is for `/` (RFC 6265 §5.4).
 */
export function valuesOf(name: string, { received, repeated }: ReceivedCookies): readonly string[] {
  const value = received.get(name);
  if (value === undefined) return [];
  const values = repeated.get(name);
  if (values === undefined) return [value];
  const distinct = new Set<string>();
  for (let n = 0; n < values.length && distinct.size < MAX_VALUES; n += 1) {
    distinct.add(values.at(n % 2 === 0 ? n / 2 : -(n + 1) / 2) ?? "");
  }
  return [...distinct];
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

/** Results by the cookies of a request, because several parts of the library read the same session. */
const joinedFor = new WeakMap<object, Map<string, readonly JoinedValue[]>>();

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

/** Maximum number of values of one chunk that are joined, of ways to join them for each number of chunks, and in total. */
const MAX_PLACES = 8;
const MAX_WAYS = 8;
const MAX_JOINED = 16;

/** A candidate value, as received. */
interface JoinedValue {
  readonly value: string;
  /** Whether more chunks follow that may belong to it. */
  readonly isPart: boolean;
}

/**
 * Joins the chunks of a value. Only `name` and `name.<n>` are read. A browser also sends cookies that a neighbouring site or an
 * earlier version of the application set under these names, so every value that may have been written is returned. Complete
 * cookies and sequences of chunks from 0 alternate, so that neither can hide the other. Of sequences, those come first that end where
 * {@link splitChunks} would end them, with the first shorter chunk; then the longest. Never throws.
 *
 * If names were sent several times, browsers order the cookies of each name in the same way (RFC 6265 §5.4). Chunks at the same
 * position are therefore joined first, so that a neighbour's chunks do not use up the limit before ours.
 *
 * @returns usually one value; empty if there is none, or if the first part is missing.
 */
export function joinChunks(name: string, cookies: ReceivedCookies): readonly JoinedValue[] {
  const whole = valuesOf(name, cookies).map((value) => ({ value, isPart: false }));
  if (!cookies.received.has(`${name}.0`)) return whole;
  const known = joinedFor.get(cookies.received) ?? new Map<string, readonly JoinedValue[]>();
  joinedFor.set(cookies.received, known);
  const joined = known.get(name) ?? joinParts(partsOf(name, cookies));
  known.set(name, joined);
  return joined.flatMap((one, n) => [...whole.slice(n, n + 1), one]).concat(whole.slice(joined.length));
}

function partsOf(name: string, cookies: ReceivedCookies): Parts {
  const parts: (readonly string[])[] = [];
  for (let n = 0; n < MAX_READ_CHUNKS; n += 1) {
    const values = valuesOf(`${name}.${n}`, cookies).slice(0, MAX_PLACES);
    if (values.length === 0) break;
    parts.push(values);
  }
  return parts;
}

/** The received values of each chunk. */
type Parts = readonly (readonly string[])[];

/** A sequence of chunks. */
interface Sequence {
  readonly value: string;
  readonly count: number;
  /** The length of its chunks; 0 once one of them has another length. */
  readonly size: number;
  /** Whether its last chunk is the first shorter one. */
  readonly isEnded: boolean;
}

const START: Sequence = { value: "", count: 0, size: 0, isEnded: false };

function append({ value: former, count, size }: Sequence, value: string): Sequence {
  const expected = count === 0 ? value.length : size;
  const isFull = value.length === expected;
  return { value: former + value, count: count + 1, size: isFull ? expected : 0, isEnded: value.length < expected };
}

function joinParts(parts: Parts): readonly JoinedValue[] {
  const isPart = (count: number) => count < parts.length;
  // Nearly always: one value of each chunk, and so one sequence of each length.
  if (parts.every((values) => values.length === 1))
    return byLength(inStep(parts).flat()).map(({ value, count }) => ({ value, isPart: isPart(count) }));
  const joined = new Map<string, JoinedValue>();
  for (const { value, count } of [...inTurns(inStep(parts)), ...byLength(inEveryWay(parts).flat())])
    if (joined.size < MAX_JOINED && !joined.has(value)) joined.set(value, { value, isPart: isPart(count) });
  return [...joined.values()];
}

/** Those that end with a shorter chunk first, then the longest. */
function byLength(sequences: readonly Sequence[]): readonly Sequence[] {
  return sequences.toSorted((a, b) => Number(b.isEnded) - Number(a.isEnded) || b.count - a.count);
}

/** The best sequence of each position, then the second best of each, so that no position hides another. */
function inTurns(steps: readonly (readonly Sequence[])[]): readonly Sequence[] {
  const [first = []] = steps;
  const columns = first.map((_, place) => byLength(steps.flatMap((step) => step.slice(place, place + 1))));
  return steps.flatMap((_, rank) => columns.flatMap((column) => column.slice(rank, rank + 1)));
}

/** For each number of chunks: joins the values at the same position. If a chunk has fewer values, its last one is used. */
function inStep(parts: Parts): (readonly Sequence[])[] {
  const places = Math.max(...parts.map((values) => values.length));
  return scan(parts, new Array<Sequence>(places).fill(START), (former, values) =>
    former.map((sequence, place) => append(sequence, values[place] ?? values.at(-1) ?? "")),
  );
}

/** For each number of chunks: the first few combinations of their values. */
function inEveryWay(parts: Parts): (readonly Sequence[])[] {
  return scan(parts, [START], (ways, values) => {
    const kept = ways.slice(0, Math.ceil(MAX_WAYS / values.length));
    return kept.flatMap((way) => values.map((value) => append(way, value))).slice(0, MAX_WAYS);
  });
}

/** Every step of a reduction. A longer sequence extends a shorter one, so each chunk is added once. */
function scan(
  parts: Parts,
  start: readonly Sequence[],
  add: (former: readonly Sequence[], values: readonly string[]) => Sequence[],
) {
  const steps: (readonly Sequence[])[] = [];
  for (const values of parts) steps.push(add(steps.at(-1) ?? start, values));
  return steps;
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
