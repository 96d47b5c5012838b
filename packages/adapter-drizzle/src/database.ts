import { type Column, entityKind, type Table } from "drizzle-orm";
import type { SQL } from "drizzle-orm/sql";

/** A row, by the column names of the Drizzle table. */
export type Row = Readonly<Record<string, unknown>>;

/** The databases whose queries differ. */
export type Dialect = "pg" | "mysql" | "sqlite";

/** A table of any database, with its columns. */
export type AnyTable = Table & { readonly [column: string]: unknown };

/** A query that has been built but not sent; awaiting it sends it. */
export interface Statement extends PromiseLike<unknown> {
  /** Only synchronous SQLite drivers. */
  all?(): Row[];
}

/** A query that reads. */
interface Select extends PromiseLike<Row[]> {
  all?(): Row[];
  from(table: AnyTable | SQL): Select;
  innerJoin(table: AnyTable, on: SQL): Select;
  leftJoin(table: AnyTable, on: SQL): Select;
  where(condition: SQL): Select;
  orderBy(column: Column): Select;
  limit(rows: number): Select;
  /** The query as a table of another one. */
  as(name: string): Table & { readonly [column: string]: Column };
}

/** A write query, optionally with a condition. */
export interface Write extends Statement {
  where(condition: SQL): Write;
  returning(): Write;
}

/** A query that inserts. */
export interface Insert extends Write {
  onConflictDoNothing(what: { readonly target: Column }): Insert;
  onConflictDoUpdate(what: { readonly target: Column; readonly set: Row }): Insert;
  onDuplicateKeyUpdate(what: { readonly set: Row }): Insert;
}

/**
 * The common interface of Drizzle databases. The compiler cannot know the columns of an application's tables; they are
 * checked at startup.
 */
export interface Database {
  select(fields?: object): Select;
  insert(table: AnyTable): { values(row: Row | readonly Row[]): Insert };
  update(table: AnyTable): { set(changes: Row): Write };
  delete(table: AnyTable): Write;
  transaction<T>(work: (transaction: Database) => T): T;
  batch?(statements: readonly Statement[]): Promise<Row[][]>;
}

/**
 * How a driver runs several statements atomically:
 *
 * - `async`: in a transaction, with a round trip for each statement;
 * - `sync`: in a transaction of a synchronous driver;
 * - `batch`: sends all statements together, which all succeed or fail;
 * - `none`: not supported.
 */
type Steps = "async" | "sync" | "batch" | "none";

/** A database with its properties. */
export interface OpenDatabase {
  readonly db: Database;
  readonly dialect: Dialect;
  readonly steps: Steps;
  /** Whether `db` is a transaction that the application began. */
  readonly isOfTransaction: boolean;
}

/** Dialects by Drizzle's class names, because several copies of Drizzle may be installed. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  PgDatabase: "pg",
  MySqlDatabase: "mysql",
  BaseSQLiteDatabase: "sqlite",
};

/** Drivers whose `transaction()` throws, or whose statements may use different connections. */
const WITHOUT_TRANSACTIONS = ["NeonHttpSession", "PgRemoteSession", "MySqlRemoteSession", "XataHttpSession"];

/**
 * Determines the properties of a Drizzle database.
 *
 * @throws TypeError if it is something else.
 */
export function openDatabase(db: object): OpenDatabase {
  const [dialect] = kindsOf(db).flatMap((kind) => DIALECTS[kind] ?? []);
  if (dialect === undefined) {
    const message = "DrizzleAdapter() requires the result of drizzle(), for PostgreSQL, MySQL or SQLite.";
    throw new TypeError(`${message} It received ${kindsOf(db)[0] ?? typeof db}.`);
  }
  const isOfTransaction = typeof Reflect.get(db, "rollback") === "function";
  return { db: db as Database, dialect, steps: stepsOf(db), isOfTransaction };
}

function stepsOf(db: object): Steps {
  const session: unknown = Reflect.get(db, "session");
  const kinds = kindsOf(session);
  if (kinds.includes("SQLiteRemoteSession")) {
    return Reflect.get(Object(session), "batchCLient") === undefined ? "none" : "batch";
  }
  if (typeof Reflect.get(db, "batch") === "function") return "batch";
  if (kinds.some((kind) => WITHOUT_TRANSACTIONS.includes(kind))) return "none";
  return Reflect.get(db, "resultKind") === "sync" ? "sync" : "async";
}

/** Drizzle's names for the classes of an object, from the most specific to the most general. */
function kindsOf(value: unknown): readonly string[] {
  const kinds: string[] = [];
  if (typeof value !== "object" || value === null) return kinds;
  for (let type: unknown = value.constructor; typeof type === "function"; type = Object.getPrototypeOf(type)) {
    const kind: unknown = Object.hasOwn(type, entityKind) ? Reflect.get(type, entityKind) : undefined;
    if (typeof kind === "string") kinds.push(kind);
  }
  return kinds;
}
