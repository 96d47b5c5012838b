import type { Adapter, Store } from "@cardea/core/adapters";
import { readTables as drizzleTables } from "../../../packages/adapter-drizzle/src/databases/read-tables.ts";
import { openSqlite as openDrizzle } from "../../../packages/adapter-drizzle/src/databases/sqlite.ts";
import { openSqlite as openKysely } from "../../../packages/adapter-kysely/src/databases/sqlite.ts";
import { readTables as kyselyTables } from "../../../packages/adapter-kysely/src/databases/test-database.ts";
import { KyselyAdapter } from "../../../packages/adapter-kysely/src/kysely-adapter.ts";
import { readFormats } from "./formats.ts";
import type { Database } from "./world.ts";

type Cell = string | number | null;
type Row = Readonly<Record<string, Cell>>;

/** A database behind one of our adapters, in SQLite: its tables can be written down whole, with what they hold. */
export interface DumpedDatabase extends Database {
  rowsOf(table: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** By adapter: the tables as this version makes them, and what opens a database that some SQL makes. */
export const ADAPTERS: Readonly<Record<string, { tables(): string; open(sql: string): Promise<DumpedDatabase> }>> = {
  kysely: {
    tables: () => kyselyTables("sqlite"),
    open: async (sql) => {
      const { db, close } = await openKysely(sql);
      const rowsOf = async (table: string) =>
        assumeRows(
          await db
            .selectFrom(table as "User")
            .selectAll()
            .execute(),
        );
      return { ...withStore(KyselyAdapter(db)), rowsOf, close };
    },
  },
  drizzle: {
    tables: () => drizzleTables("sqlite"),
    open: async (sql) => {
      const { db, adapter, close } = await openDrizzle(sql);
      // What a caller of the test's interface does not see: this one is of SQLite.
      const sqlite = db as unknown as { all(statement: string): unknown[] };
      return {
        ...withStore(adapter),
        rowsOf: async (table) => assumeRows(sqlite.all(`SELECT * FROM "${table}"`)),
        close,
      };
    },
  },
};

function withStore(adapter: Adapter): Database {
  const store: Store | undefined = adapter.store;
  if (store === undefined) throw new Error("The adapter has no store.");
  return { adapter, store };
}

/** What a driver of SQLite returns: it was not checked. */
function assumeRows(rows: unknown): readonly Row[] {
  return rows as readonly Row[];
}

/** Names of all tables, those that others refer to first. */
export const TABLES: readonly string[] = readFormats("rows").map(({ name }) => name);

/** SQL that makes the tables and their rows. Throws for a table without a row: nothing of it would be read. */
export async function dump(tables: string, { rowsOf }: DumpedDatabase): Promise<string> {
  const parts = [tables.trim()];
  for (const table of TABLES) {
    const rows = await rowsOf(table);
    if (rows.length === 0) throw new Error(`The table ${table} has no row.`);
    parts.push(rows.map((row) => insertOf(table, row)).join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}

function insertOf(table: string, row: Row): string {
  const columns = Object.keys(row).map((name) => `"${name}"`);
  return `INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${Object.values(row).map(literal).join(", ")});`;
}

function literal(value: Cell): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
