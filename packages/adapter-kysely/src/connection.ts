import { retryPassing } from "@cardea/core/adapters";
import type { Kysely } from "kysely";
import { explained, isBusy } from "./query-error.ts";

/** Tables and columns by name, untyped. */
type AnyDatabase = Record<string, Record<string, unknown>>;

/** A Kysely instance, without the application's database type. */
export type AnyKysely = Kysely<AnyDatabase>;

/** The supported SQL dialect families. */
export type DatabaseKind = "postgres" | "mysql" | "sqlite";

/** A database with its properties. */
export interface Connection {
  readonly db: AnyKysely;
  readonly kind: DatabaseKind;
  /** False if the dialect has none, such as D1 and HTTP drivers. */
  readonly transactions: boolean;
}

/**
 * The dialect family of a Kysely instance, detected by features and not by class, because several copies of Kysely may
 * be installed.
 *
 * @throws TypeError for any other dialect, such as that of Microsoft SQL Server.
 */
export function kindOf(db: AnyKysely): DatabaseKind {
  const { supportsReturning, supportsTransactionalDdl, supportsOutput } = db.getExecutor().adapter;
  if (supportsReturning) return supportsTransactionalDdl ? "postgres" : "sqlite";
  if (!supportsTransactionalDdl && supportsOutput !== true) return "mysql";
  throw new TypeError(
    "KyselyAdapter() works with PostgreSQL, MySQL, MariaDB, SQLite, libSQL and D1. The dialect of this Kysely instance is not supported.",
  );
}

/** Runs a statement, and retries it if the database aborted it because of a concurrent one. */
export async function runStatement<T>({ db }: Pick<Connection, "db">, statement: () => Promise<T>): Promise<T> {
  try {
    // Inside a transaction, the whole transaction was aborted.
    return await (db.isTransaction ? statement() : retryPassing(statement));
  } catch (error) {
    throw explained(error);
  }
}

/**
 * Runs work in a transaction. If the Kysely instance already is a transaction, no other is started.
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
      if (begun || isBusy(cause)) throw cause;
      throw new Error(
        "The transaction could not be started. If the dialect has no transactions, such as D1 and HTTP drivers, pass `{ transactions: false }` to KyselyAdapter().",
        { cause },
      );
    }
  });
}
