import type { Store } from "@cardea/core/adapters";
import type { AnyKysely } from "../connection.ts";
import type { Database, KyselyAuth } from "../database.ts";
import { KyselyAdapter } from "../kysely-adapter.ts";

type Instance = KyselyAuth<Database>;

const TABLES = ["State", "StateLog"] as const;

/** The store of an adapter. Throws if it has none. */
function storeOf(db: Parameters<typeof KyselyAdapter<Database>>[0]): Store {
  const { store } = KyselyAdapter(db);
  if (store === undefined) throw new Error("The adapter has no store.");
  return store;
}

/**
 * The store of an instance, and what a test does to its tables.
 *
 * @param other another instance for the same database, with connections of its own.
 */
export function storeUnderTest(db: Instance, other: Instance = db) {
  const tables = assumeAny(db);
  const readRows = (table: string) => tables.selectFrom(table).selectAll().execute();
  const replaceRows = async (table: string, rows: readonly Record<string, unknown>[]): Promise<void> => {
    await tables.deleteFrom(table).execute();
    // D1 takes a hundred values in a statement.
    for (let n = 0; n < rows.length; n += 20) {
      await tables
        .insertInto(table)
        .values(rows.slice(n, n + 20))
        .execute();
    }
  };
  return {
    store: storeOf(db),
    other: storeOf(other),
    async advance(seconds: number) {
      for (const table of TABLES) {
        const rows = await readRows(table);
        await replaceRows(
          table,
          rows.map((row) => ({ ...row, expires: earlier(row.expires, seconds) })),
        );
      }
    },
    async lose() {
      for (const table of TABLES) await tables.deleteFrom(table).execute();
    },
    async checkpoint() {
      const copies = await Promise.all(TABLES.map(readRows));
      return async () => {
        for (const [n, table] of TABLES.entries()) await replaceRows(table, copies[n] ?? []);
      };
    },
    hold: (work: (store: Store) => Promise<unknown>) => hold(db, work),
  };
}

/** The same time so many seconds before, as the database keeps it. */
function earlier(end: unknown, seconds: number): unknown {
  if (end instanceof Date) return new Date(end.getTime() - seconds * 1000);
  return typeof end === "string" ? new Date(Date.parse(end) - seconds * 1000).toISOString() : end;
}

/** Runs work in a transaction that stays open until the test ends it. */
async function hold(db: Instance, work: (store: Store) => Promise<unknown>) {
  const transaction = await db.startTransaction().execute();
  await work(storeOf(transaction));
  return {
    commit: () => transaction.commit().execute(),
    rollBack: () => transaction.rollback().execute(),
  };
}

/** A cast: tests name tables by text. */
function assumeAny(db: object): AnyKysely {
  return db as AnyKysely;
}
