import type { Adapter } from "@cardea/core/adapters";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { accountMethods } from "./methods/account-methods.ts";
import { authenticatorMethods } from "./methods/authenticator-methods.ts";
import { credentialMethods } from "./methods/credential-methods.ts";
import { sessionInfoMethods } from "./methods/session-info-methods.ts";
import { sessionMethods } from "./methods/session-methods.ts";
import { canSignUpInOneStep, signUpMethods } from "./methods/sign-up-methods.ts";
import { userMethods } from "./methods/user-methods.ts";
import { verificationTokenMethods } from "./methods/verification-token-methods.ts";
import { drizzleStore } from "./store/drizzle-store.ts";
import { resolveTables } from "./tables/resolve-tables.ts";
import type { Tables, TablesOf } from "./tables/tables.ts";

/** What `drizzle()` returns for PostgreSQL. */
export interface PostgresDatabase {
  /** Only PostgreSQL has it. */
  selectDistinctOn(...columns: never): unknown;
}

/** What `drizzle()` returns for SQLite, libSQL and D1. */
export interface SqliteDatabase {
  /** Only SQLite has it. */
  run(query: never): unknown;
  /** Only SQLite has it. */
  values(query: never): unknown;
}

/** What `drizzle()` returns for MySQL and MariaDB. */
export interface MysqlDatabase {
  /** Runs SQL. */
  execute(query: never): unknown;
}

/** What `drizzle()` returns, for any driver of the three. */
export type DrizzleDatabase = PostgresDatabase | SqliteDatabase | MysqlDatabase;

/** The tables that fit a database. */
export type TablesFor<Db> = Db extends PostgresDatabase
  ? TablesOf<"pg">
  : Db extends SqliteDatabase
    ? TablesOf<"sqlite">
    : TablesOf<"mysql">;

/** What {@link DrizzleAdapter} may be told besides its tables. */
export interface DrizzleAdapterOptions {
  /** Is told at start what this driver cannot guarantee. Default: `console.warn`. */
  readonly warn?: (message: string) => void;
}

/**
 * Stores users, accounts, sessions, e-mail sign-ins and passkeys in the database of Drizzle: in the tables of
 * `@auth/drizzle-adapter`, or in the application's own.
 *
 * A failed query rejects with Drizzle's `DrizzleQueryError`, without the values of the query; the driver's code is in its `cause`.
 *
 * @param db what `drizzle()` returned.
 * @param tables tables that the application has; default: those of `@auth/drizzle-adapter`. `postgresTables()`, `mysqlTables()` and
 *   `sqliteTables()` make all of them, and those of extensions.
 */
export function DrizzleAdapter<Db extends DrizzleDatabase>(
  db: Db,
  tables?: TablesFor<Db>,
  { warn = console.warn }: DrizzleAdapterOptions = {},
): Adapter {
  const database = openDatabase(db);
  const resolved = resolveTables(database.dialect, tables ?? {});
  const { sessionInfosTable, credentialsTable, statesTable, stateLogsTable } = resolved;
  const isAtomic = canSignUpInOneStep(database, resolved);
  for (const message of findLosses(database, resolved)) warn(message);
  return {
    ...userMethods(database, resolved),
    ...(isAtomic && signUpMethods(database, resolved)),
    ...accountMethods(database, resolved),
    ...sessionMethods(database, resolved),
    ...verificationTokenMethods(database, resolved),
    ...authenticatorMethods(database, resolved),
    ...(sessionInfosTable && sessionInfoMethods(database, sessionInfosTable)),
    ...(credentialsTable && credentialMethods(database, credentialsTable)),
    ...(statesTable &&
      stateLogsTable &&
      database.steps !== "none" && { store: drizzleStore(database, statesTable, stateLogsTable) }),
  };
}

/** What the driver cannot guarantee. */
function findLosses(database: OpenDatabase, tables: Tables): readonly string[] {
  const losses: string[] = [];
  if (!canSignUpInOneStep(database, tables)) {
    const reason =
      database.steps === "none"
        ? "this driver of Drizzle has no transactions"
        : "this driver sends statements together, and the database makes the ids of users, so that the account cannot name its user (let the table make them: `.$defaultFn(() => crypto.randomUUID())`)";
    losses.push(
      `drizzle-sign-up: ${reason}. A user and their first account are created one after the other: a process that is killed between them leaves a user without an account, whose address is taken.`,
    );
  }
  if (database.steps === "none" && tables.statesTable !== undefined) {
    losses.push(
      "drizzle-store: this driver of Drizzle has no transactions, so that the adapter has no store. Use a driver that has them, or another store: docs/stores.md.",
    );
  }
  return losses;
}
