import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { fromStored, toStored } from "../columns.ts";
import { type Connection, inTransaction } from "../connection.ts";
import { createTable } from "../table.ts";
import { columnsOf } from "../tables.ts";
import { createState, endOf, putTexts, type StateRow, statesOf } from "./state-rows.ts";
import { sha256, storedKey } from "./stored-key.ts";

/** A row of a log. */
interface LogRow {
  readonly name: string;
  readonly seq: number;
  readonly entry: string;
  readonly expires: Date;
}

/** After this many entries, expired entries are deleted. */
const ENTRIES_UNTIL_PURGE = 16;

/** The most entries that one statement deletes, so that it holds locks briefly. */
const ENTRIES_PER_PURGE = 200;

/**
 * The log. The next number is taken from the row of the log in `State`, under its lock and in the transaction that
 * inserts the entry: therefore, numbers are in the order of commits, and a rolled-back entry leaves no gap. A database
 * sequence would be numbered at insert but visible at commit: a reader that saw 11 would never see 10.
 *
 * A position is `<generation>.<number>.<mark>`: after a failover to a replica that lags behind, other entries may have
 * the numbers of lost ones; their marks differ.
 */
export function kyselyLog(connection: Connection): StoreLog {
  const begun = new Set<string>();
  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const texts = new Map(
        await Promise.all(Object.entries(keys).map(async ([key, text]) => [await storedKey(key), text] as const)),
      );
      const expires = endOf(ttl) ?? new Date();
      // Before the transaction: in MySQL, an update of a missing row locks the gap, in which concurrent first entries deadlock each other.
      if (!begun.has(name)) await beginLog(connection, name);
      begun.add(name);
      const [position, row] = await inTransaction(connection, async (transaction) => {
        const head = await nextNumber(transaction, name);
        const row = { name, seq: head.version, entry, expires };
        await createTable<LogRow>(transaction, "StateLog", columnsOf.StateLog).insert(row);
        await putTexts(transaction, texts, expires);
        return [await positionOf(head.value, row), row] as const;
      });
      // Afterwards, so that the row of the log is not locked meanwhile. A failed cleanup is repeated by the next one.
      if (row.seq % ENTRIES_UNTIL_PURGE === 0) await purge(connection, row).catch(() => undefined);
      return position;
    },
    async since(logName, after, { limit } = {}) {
      const name = await storedKey(logName);
      const head = await statesOf(connection).find({ key: headKey(name) });
      if (head === null) return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      const toPage = (rows: readonly LogRow[], o: { readonly complete: boolean; readonly before?: string }) =>
        toEntries(head, rows, { ...o, limit });
      if (after === null || after === "") return toPage(await readFrom(connection, name, 0, limit), { complete: true });
      const [generation, seq = ""] = after.split(".");
      const isOfHead = /^\d{1,15}$/.test(seq) && generation === head.value;
      const rows = isOfHead ? await readFrom(connection, name, Number(seq), limit && limit + 1) : [];
      const goesOn = rows[0] !== undefined && (await positionOf(head.value, rows[0])) === after;
      if (goesOn) return toPage(rows.slice(1), { complete: true, before: after });
      return toPage(await readFrom(connection, name, 0, limit), { complete: false });
    },
  };
}

/** Key of the row with a log's generation (its text) and the number of its last entry (its version). */
const headKey = (name: string): string => `log:${name}`;

/** The entries from a number on: one more than the limit, which shows that there are more. */
async function readFrom({ db }: Connection, name: string, seq: number, limit = Infinity): Promise<readonly LogRow[]> {
  const all = db.selectFrom("StateLog").selectAll().where("name", "=", name).where("seq", ">=", seq).orderBy("seq");
  const rows = await (limit === Infinity ? all : all.limit(limit + 1)).execute();
  return rows.map((row) => assumeLogRow(fromStored(row, columnsOf.StateLog)));
}

/** Creates the row of a log, unless it exists. */
async function beginLog(connection: Connection, name: string): Promise<void> {
  const key = headKey(name);
  if ((await statesOf(connection).find({ key })) !== null) return;
  await createState(connection, { key, value: crypto.randomUUID(), expires: null, version: 0 });
}

/** Takes the next number, and locks the row until the end of the transaction. */
async function nextNumber(transaction: Connection, name: string): Promise<StateRow> {
  const key = headKey(name);
  const states = statesOf(transaction);
  const take = () => states.updateAndRead({ key }, (row) => ({ version: row("version", "+", 1) }));
  const taken = await take();
  if (taken !== null) return taken;
  // It was deleted since.
  await createState(transaction, { key, value: crypto.randomUUID(), expires: null, version: 0 });
  const first = await take();
  if (first !== null) return first;
  throw new Error(`The store row ${key} was deleted while an entry was appended.`);
}

/** Deletes some of the expired entries, the oldest first, except the one before the new entry, because readers may be positioned there. */
async function purge({ db, kind }: Connection, { name, seq }: LogRow): Promise<void> {
  const { now } = toStored({ now: new Date() }, { now: "time" }, kind);
  const expired = await db
    .selectFrom("StateLog")
    .select("seq")
    .where("name", "=", name)
    .where("seq", "<", seq - 1)
    .where("expires", "<", now)
    .orderBy("expires")
    .limit(ENTRIES_PER_PURGE)
    .execute();
  if (expired.length === 0) return;
  const numbers = expired.map((row) => row.seq);
  await db.deleteFrom("StateLog").where("name", "=", name).where("seq", "in", numbers).execute();
}

interface PageFacts {
  readonly limit: number | undefined;
  readonly complete: boolean;
  /** The position to go on from if there are no entries. */
  readonly before?: string;
}

/** A page of entries, of which those beyond the limit only show that there are more. */
async function toEntries(
  head: StateRow,
  rows: readonly LogRow[],
  { limit, complete, before = "" }: PageFacts,
): Promise<StoreEntries> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const at = last === undefined ? before : await positionOf(head.value, last);
  const more = page.length < rows.length;
  return { generation: head.value ?? "", at, entries: page.map(({ entry }) => entry), complete, ...(more && { more }) };
}

async function positionOf(generation: string | null, { seq, entry, expires }: LogRow): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}

/** A cast: `StateLog` has these columns. */
function assumeLogRow(row: object): LogRow {
  return row as LogRow;
}
