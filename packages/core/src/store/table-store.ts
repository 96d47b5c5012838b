import { randomUuid, sha256Hex } from "../crypto/primitives.ts";
import type { Store, StoreCount, StoreEntries, StoreLog } from "../model/store.ts";
import type { Seconds } from "../model/units.ts";
import { parseCount, requireSafe, requireSeconds, requireText } from "./store-values.ts";

/**
 * A row of the shared state: a text, a counter, or the head of a log. For a counter, `value` is null and the number is
 * `version`, which the database changes atomically. For a log, `value` is its generation and `version` the number of its last
 * entry.
 */
export interface StateRow {
  /** At most 150 characters that every database distinguishes, regardless of collation. */
  readonly key: string;
  /** A text; null for a counter. */
  readonly value: string | null;
  /** Null: no expiry. */
  readonly expires: Date | null;
  /** A safe integer. Each write of a text changes it. */
  readonly version: number;
}

/** What holds for a row that is unchanged since it was read. */
export interface UnchangedState {
  /** The key of the row. */
  readonly key: string;
  /** Its version. */
  readonly version: number;
  /** Whether `value` is a text; otherwise it is null. */
  readonly isText: boolean;
  /**
   * The row has expired at this time; null if that does not matter. Required of an expired row, because a counter that started
   * again meanwhile can have reached the same version.
   */
  readonly expiredAt: Date | null;
}

/** An entry of a log, as its table has it. */
export interface StateLogRow {
  /** The `value` of the log's head. */
  readonly generation: string;
  /** Its number, a safe integer. */
  readonly seq: number;
  /** Its text. */
  readonly entry: string;
  /** When it may be deleted. */
  readonly expires: Date;
}

/** The table of the shared state. Each method is one atomic step, and compares keys exactly. */
export interface StateTable {
  /** The row of a key, expired or not; null if there is none. */
  find(key: string): Promise<StateRow | null>;
  /** Inserts a row; false if its key is taken, which must not abort a surrounding transaction. */
  create(row: StateRow): Promise<boolean>;
  /** Sets a text unconditionally: inserts the row, or sets `value` and `expires` of the existing one and adds 1 to its `version`. */
  put(row: StateRow): Promise<void>;
  /** Changes a row, or deletes it (`next` is null), if it is unchanged. Resolves to whether it was. */
  replace(read: UnchangedState, next: Omit<StateRow, "key"> | null): Promise<boolean>;
  /**
   * Adds to a counter that has not expired at `now` and is between `least` and `most`. Resolves to its row; null if there is none
   * such.
   */
  increment(
    key: string,
    by: number,
    when: { readonly now: Date; readonly least: number; readonly most: number },
  ): Promise<StateRow | null>;
  /** Deletes the rows that expired first, before a time, `limit` at most. Resolves to their number. */
  purge(before: Date, limit: number): Promise<number>;
}

/** The tables of logs. */
export interface StateLogTable {
  /**
   * Appends an entry in one transaction: creates the row `head` in the table of the state, or adds 1 to the `version` of the
   * existing one, inserts the entry with that version as its number, and puts the texts in the given order. The row of the log is
   * locked until the end: therefore, numbers are in the order of commits, and a rolled-back entry leaves no gap. A database
   * sequence would be numbered at insert but visible at commit: a reader that saw 11 would never see 10.
   *
   * @returns the entry as stored.
   */
  append(
    head: StateRow,
    row: { readonly name: string; readonly entry: string; readonly expires: Date },
    texts: readonly StateRow[],
  ): Promise<StateLogRow>;
  /**
   * The generation of a log, null if it has none, and its entries from a number on, in order.
   *
   * @param o `key`: of the head of the log. `limit`: the most entries; absent: all of them.
   */
  read(
    name: string,
    o: { readonly key: string; readonly from: number; readonly limit: number | undefined },
  ): Promise<{ readonly generation: string | null; readonly entries: readonly StateLogRow[] }>;
  /** Deletes the entries of a log that expired first, before a time, `limit` at most, of those with a lower number. */
  purge(name: string, below: number, before: Date, limit: number): Promise<void>;
}

/** Attempts at a change that others changed first. */
const ATTEMPTS = 20;

/** After this many writes, expired rows are deleted: more than could have been created since. */
const WRITES_UNTIL_PURGE = 200;

/** The most rows that one statement deletes, so that it holds locks briefly; D1 binds at most 100 values. */
const ROWS_PER_PURGE = 98;

