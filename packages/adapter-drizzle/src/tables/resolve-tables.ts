import { is, Table } from "drizzle-orm";
import type { AnyTable, Dialect } from "../database.ts";
import { findColumn } from "../where.ts";
import { mysqlTables } from "./mysql-tables.ts";
import { postgresTables } from "./postgres-tables.ts";
import { sqliteTables } from "./sqlite-tables.ts";
import type { Tables } from "./tables.ts";

/** The columns that the adapter reads or writes in each table. */
const COLUMNS: Readonly<Record<keyof Tables, readonly string[]>> = {
  usersTable: ["id", "name", "email", "emailVerified", "image"],
  accountsTable: ["userId", "type", "provider", "providerAccountId"],
  sessionsTable: ["sessionToken", "userId", "expires"],
  verificationTokensTable: ["identifier", "token", "expires"],
  authenticatorsTable: ["credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter"],
  sessionInfosTable: ["id", "tokenHash", "userId", "factors", "idp", "epoch", "endedAt"],
  credentialsTable: ["id", "userId", "type", "secret", "state", "version"],
  statesTable: ["key", "value", "expires", "version"],
  stateLogsTable: ["name", "seq", "entry", "expires"],
};

/** Columns of passkeys that tables made for Auth.js lack. */
export const NAME_COLUMNS = ["name", "createdAt", "usedAt"] as const;

const TIMES = ["emailVerified", "expires", "createdAt", "seenAt", "endedAt", "usedAt"];
const TEXTS = [
  ...["id", "userId", "email", "sessionToken", "identifier", "token", "provider", "providerAccountId"],
  ...["credentialID", "credentialPublicKey", "tokenHash", "secret", "key"],
];

/** The types that the queries need. A custom type is the application's business. */
function requireKind(place: string, kind: string | undefined, column: string): void {
  if (kind === "custom") return;
  if (TEXTS.includes(column) && kind !== "string")
    throw new TypeError(
      `\`${place}\` must hold text, not ${kind}: ids are texts, such as \`text().primaryKey().$defaultFn(() => crypto.randomUUID())\`. Tables with numeric ids work with PrismaAdapter().`,
    );
  if (TIMES.includes(column) && kind !== "date")
    throw new TypeError(
      `\`${place}\` must hold dates, not ${kind}: pass \`{ mode: "date" }\`, or \`"timestamp_ms"\` in SQLite.`,
    );
}

const OF_AUTHJS = [
  "usersTable",
  "accountsTable",
  "sessionsTable",
  "verificationTokensTable",
  "authenticatorsTable",
] as const;

/** A cast: the users table belongs to the same database. */
const makers: Readonly<Record<Dialect, (options: { readonly usersTable?: never }) => object>> = {
  pg: postgresTables,
  mysql: mysqlTables,
  sqlite: sqliteTables,
};

/**
 * The application's tables, and Auth.js defaults for the others. Tables of extensions are used only if they are passed,
 * because a database created for Auth.js has none.
 *
 * @throws TypeError if a value is not a table, or a table lacks a column.
 */
export function resolveTables(dialect: Dialect, given: object): Tables {
  const named = Object.keys(COLUMNS).flatMap((name) => {
    const table: unknown = Reflect.get(given, name);
    return table === undefined ? [] : [[name, requireTable(name as keyof Tables, table)] as const];
  });
  const tables = Object.fromEntries(named);
  const { usersTable } = tables;
  const missing = OF_AUTHJS.filter((name) => tables[name] === undefined);
  if (missing.length === 0) return tables as unknown as Tables;
  const made = makers[dialect](usersTable === undefined ? {} : { usersTable: usersTable as never });
  const usual = Object.fromEntries(missing.map((name) => [name, Reflect.get(made, name)]));
  return { ...usual, ...tables } as unknown as Tables;
}

function requireTable(name: keyof Tables, table: unknown): AnyTable {
  if (!is(table, Table)) throw new TypeError(`\`${name}\` is not a Drizzle table.`);
  const found = table as AnyTable;
  const missing = COLUMNS[name].filter((column) => findColumn(found, column) === undefined);
  if (missing.length > 0)
    throw new TypeError(`\`${name}\` lacks columns that the adapter needs: ${missing.join(", ")}.`);
  const present = NAME_COLUMNS.filter(
    (column) => name === "authenticatorsTable" && findColumn(found, column) !== undefined,
  );
  for (const column of [...COLUMNS[name], ...present])
    requireKind(`${name}.${column}`, findColumn(found, column)?.dataType, column);
  return found;
}
