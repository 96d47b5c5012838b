import type { Database, Insert, OpenDatabase, Statement, Write } from "./database.ts";
import { retryPassing, run } from "./query-error.ts";

/** A statement of a step. `done` has the results of those before it, where the driver does one after the other. */
export type Part = (db: Database, done: readonly unknown[]) => Statement;

/** A write that gives back its rows where the database can do that. */
export function returning({ dialect }: OpenDatabase, write: Write | Insert): Statement {
  return dialect === "mysql" ? write : write.returning();
}

/** Does all statements or none. Resolves to the result of each. */
export async function inOneStep(database: OpenDatabase, parts: readonly Part[]): Promise<readonly unknown[]> {
  const { db, steps } = database;
  if (steps === "none") throw new TypeError("This driver of Drizzle has no transactions.");
  const work = (): PromiseLike<readonly unknown[]> | readonly unknown[] => {
    if (steps === "batch" && db.batch !== undefined) return db.batch(parts.map((part) => part(db, [])));
    if (steps === "sync") return db.transaction((transaction) => doAtOnce(transaction, parts));
    return db.transaction((transaction) => doInTurn(transaction, parts));
  };
  return retryPassing(() => run(work));
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
