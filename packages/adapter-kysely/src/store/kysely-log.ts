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

/** After how many entries those that are over are deleted. */
const ENTRIES_UNTIL_PURGE = 16;

/**
 * The log. The next number is taken from the row of the log in `State`, under its lock and in the transaction that inserts the
 * entry: so the order of commits is the order of numbers, and an entry that is undone leaves no gap. A sequence of the database is
 * numbered at insert and seen at commit: a reader who saw 11 would never see 10.
 *
 * A position is `<generation>.<number>.<mark>`: after a failover to a copy that is behind, other entries may have taken the numbers
 * of those that were lost; they have another mark.
 */
export function kyselyLog(connection: Connection): StoreLog {
  return {
    async append(logName, entry, { ttl, keys = {} }) {
      const name = await storedKey(logName);
      const texts = await Promise.all(
        Object.entries(keys).map(async ([key, text]) => [await storedKey(key), text] as const),
      );
      const expires = endOf(ttl) ?? new Date();
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

/** The row that holds a log's generation, as its text, and the number of its last entry, as its version. */
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

/** Takes the next number, and the lock until the end of the transaction. */
async function nextNumber(transaction: Connection, name: string): Promise<StateRow> {
  const key = headKey(name);
  const states = statesOf(transaction);
  const take = () => states.updateAndRead({ key }, (row) => ({ version: row("version", "+", 1) }));
  const taken = await take();
  if (taken !== null) return taken;
  await createState(transaction, { key, value: crypto.randomUUID(), expires: null, version: 0 });
  const first = await take();
  if (first !== null) return first;
  throw new Error(`The row ${key} of the store was deleted while an entry was appended.`);
}

/** Entries whose time is over go, but for the one before the new one: a reader who follows the log is there. */
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
