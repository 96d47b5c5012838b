import type { StoreEntries, StoreLog } from "@cardea/core/adapters";
import { fromStored, toStored } from "../columns.ts";
import { type Connection, inTransaction } from "../connection.ts";
import { createTable } from "../table.ts";
import { columnsOf } from "../tables.ts";
import { createState, endOf, putText, type StateRow, statesOf } from "./state-rows.ts";
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
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, text]) => [await storedKey(key), text] as const),
      );
      const expires = endOf(ttl) ?? new Date();
      // Before the transaction: in MySQL, an update of a missing row locks the gap, in which concurrent first entries deadlock each other.
      if (!begun.has(name)) await beginLog(connection, name);
      begun.add(name);
      return inTransaction(connection, async (transaction) => {
        const head = await nextNumber(transaction, name);
        const row = { name, seq: head.version, entry, expires };
        await createTable<LogRow>(transaction, "StateLog", columnsOf.StateLog).insert(row);
        for (const [key, text] of texts) await putText(transaction, key, text, expires);
        if (head.version % ENTRIES_UNTIL_PURGE === 0) await purge(transaction, row);
        return positionOf(head.value, row);
      });
    },
    async since(logName, after) {
      const name = await storedKey(logName);
      const head = await statesOf(connection).find({ key: headKey(name) });
      if (head === null) return { generation: "", at: "", entries: [], complete: after === null || after === "" };
      if (after === null || after === "") return toEntries(head, await readFrom(connection, name, 0), true);
      const [generation, seq = ""] = after.split(".");
      const isOfHead = /^\d{1,15}$/.test(seq) && generation === head.value;
      const rows = isOfHead ? await readFrom(connection, name, Number(seq)) : [];
      const goesOn = rows[0] !== undefined && (await positionOf(head.value, rows[0])) === after;
      if (goesOn) return toEntries(head, rows.slice(1), true, after);
      return toEntries(head, await readFrom(connection, name, 0), false);
    },
  };
}

/** Key of the row with a log's generation (its text) and the number of its last entry (its version). */
const headKey = (name: string): string => `log:${name}`;

async function readFrom({ db }: Connection, name: string, seq: number): Promise<readonly LogRow[]> {
  const rows = await db
    .selectFrom("StateLog")
    .selectAll()
    .where("name", "=", name)
    .where("seq", ">=", seq)
    .orderBy("seq")
    .execute();
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

/** Deletes expired entries, except the one before the new entry, because readers may be positioned there. */
async function purge({ db, kind }: Connection, { name, seq }: LogRow): Promise<void> {
  const { now } = toStored({ now: new Date() }, { now: "time" }, kind);
  await db
    .deleteFrom("StateLog")
    .where("name", "=", name)
    .where("seq", "<", seq - 1)
    .where("expires", "<", now)
    .execute();
}

async function toEntries(
  head: StateRow,
  rows: readonly LogRow[],
  complete: boolean,
  before = "",
): Promise<StoreEntries> {
  const last = rows.at(-1);
  const at = last === undefined ? before : await positionOf(head.value, last);
  return { generation: head.value ?? "", at, entries: rows.map(({ entry }) => entry), complete };
}

async function positionOf(generation: string | null, { seq, entry, expires }: LogRow): Promise<string> {
  return `${generation}.${seq}.${(await sha256(`${expires.getTime()} ${entry}`)).slice(0, 8)}`;
}

/** A cast: `StateLog` has these columns. */
function assumeLogRow(row: object): LogRow {
  return row as LogRow;
}
