import type { Table } from "drizzle-orm";
import {
  bigint,
  boolean,
  datetime,
  index,
  int,
  longtext,
  type MySqlColumn,
  type MySqlTableFn,
  mysqlTable,
  primaryKey,
  text,
  varchar,
} from "drizzle-orm/mysql-core";
import { ASCII } from "../where.ts";
import { createNaming, type NamingOptions } from "./table-options.ts";

/** Options of {@link mysqlTables}. */
export interface MysqlTablesOptions<Users = MysqlUsersTable> extends NamingOptions {
  /**
   * Function that creates the tables: `mysqlTableCreator(…)` for a prefix, `mysqlSchema(…).table` for a schema. Default
   * `mysqlTable`.
   */
  readonly table?: MySqlTableFn<undefined> | MySqlTableFn<string>;
  /** The application's own users table, which the others reference. */
  readonly usersTable?: Users;
}

/** The application's own users table in MySQL and MariaDB. */
export type MysqlUsersTable = ReturnType<typeof usersIn>;

type Make = typeof mysqlTable;
type Name = (name: string) => string;

/**
 * The tables in MySQL and MariaDB: those of `@auth/drizzle-adapter` under the same names, with indexes, and those of
 * extensions. Export them from the application's schema, so that `drizzle-kit` creates the tables.
 */
export function mysqlTables<Users extends Table & { readonly id: MySqlColumn } = MysqlUsersTable>(
  options: MysqlTablesOptions<Users> = {},
) {
  const make = (options.table ?? mysqlTable) as Make;
  const name = createNaming(options);
  const users: { readonly id: MySqlColumn } = options.usersTable ?? usersIn(make, name);
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
const date = { mode: "date", fsp: 3 } as const;
/** The maximum length of a text in a key: a key has at most 3072 bytes, four per character. */
const short = { length: 191 } as const;
const usual = { length: 255 } as const;
const long = { length: 512 } as const;
/** A credential id of 1023 bytes, the longest (WebAuthn L3 §4), as base64. */
const credential = { length: 1364 } as const;

function usersIn(make: Make, name: Name) {
  return make(name("user"), {
    id: varchar("id", usual)
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    name: text("name"),
    email: varchar("email", usual).unique(),
    emailVerified: datetime(name("emailVerified"), date),
    image: text("image"),
  });
}

function accountsIn(make: Make, name: Name, users: () => MySqlColumn) {
  const columns = {
    userId: varchar(name("userId"), usual).notNull().references(users, ofUser),
    type: varchar("type", usual).notNull(),
    provider: varchar("provider", short).notNull(),
    providerAccountId: varchar(name("providerAccountId"), long).notNull(),
    refresh_token: text("refresh_token"),
    access_token: text("access_token"),
    expires_at: int("expires_at"),
    token_type: varchar("token_type", usual),
    scope: text("scope"),
    id_token: text("id_token"),
    session_state: text("session_state"),
  };
  return make(name("account"), columns, (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index(`${name("account")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function sessionsIn(make: Make, name: Name, users: () => MySqlColumn) {
  const columns = {
    sessionToken: varchar(name("sessionToken"), usual).primaryKey(),
    userId: varchar(name("userId"), usual).notNull().references(users, ofUser),
    expires: datetime("expires", date).notNull(),
  };
  return make(name("session"), columns, (table) => [
    index(`${name("session")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function verificationTokensIn(make: Make, name: Name) {
  const columns = {
    identifier: varchar("identifier", usual).notNull(),
    token: varchar("token", usual).notNull(),
    expires: datetime("expires", date).notNull(),
  };
  return make(name("verificationToken"), columns, (table) => [
    primaryKey({ columns: [table.identifier, table.token] }),
  ]);
}

/** The columns of Auth.js. */
function authenticatorColumns(name: Name, users: () => MySqlColumn) {
  return {
    credentialID: varchar(name("credentialID"), credential).notNull().unique(),
    userId: varchar(name("userId"), usual).notNull().references(users, ofUser),
    providerAccountId: varchar(name("providerAccountId"), long).notNull(),
    credentialPublicKey: text(name("credentialPublicKey")).notNull(),
    counter: int("counter").notNull(),
    credentialDeviceType: varchar(name("credentialDeviceType"), usual).notNull(),
    credentialBackedUp: boolean(name("credentialBackedUp")).notNull(),
    transports: varchar("transports", usual),
  };
}

/** The type is that of Auth.js: the further columns are for the adapter. */
function authenticatorsIn(make: Make, name: Name, users: () => MySqlColumn, isNamed: boolean) {
  const own = authenticatorColumns(name, users);
  const named = {
    name: varchar("name", usual),
    createdAt: datetime(name("createdAt"), date),
    usedAt: datetime(name("usedAt"), date),
  };
  const columns: typeof own = isNamed ? { ...own, ...named } : own;
  const made = make(name("authenticator"), columns, (table) => [
    primaryKey({ columns: [table.userId, table.credentialID] }),
  ]);
  const type = made.credentialID.getSQLType();
  made.credentialID.getSQLType = () => `${type} ${ASCII}`;
  return made;
}

function sessionInfosIn(make: Make, name: Name, users: () => MySqlColumn) {
  const columns = {
    id: varchar("id", short).primaryKey(),
    tokenHash: varchar(name("tokenHash"), short).notNull().unique(),
    userId: varchar(name("userId"), usual).notNull().references(users, ofUser),
    createdAt: datetime(name("createdAt"), date).notNull(),
    seenAt: datetime(name("seenAt"), date).notNull(),
    expires: datetime("expires", date).notNull(),
    factors: longtext("factors").notNull(),
    acr: text("acr"),
    provider: varchar("provider", short).notNull(),
    providerAccountId: varchar(name("providerAccountId"), long).notNull(),
    idp: longtext("idp"),
    epoch: int("epoch").notNull(),
    userAgent: varchar(name("userAgent"), { length: 256 }),
    ip: varchar("ip", short),
    deviceKey: varchar(name("deviceKey"), short),
    endedAt: datetime(name("endedAt"), date),
    endReason: varchar(name("endReason"), short),
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

function credentialsIn(make: Make, name: Name, users: () => MySqlColumn) {
  const columns = {
    id: varchar("id", long).primaryKey(),
    userId: varchar(name("userId"), usual).notNull().references(users, ofUser),
    type: varchar("type", short).notNull(),
    secret: longtext("secret").notNull(),
    label: varchar("label", usual),
    createdAt: datetime(name("createdAt"), date).notNull(),
    usedAt: datetime(name("usedAt"), date),
    state: longtext("state"),
    version: int("version").notNull(),
  };
  return make(name("credential"), columns, (table) => [
    index(`${name("credential")}_${name("userId")}_idx`).on(table.userId),
  ]);
}

function statesIn(make: Make, name: Name) {
  const columns = {
    key: varchar("key", short).primaryKey(),
    value: longtext("value"),
    expires: datetime("expires", date),
    version: bigint("version", { mode: "number" }).notNull(),
  };
  return make(name("state"), columns, (table) => [index(`${name("state")}_expires_idx`).on(table.expires)]);
}

function stateLogsIn(make: Make, name: Name) {
  const columns = {
    name: varchar("name", short).notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    entry: longtext("entry").notNull(),
    expires: datetime("expires", date).notNull(),
  };
  return make(name("stateLog"), columns, (table) => [
    primaryKey({ columns: [table.name, table.seq] }),
    index(`${name("stateLog")}_expires_idx`).on(table.expires),
  ]);
}