/** How many such statements follow each other. */
const PURGES = 5;

/** How long a row is kept after it expires, to allow for different server clocks. */
const GRACE_MS = 60 * 60 * 1000;

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16;

/**
 * A store in two tables of a database. Expiry is determined by the clocks of the writing and reading processes.
 *
 * @param log absent for a database without transactions.
 */
export function tableStore(states: StateTable, log?: StateLogTable): Store {
  let written = 0;
  /** The result of a write, after some of which expired rows are deleted. A failed cleanup is repeated by the next one. */
  const afterWrite = async <T>(result: T): Promise<T> => {
    if (++written % WRITES_UNTIL_PURGE === 0) await purge(states).catch(() => undefined);
    return result;
  };
  return {
    async get(name) {
      return currentText(await states.find(await storedKey(name)));
    },
    async set(name, value, { ttl, ifAbsent }) {
      const text = { value: requireText(value, "value"), expires: expiryAfter(ttl) };
      const key = await storedKey(name);
      if (ifAbsent === true) return afterWrite(await swapText(states, key, null, text));
      await states.put({ key, ...text, version: firstVersion() });
      return afterWrite(true);
    },
    async add(name, by, { ttl }) {
      if (!Number.isSafeInteger(by)) throw new RangeError(`Counters must be safe integers; cannot add ${by}.`);
      const expires = expiryAfter(ttl);
      return afterWrite(await addToCounter(states, await storedKey(name), by, expires));
    },
    async swap(name, expected, next, { ttl }) {
      const expires = expiryAfter(ttl);
      const text = next === null ? null : { value: requireText(next, "next"), expires };
      return afterWrite(await swapText(states, await storedKey(name), expected, text));
    },
    ...(log && { log: tableLog(log) }),
  };
}

/** The expiry of a value written now. @throws RangeError unless the duration is positive. */
function expiryAfter(ttl: Seconds | null): Date | null {
  return ttl === null ? null : new Date(Date.now() + Math.ceil(requireSeconds(ttl) * 1000));
}

const isOver = ({ expires }: StateRow): boolean => expires !== null && expires.getTime() <= Date.now();

/** The text of a row, which is a counter's number; null without a row, and once it has expired. */
function currentText(row: StateRow | null): string | null {
  return row === null || isOver(row) ? null : (row.value ?? String(row.version));
}

/** The initial version of a text. Random, so that a deleted and recreated row differs, and far from the end of 32 bits. */
function firstVersion(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 2;
}

function unchanged(row: StateRow): UnchangedState {
  const { key, value, version } = row;
  return { key, version, isText: value !== null, expiredAt: isOver(row) ? new Date() : null };
}

/** The work of a store's `swap`: replaces the expected text. If the row changes meanwhile, its text is compared again. */
async function swapText(
  states: StateTable,
  key: string,
  expected: string | null,
  next: Pick<StateRow, "value" | "expires"> | null,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // Usually there is no row, so that one statement does.
    if (expected === null && next !== null && (await states.create({ key, ...next, version: firstVersion() })))
      return true;
    const row = await states.find(key);
    if (currentText(row) !== expected) return false;
    if (next === null && expected === null) return true;
    const version = row?.value == null ? firstVersion() : row.version + 1;
    if (row !== null && (await states.replace(unchanged(row), next && { ...next, version }))) return true;
  }
  throw new Error(`The key ${key} could not be written: too many concurrent changes.`);
}

/**
 * Adds to the counter of a row.
 *
 * 1. An existing counter is changed in one database operation.
 * 2. Otherwise one is created: as a new row, in place of an expired one, or from a text that is a number. If another
 *    caller was first, start over.
 */
async function addToCounter(states: StateTable, key: string, by: number, expires: Date | null): Promise<StoreCount> {
  const [least, most] = [Number.MIN_SAFE_INTEGER - Math.min(by, 0), Number.MAX_SAFE_INTEGER - Math.max(by, 0)];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row =
      (await states.increment(key, by, { now: new Date(), least, most })) ??
      (await makeCounter(states, key, by, expires));
    if (row !== null) return toCount(row);
  }
  throw new Error(`The counter ${key} could not be written: too many concurrent changes.`);
}

