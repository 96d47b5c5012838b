import type { Database, Insert, OpenDatabase, Statement, Write } from "./database.ts";
import { run } from "./query-error.ts";

/**
 * A statement of an atomic step. `done` contains the results of the previous statements, if the driver runs them
 * sequentially.
 */
export type Part = (db: Database, done: readonly unknown[]) => Statement;

/** A write that returns its rows, if the database supports it. */
export function returning({ dialect }: OpenDatabase, write: Write | Insert): Statement {
  return dialect === "mysql" ? write : write.returning();
}

/** Runs all statements atomically. Resolves to their results. */
export async function inOneStep(database: OpenDatabase, parts: readonly Part[]): Promise<readonly unknown[]> {
  const { db, steps } = database;
  if (steps === "none") throw new TypeError("This Drizzle driver has no transactions.");
  const work = (): PromiseLike<readonly unknown[]> | readonly unknown[] => {
    if (steps === "batch" && db.batch !== undefined) return db.batch(parts.map((part) => part(db, [])));
    if (steps === "sync") return db.transaction((transaction) => doAtOnce(transaction, parts));
    return db.transaction((transaction) => doInTurn(transaction, parts));
  };
  return run(database, work);
}

async function doInTurn(transaction: Database, parts: readonly Part[]): Promise<readonly unknown[]> {
  const done: unknown[] = [];
  for (const part of parts) done.push(await part(transaction, done));
  return done;
}

function doAtOnce(transaction: Database, parts: readonly Part[]): readonly unknown[] {
  const done: unknown[] = [];
  for (const part of parts) done.push(part(transaction, done).all?.());
  return done;
}
