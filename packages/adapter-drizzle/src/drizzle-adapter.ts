import { type Adapter, tableStore } from "@cardea/core/adapters";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { surviveRestarts } from "./keep-alive.ts";
import { accountMethods } from "./methods/account-methods.ts";
import { authenticatorMethods } from "./methods/authenticator-methods.ts";
import { credentialMethods } from "./methods/credential-methods.ts";
import { canDecideInOneStep, removalMethods } from "./methods/removal-methods.ts";
import { sessionInfoMethods } from "./methods/session-info-methods.ts";
import { sessionMethods } from "./methods/session-methods.ts";
import { canSignUpInOneStep, signUpMethods } from "./methods/sign-up-methods.ts";
import { userMethods } from "./methods/user-methods.ts";
import { verificationTokenMethods } from "./methods/verification-token-methods.ts";
import { stateLogTable } from "./store/state-log-table.ts";
import { stateTable } from "./store/state-table.ts";
import { resolveTables } from "./tables/resolve-tables.ts";
import type { Tables, TablesOf } from "./tables/tables.ts";

/** What `drizzle()` returns for PostgreSQL. */
export interface PostgresDatabase {
  /** Only in PostgreSQL. */
  selectDistinctOn(...columns: never): unknown;
}

/** What `drizzle()` returns for SQLite, libSQL and D1. */
export interface SqliteDatabase {
  /** Only in SQLite. */
  run(query: never): unknown;
  /** Only in SQLite. */
  values(query: never): unknown;
}

/** What `drizzle()` returns for MySQL and MariaDB. */
export interface MysqlDatabase {
  /** Runs SQL. */
  execute(query: never): unknown;
}

/** What `drizzle()` returns, for any supported database. */
export type DrizzleDatabase = PostgresDatabase | SqliteDatabase | MysqlDatabase;

/** The tables for a database. */
export type TablesFor<Db> = Db extends PostgresDatabase
  ? TablesOf<"pg">
  : Db extends SqliteDatabase
    ? TablesOf<"sqlite">
    : TablesOf<"mysql">;

/** Options of {@link DrizzleAdapter}, in addition to its tables. */
export interface DrizzleAdapterOptions {
  /**
   * Receives warnings at startup about guarantees that the driver cannot provide, and connections that the database ended. Default:
   * `console.warn`.
   */
  readonly warn?: (message: string) => void;
}

/**
 * Stores users, accounts, sessions, e-mail sign-ins and passkeys in a Drizzle database, in the tables of
 * `@auth/drizzle-adapter` or in the application's own.
 *
 * A failed query rejects with Drizzle's `DrizzleQueryError`, without the values of the query; the driver's code is in its `cause`.
 *
 * @param db The result of `drizzle()`.
 * @param tables The application's tables; default: those of `@auth/drizzle-adapter`. `postgresTables()`,
 * `mysqlTables()` and `sqliteTables()` create all of them, including those of extensions.
 */
export function DrizzleAdapter<Db extends DrizzleDatabase>(
  db: Db,
  tables?: TablesFor<Db>,
  { warn = console.warn }: DrizzleAdapterOptions = {},
): Adapter {
  const database = openDatabase(db);
  surviveRestarts(db, warn);
  const resolved = resolveTables(database.dialect, tables ?? {});
  const { sessionInfosTable, credentialsTable, statesTable, stateLogsTable } = resolved;
  const isAtomic = canSignUpInOneStep(database, resolved);
  for (const message of findLosses(database, resolved)) warn(message);
  return {
    ...userMethods(database, resolved),
    ...(isAtomic && signUpMethods(database, resolved)),
    ...accountMethods(database, resolved),
    ...(canDecideInOneStep(database) && removalMethods(database, resolved)),
    ...sessionMethods(database, resolved),
    ...verificationTokenMethods(database, resolved),
    ...authenticatorMethods(database, resolved),
    ...(sessionInfosTable && sessionInfoMethods(database, sessionInfosTable)),
    ...(credentialsTable && credentialMethods(database, credentialsTable)),
    ...(statesTable &&
      stateLogsTable &&
      database.steps !== "none" && {
        store: tableStore(stateTable(database, statesTable), stateLogTable(database, statesTable, stateLogsTable)),
      }),
  };
}

/** Finds the guarantees that the driver cannot provide. */
function findLosses(database: OpenDatabase, tables: Tables): readonly string[] {
  const losses: string[] = [];
  if (!canSignUpInOneStep(database, tables)) {
    const reason =
      database.steps === "none"
        ? "this Drizzle driver has no transactions"
        : "this driver sends statements in batches and the database generates user ids, so the account cannot refer to its user (generate ids in the table: `.$defaultFn(() => crypto.randomUUID())`)";
    losses.push(
      `drizzle-sign-up: ${reason}. A user and their first account are not created atomically: if the process is killed in between, a user without an account remains and blocks the e-mail address.`,
    );
  }
  if (database.steps === "none" && tables.statesTable !== undefined) {
    losses.push(
      "drizzle-store: this Drizzle driver has no transactions, so the adapter provides no store. Use a driver with transactions, or another store (docs/stores.md).",
    );
  }
  return losses;
}