/** Creates the counter with its first value; null if another caller was first. */
async function makeCounter(
  states: StateTable,
  key: string,
  by: number,
  expires: Date | null,
): Promise<StateRow | null> {
  const row = await states.find(key);
  const first: StateRow = { key, value: null, version: by, expires };
  if (row === null) return (await states.create(first)) ? first : null;
  const text = currentText(row);
  const counter = text === null ? first : { ...row, value: null, version: requireSafe(parseCount(text, key) + by) };
  if (text !== null && row.value === null) return null;
  const { key: _key, ...next } = counter;
  return (await states.replace(unchanged(row), next)) ? counter : null;
}

function toCount({ version, expires }: StateRow): StoreCount {
  const ttl = expires === null ? null : Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
  return { value: version, ttl };
}

/** Deletes some of the rows that expired long ago, the oldest first. */
async function purge(states: StateTable): Promise<void> {
  const before = new Date(Date.now() - GRACE_MS);
  for (let n = 0; n < PURGES; n++) if ((await states.purge(before, ROWS_PER_PURGE)) === 0) return;
}

/**
 * The log of a store. A position is `<generation>.<number>.<mark>`: after a failover to a replica that lags behind, other
 * entries may have the numbers of lost ones; their marks differ.
 */
function tableLog(log: StateLogTable): StoreLog {
  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const expires = expiryAfter(ttl) ?? new Date();
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, value]) => ({
          key: await storedKey(key),
          value: requireText(value, "keys"),
          expires,
          version: firstVersion(),
        })),
      );
      const head = { key: headKey(name), value: randomUuid(), expires: null, version: 1 };
      // Texts in the order of their keys, so that concurrent appends lock them in the same order.
      const sorted = texts.sort((a, b) => (a.key < b.key ? -1 : 1));
      const row = await log.append(head, { name, entry, expires }, sorted);
      // Afterwards, so that the row of the log is not locked meanwhile; without the entry before the new one, because readers may be
      // positioned there. A failed cleanup is repeated by the next one.
      if (row.seq % ENTRIES_UNTIL_PURGE === 0)
        await log.purge(name, row.seq - 1, new Date(), ROWS_PER_PURGE).catch(() => undefined);
      return positionOf(row);
    },
    async since(logName, after, { limit } = {}) {
      const name = await storedKey(logName);
      const [generation, seq = ""] = (after ?? "").split(".");
      const from = /^\d{1,15}$/.test(seq) ? Number(seq) : 0;
      // One entry more than the limit shows that there are more, and the first one is that of the position.
      const read = (from: number, further: number) =>
        log.read(name, { key: headKey(name), from, limit: limit && limit + further });
      const isStart = after === null || after === "";
      const found = await read(from, isStart ? 1 : 2);
      if (found.generation === null) return { generation: "", at: "", entries: [], complete: isStart };
      if (isStart) return toEntries(found, { limit, complete: true });
      const [first, ...others] = found.entries;
      const goesOn = generation === found.generation && first !== undefined && (await positionOf(first)) === after;
      if (goesOn) return toEntries({ ...found, entries: others }, { limit, complete: true, before: after });
      return toEntries(await read(0, 1), { limit, complete: false });
    },
  };
}

/** Key of the row with a log's generation (its text) and the number of its last entry (its version). */
const headKey = (name: string): string => `log:${name}`;

interface PageFacts {
  readonly limit: number | undefined;
  readonly complete: boolean;
  /** The position to go on from if there are no entries. */
  readonly before?: string;
}

/** A page of entries, of which those beyond the limit only show that there are more. */
async function toEntries(
  { generation, entries }: Awaited<ReturnType<StateLogTable["read"]>>,
  { limit, complete, before = "" }: PageFacts,
): Promise<StoreEntries> {
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  const at = last === undefined ? before : await positionOf(last);
  const more = page.length < entries.length;
  return { generation: generation ?? "", at, entries: page.map(({ entry }) => entry), complete, ...(more && { more }) };
}

async function positionOf({ generation, seq, entry, expires }: StateLogRow): Promise<string> {
  return `${generation}.${seq}.${(await sha256Hex(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}

/**
 * Keys that every database distinguishes, regardless of collation: no letters that differ only in case, no trailing
 * spaces.
 */
const plain = /^(?!log:)[a-z0-9:_./-]{1,150}$/;

/** The stored form of a key: unchanged if every database distinguishes it, otherwise its SHA-256. */
async function storedKey(key: string): Promise<string> {
  if (typeof key !== "string") throw new TypeError(`A store key must be a string, not ${typeof key}.`);
  return plain.test(key) ? key : `#${await sha256Hex(key)}`;
}
