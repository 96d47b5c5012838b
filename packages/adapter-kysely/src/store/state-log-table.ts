import type { StateLogRow, StateLogTable, StateRow } from "@cardea/core/adapters";
import { fromStored } from "../columns.ts";
import { type Connection, inTransaction } from "../connection.ts";
import { createTable } from "../table.ts";
import { columnsOf } from "../tables.ts";
import { createState, putStates, storedTime } from "./state-table.ts";

const statesOf = (connection: Connection) => createTable<StateRow>(connection, "State", columnsOf.State);

/** The table `StateLog`, with the heads of logs in `State`. */
export function stateLogTable(connection: Connection): StateLogTable {
  const { db, kind } = connection;
  const begun = new Set<string>();
  return {
    async append(head, entry, texts) {
      // Before the transaction: in MySQL, an update of a missing row locks the gap, in which concurrent first entries deadlock each other.
      if (!begun.has(head.key) && (await statesOf(connection).find({ key: head.key })) === null)
        await createState(connection, { ...head, version: 0 });
      begun.add(head.key);
      return inTransaction(connection, async (transaction) => {
        const { value, version: seq } = await nextNumber(transaction, head);
        await createTable(transaction, "StateLog", columnsOf.StateLog).insert({ ...entry, seq });
        await putStates(transaction, texts);
        return { ...entry, seq, generation: value ?? "" };
      });
    },
    async read(name, { key, from, limit }) {
      const head = await statesOf(connection).find({ key });
      if (head === null) return { generation: null, entries: [] };
      const all = db
        .selectFrom("StateLog")
        .selectAll()
        .where("name", "=", name)
        .where("seq", ">=", from)
        .orderBy("seq");
      const rows = await (limit === undefined ? all : all.limit(limit)).execute();
      const generation = head.value ?? "";
      return {
        generation,
        entries: rows.map((row) => assumeEntry({ ...fromStored(row, columnsOf.StateLog), generation })),
      };
    },
    async purge(name, below, before, limit) {
      const ofLog = db.selectFrom("StateLog").select("seq").where("name", "=", name).where("seq", "<", below);
      const old = ofLog.where("expires", "<", storedTime(before, kind)).orderBy("expires").limit(limit);
      const numbers = (await old.execute()).map(({ seq }) => seq);
      if (numbers.length === 0) return;
      await db.deleteFrom("StateLog").where("name", "=", name).where("seq", "in", numbers).execute();
    },
  };
}

/** Takes the next number, and locks the row until the end of the transaction. */
async function nextNumber(transaction: Connection, head: StateRow): Promise<StateRow> {
  const take = () =>
    statesOf(transaction).updateAndRead({ key: head.key }, (row) => ({ version: row("version", "+", 1) }));
  const taken = await take();
  if (taken !== null) return taken;
  // It was deleted since.
  await createState(transaction, { ...head, version: 0 });
  const first = await take();
  if (first !== null) return first;
  throw new Error(`The store row ${head.key} was deleted while an entry was appended.`);
}

/** A cast: `StateLog` has these columns. */
function assumeEntry(row: object): StateLogRow {
  return row as StateLogRow;
}
