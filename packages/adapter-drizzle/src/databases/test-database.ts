import type { Adapter } from "@cardea/core/adapters";
import { DrizzleAdapter, type DrizzleDatabase } from "../drizzle-adapter.ts";

/** A database with empty tables, for the tests of one file. */
export interface TestDatabase<Db extends object = DrizzleDatabase> {
  readonly db: Db;
  /** The same database through connections of their own, as another process has them; closed with the database. */
  readonly other: Db;
  readonly adapter: Adapter;
  /** Runs one statement, or several that end with `;` at the end of a line. */
  run(sql: string): Promise<void>;
  /** The statements that were sent since the last call. */
  statements(): readonly string[];
  close(): Promise<void>;
}

/** Remembers what Drizzle sends. */
export function createRecorder() {
  let sent: string[] = [];
  return {
    logger: { logQuery: (query: string) => void sent.push(query) },
    statements() {
      const all = sent;
      sent = [];
      return all;
    },
  };
}

/** An adapter with every table of the maker. */
export function adapterOf(db: DrizzleDatabase, tables: object): Adapter {
  return DrizzleAdapter(db, tables as never);
}
