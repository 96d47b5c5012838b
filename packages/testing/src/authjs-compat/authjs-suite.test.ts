// Auth.js's own tests of adapters, on our adapters and every database. They are on no registry: `CARDEA_AUTHJS_SUITE` names the file
// `packages/utils/adapter.ts` of a checkout, and without it this file is left out (docs/contributing/tests.md).
import { pathToFileURL } from "node:url";
import { mysqlTables, postgresTables, sqliteTables } from "@cardea/adapter-drizzle";
import { KyselyAdapter } from "@cardea/adapter-kysely";
import type { Adapter } from "@cardea/core/adapters";
import { PGlite } from "@electric-sql/pglite";
import type { Kysely } from "kysely";
import { afterAll, describe } from "vitest";
import * as drizzleD1 from "../../../adapter-drizzle/src/databases/d1.ts";
import * as drizzleMariadb from "../../../adapter-drizzle/src/databases/mariadb.ts";
import * as drizzlePglite from "../../../adapter-drizzle/src/databases/pglite.ts";
import * as drizzlePostgres from "../../../adapter-drizzle/src/databases/postgres.ts";
import * as drizzleSqlite from "../../../adapter-drizzle/src/databases/sqlite.ts";
import * as kyselyD1 from "../../../adapter-kysely/src/databases/d1.ts";
import * as kyselyLibsql from "../../../adapter-kysely/src/databases/libsql.ts";
import * as kyselyMariadb from "../../../adapter-kysely/src/databases/mariadb.ts";
import * as kyselyPglite from "../../../adapter-kysely/src/databases/pglite.ts";
import * as kyselyPostgres from "../../../adapter-kysely/src/databases/postgres.ts";
import * as kyselySqlite from "../../../adapter-kysely/src/databases/sqlite.ts";
import type { TestDatabase as KyselyDatabase } from "../../../adapter-kysely/src/databases/test-database.ts";

type Row = Readonly<Record<string, unknown>>;

/** The five tables, and what they have of each record in Auth.js. */
const COLUMNS = {
  User: ["id", "name", "email", "emailVerified", "image"],
  Session: ["sessionToken", "userId", "expires"],
  VerificationToken: ["identifier", "token", "expires"],
  Authenticator: [
    ...["credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType"],
    ...["credentialBackedUp", "transports"],
  ],
  Account: [
    ...["userId", "type", "provider", "providerAccountId", "refresh_token", "access_token", "expires_at"],
    ...["token_type", "scope", "id_token", "session_state"],
  ],
} as const;

type TableName = keyof typeof COLUMNS;

/** An adapter, and the rows of its database. */
interface Subject {
  readonly adapter: Adapter;
  readonly rows: (table: TableName) => Promise<readonly Row[]>;
  readonly close: () => Promise<unknown>;
}

/** Of the suite, what is called here. */
interface Suite {
  runBasicTests(options: object): Promise<void>;
}

interface DrizzleTables {
  readonly usersTable: object;
  readonly accountsTable: object;
  readonly sessionsTable?: object;
  readonly verificationTokensTable?: object;
  readonly authenticatorsTable?: object;
}

interface DrizzleSubject {
  readonly db: object;
  readonly adapter: Adapter;
  close(): Promise<unknown>;
}

function onDrizzle({ db, adapter, close }: DrizzleSubject, tables: DrizzleTables): Subject {
  const { usersTable, accountsTable, sessionsTable, verificationTokensTable, authenticatorsTable } = tables;
  const of = {
    User: usersTable,
    Account: accountsTable,
    Session: sessionsTable,
    VerificationToken: verificationTokensTable,
    Authenticator: authenticatorsTable,
  };
  return { adapter, rows: (table) => assumeSelect(db).select().from(of[table]), close };
}

function onKysely({ db, close }: KyselyDatabase, options = {}): Subject {
  const rows = (table: TableName) => assumeTables(db).selectFrom(table).selectAll().execute();
  return { adapter: KyselyAdapter(db, options), rows, close };
}

const subjects: Readonly<Record<string, () => Promise<Subject>>> = {
  "DrizzleAdapter() on PostgreSQL": async () => onDrizzle(await drizzlePostgres.openPostgres(), postgresTables()),
  "DrizzleAdapter() on PGlite": async () =>
    onDrizzle(await drizzlePglite.openPglite(await PGlite.create()), postgresTables()),
  "DrizzleAdapter() on MariaDB": async () => onDrizzle(await drizzleMariadb.openMariadb(), mysqlTables()),
  "DrizzleAdapter() on SQLite": async () => onDrizzle(await drizzleSqlite.openSqlite(), sqliteTables()),
  "DrizzleAdapter() on libSQL": async () => onDrizzle(await drizzleSqlite.openLibsql(), sqliteTables()),
  "DrizzleAdapter() on D1": async () => onDrizzle(await drizzleD1.openD1(), sqliteTables()),
  "KyselyAdapter() on PostgreSQL": async () => onKysely(await kyselyPostgres.openPostgres()),
  "KyselyAdapter() on PGlite": async () => onKysely(await kyselyPglite.openPglite(await PGlite.create())),
  "KyselyAdapter() on MariaDB": async () => onKysely(await kyselyMariadb.openMariadb()),
  "KyselyAdapter() on SQLite": async () => onKysely(await kyselySqlite.openSqlite()),
  "KyselyAdapter() on libSQL": async () => onKysely(await kyselyLibsql.openLibsql()),
  "KyselyAdapter() on D1": async () => onKysely(await kyselyD1.openD1(), { transactions: false, warn: () => {} }),
};

const { runBasicTests } = await loadSuite();

describe.each(Object.entries(subjects))("Auth.js's own tests of %s", async (_name, open) => {
  const { adapter, rows, close } = await open();
  afterAll(() => close());
  const find = async (table: TableName, key: Row) => {
    const isIt = (row: Row) => Object.entries(key).every(([column, value]) => row[column] === value);
    const found = (await rows(table)).find(isIt);
    return found === undefined ? null : recordOf(table, found);
  };
  await runBasicTests({
    adapter,
    testWebAuthnMethods: true,
    db: {
      user: (id: string) => find("User", { id }),
      session: (sessionToken: string) => find("Session", { sessionToken }),
      account: (key: Row) => find("Account", key),
      verificationToken: (key: Row) => find("VerificationToken", key),
      authenticator: (credentialID: string) => find("Authenticator", { credentialID }),
    },
  });
});

/** A row as the suite compares it: columns of ours are left out, and values have their types however they are stored. */
function recordOf(table: TableName, row: Row): Row {
  return Object.fromEntries(COLUMNS[table].map((column) => [column, toValue(column, row[column])]));
}

function toValue(column: string, stored: unknown): unknown {
  if (stored === null || stored instanceof Date) return stored;
  if (column === "emailVerified" || column === "expires") return new Date(Number(stored) || String(stored));
  if (column === "credentialBackedUp") return Boolean(stored);
  return column === "expires_at" || column === "counter" ? Number(stored) : stored;
}

async function loadSuite(): Promise<Suite> {
  // A cast: Auth.js has it so.
  return (await import(pathToFileURL(process.env.CARDEA_AUTHJS_SUITE ?? "").href)) as Suite;
}

/** A cast: every database of Drizzle has the method. */
function assumeSelect(db: object) {
  return db as { select(): { from(table: unknown): Promise<readonly Row[]> } };
}

/** A cast: the interface of the instance has the four tables of Auth.js, the database has more. */
function assumeTables(db: object) {
  return db as Kysely<Record<TableName, Row>>;
}
