import type { Kysely } from "kysely";
import { retryPassing } from "./query-error.ts";

/** Tables and columns by name: the application's interface says which there are, the columns of this package what is in them. */
type AnyDatabase = Record<string, Record<string, unknown>>;

/** A Kysely instance, without the application's interface of its database. */
export type AnyKysely = Kysely<AnyDatabase>;

/** The three families of SQL that the adapter speaks. */
export type DatabaseKind = "postgres" | "mysql" | "sqlite";

/** A database, and how it is spoken to. */
export interface Connection {
  readonly db: AnyKysely;
  readonly kind: DatabaseKind;
  /** False: the dialect has none, as D1 and HTTP drivers. */
  readonly transactions: boolean;
}

/**
 * The family of a Kysely instance, by what its dialect can do: not by its class, since two copies of Kysely may be installed.
 *
 * @throws TypeError for any other dialect, such as that of Microsoft SQL Server.
 */
export function kindOf(db: AnyKysely): DatabaseKind {
  const { supportsReturning, supportsTransactionalDdl, supportsOutput } = db.getExecutor().adapter;
  if (supportsReturning) return supportsTransactionalDdl ? "postgres" : "sqlite";
  if (!supportsTransactionalDdl && supportsOutput !== true) return "mysql";
  throw new TypeError(
    "KyselyAdapter() works with PostgreSQL, MySQL, MariaDB, SQLite, libSQL and D1. The dialect of this Kysely instance is another one.",
  );
}

/** Runs one statement, and again if the database ended it because of another at the same moment. */
export async function runStatement<T>({ db }: Connection, statement: () => Promise<T>): Promise<T> {
  // Inside of a transaction, the whole of it was ended.
  return db.isTransaction ? statement() : retryPassing(statement);
}

/**
 * Does all of the work or nothing of it. A Kysely instance that is a transaction already begins no other.
 *
 * @throws Error if the dialect has no transactions.
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { db } = connection;
  if (db.isTransaction) return work(connection);
  return retryPassing(async () => {
    let begun = false;
    try {
      return await db.transaction().execute(async (transaction) => {
        begun = true;
        return work({ ...connection, db: transaction });
      });
    } catch (cause) {
      if (begun) throw cause;
      throw new Error(
        "No transaction could begin. If the dialect has none, as D1 and drivers over HTTP, pass `{ transactions: false }` to KyselyAdapter().",
        { cause },
      );
    }
  });
}
