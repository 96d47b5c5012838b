/** Database adapter: users, accounts, sessions, e-mail sign-ins and passkeys, through Drizzle. */

export {
  DrizzleAdapter,
  type DrizzleAdapterOptions,
  type DrizzleDatabase,
  type MysqlDatabase,
  type PostgresDatabase,
  type SqliteDatabase,
  type TablesFor,
} from "./drizzle-adapter.ts";
export { type MysqlTablesOptions, type MysqlUsersTable, mysqlTables } from "./tables/mysql-tables.ts";
export { type PostgresTablesOptions, type PostgresUsersTable, postgresTables } from "./tables/postgres-tables.ts";
export { type SqliteTablesOptions, type SqliteUsersTable, sqliteTables } from "./tables/sqlite-tables.ts";
export type { NamingOptions } from "./tables/table-options.ts";
export type { ColumnOf, TablesOf } from "./tables/tables.ts";
