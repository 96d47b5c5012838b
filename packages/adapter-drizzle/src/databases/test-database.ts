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

/** The statements of a text. */
export function statementsOf(sql: string): readonly string[] {
  const statements = sql.replace(/^--.*$/gm, "").split(/;$/m);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
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

/** The name of a database for this run only. */
export function scratchName(): string {
  return `cardea_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
}

/** There is no server, or it denies access. */
class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

/** The result of a first statement; rejects with {@link ServerUnreachable} if it cannot be sent. */
export async function reach<T>(first: () => Promise<T>): Promise<T> {
  try {
    return await first();
  } catch (error) {
    throw new ServerUnreachable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * The result of `open`; undefined, with a warning, if its server is unreachable. In CI, that is an error: a skipped
 * check must not look like a passed one.
 */
export async function whereReachable<T>(server: string, open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (process.env.CI || !(error instanceof ServerUnreachable)) throw error;
    console.warn(`SKIPPED: the tests of DrizzleAdapter() on ${server}, which is not reachable: ${error.message}`);
    return undefined;
  }
}

/** An adapter with every table of the maker. */
export function adapterOf(db: DrizzleDatabase, tables: object): Adapter {
  return DrizzleAdapter(db, tables as never);
}
