import type { Table } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  type SQLiteTableFn,
  sqliteTable,
  text,
} from "drizzle-orm/sqlite-core";
import { createNaming, type NamingOptions } from "./table-options.ts";

/** Options of {@link sqliteTables}. */
export interface SqliteTablesOptions<Users = SqliteUsersTable> extends NamingOptions {
  /** Function that creates the tables: `sqliteTableCreator(…)` for a prefix. Default `sqliteTable`. */
  readonly table?: SQLiteTableFn;
  /** The application's own users table, which the others reference. */
  readonly usersTable?: Users;
}

/** The application's own users table in SQLite. */
export type SqliteUsersTable = ReturnType<typeof usersIn>;

type Make = typeof sqliteTable;
type Name = (name: string) => string;

/**
 * The tables in SQLite, libSQL and D1: those of `@auth/drizzle-adapter` under the same names, with indexes, and those
 * of extensions. Export them from the application's schema, so that `drizzle-kit` creates the tables.
 */
export function sqliteTables<Users extends Table & { readonly id: SQLiteColumn } = SqliteUsersTable>(
  options: SqliteTablesOptions<Users> = {},
) {
  const make = (options.table ?? sqliteTable) as Make;
  const name = createNaming(options);
  const users: { readonly id: SQLiteColumn } = options.usersTable ?? usersIn(make, name);
  const userId = () => users.id;
  return {
    usersTable: users as NoInfer<Users>,
    accountsTable: accountsIn(make, name, userId),
    sessionsTable: sessionsIn(make, name, userId),
    verificationTokensTable: verificationTokensIn(make, name),
    authenticatorsTable: authenticatorsIn(make, name, userId, options.passkeyNames === true),
    sessionInfosTable: sessionInfosIn(make, name, userId),
    credentialsTable: credentialsIn(make, name, userId),
    statesTable: statesIn(make, name),
    stateLogsTable: stateLogsIn(make, name),
  };
}

const ofUser = { onDelete: "cascade" } as const;
const date = { mode: "timestamp_ms" } as const;

function usersIn(make: Make, name: Name) {
  return make(name("user"), {
    id: text("id")
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text("name"),
    email: text("email").unique(),
    emailVerified: integer(name("emailVerified"), date),
    image: text("image"),
  });
}

function accountsIn(make: Make, name: Name, users: () => SQLiteColumn) {
  const columns = {
    userId: text(name("userId")).notNull().references(users, ofUser),
    type: text("type").notNull(),
    provider: text("provider").notNull(),
    providerAccountId: text(name("providerAccountId")).notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: integer("expires_at"),
    token_type: text("token_type"),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  };
  return make(name("account"), columns, (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index(`${name("account")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function sessionsIn(make: Make, name: Name, users: () => SQLiteColumn) {
  const columns = {
    sessionToken: text(name("sessionToken")).primaryKey(),
    userId: text(name("userId")).notNull().references(users, ofUser),
    expires: integer("expires", date).notNull(),
  };
  return make(name("session"), columns, (table) => [
    index(`${name("session")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function verificationTokensIn(make: Make, name: Name) {
  const columns = {
    identifier: text("identifier").notNull(),
    token: text("token").notNull(),
    expires: integer("expires", date).notNull(),
  };
  return make(name("verificationToken"), columns, (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
  ]);
}

/** The columns of Auth.js. */
function authenticatorColumns(name: Name, users: () => SQLiteColumn) {
  return {
    credentialID: text(name("credentialID")).notNull().unique(),
    userId: text(name("userId")).notNull().references(users, ofUser),
    providerAccountId: text(name("providerAccountId")).notNull(),
    credentialPublicKey: text(name("credentialPublicKey")).notNull(),
    counter: integer("counter").notNull(),
    credentialDeviceType: text(name("credentialDeviceType")).notNull(),
    credentialBackedUp: integer(name("credentialBackedUp"), { mode: "boolean" }).notNull(),
    transports: text("transports"),
  };
}

/** The type is that of Auth.js: the further columns are for the adapter. */
function authenticatorsIn(make: Make, name: Name, users: () => SQLiteColumn, isNamed: boolean) {
  const own = authenticatorColumns(name, users);
  const named = {
    name: text("name"),
    createdAt: integer(name("createdAt"), date),
    usedAt: integer(name("usedAt"), date),
  };
  const columns: typeof own = isNamed ? { ...own, ...named } : own;
  return make(name("authenticator"), columns, (table) => [primaryKey({ columns: [table.userId, table.credentialID] })]);
}

function sessionInfosIn(make: Make, name: Name, users: () => SQLiteColumn) {
  const columns = {
    id: text("id").primaryKey(),
    tokenHash: text(name("tokenHash")).notNull().unique(),
    userId: text(name("userId")).notNull().references(users, ofUser),
    createdAt: integer(name("createdAt"), date).notNull(),
    seenAt: integer(name("seenAt"), date).notNull(),
    expires: integer("expires", date).notNull(),
    factors: text("factors").notNull(),
    acr: text("acr"),
    provider: text("provider").notNull(),
    providerAccountId: text(name("providerAccountId")).notNull(),
    idp: text("idp"),
    epoch: integer("epoch").notNull(),
    userAgent: text(name("userAgent")),
    ip: text("ip"),
    deviceKey: text(name("deviceKey")),
    endedAt: integer(name("endedAt"), date),
    endReason: text(name("endReason")),
  };
  return make(name("sessionInfo"), columns, (table) => [
    index(`${name("sessionInfo")}_${name("userId")}_${name("endedAt")}_expires_idx`).on(
      table.userId,
      table.endedAt,
      table.expires,
    ),
    index(`${name("sessionInfo")}_expires_idx`).on(table.expires),
  ]);
}

function credentialsIn(make: Make, name: Name, users: () => SQLiteColumn) {
  const columns = {
    id: text("id").primaryKey(),
    userId: text(name("userId")).notNull().references(users, ofUser),
    type: text("type").notNull(),
    secret: text("secret").notNull(),
    label: text("label"),
    createdAt: integer(name("createdAt"), date).notNull(),
    usedAt: integer(name("usedAt"), date),
    state: text("state"),
    version: integer("version").notNull(),
  };
  return make(name("credential"), columns, (table) => [
    index(`${name("credential")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function statesIn(make: Make, name: Name) {
  const columns = {
    key: text("key").primaryKey(),
    value: text("value"),
    expires: integer("expires", date),
    version: integer("version").notNull(),
  };
  return make(name("state"), columns, (table) => [index(`${name("state")}_expires_idx`).on(table.expires)]);
}

function stateLogsIn(make: Make, name: Name) {
  const columns = {
    name: text("name").notNull(),
    seq: integer("seq").notNull(),
    entry: text("entry").notNull(),
    expires: integer("expires", date).notNull(),
  };
  return make(name("stateLog"), columns, (table) => [
    primaryKey({ columns: [table.name, table.seq] }),
    index(`${name("stateLog")}_expires_idx`).on(table.expires),
  ]);
}
