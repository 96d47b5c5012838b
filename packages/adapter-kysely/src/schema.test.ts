import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What this adapter writes above the statements, and the types that differ from those of `@cardea/adapter-prisma`. */
const dialects = {
  postgres: {
    header: "-- Tables of @cardea/adapter-kysely in PostgreSQL. The first four are those of @auth/kysely-adapter.\n",
    toOwn: (sql: string) => withLongNumbers(sql.replaceAll("TIMESTAMP(3)", "TIMESTAMPTZ(3)")),
  },
  mysql: {
    header:
      "-- Tables of @cardea/adapter-kysely in MySQL and MariaDB. The first four are those of @auth/kysely-adapter.\n",
    toOwn: withLongNumbers,
  },
  sqlite: {
    header:
      "-- Tables of @cardea/adapter-kysely in SQLite, libSQL and D1. The first four are those of @auth/kysely-adapter.\n" +
      "-- Times are ISO 8601 text. Each connection needs PRAGMA foreign_keys = ON (libSQL and D1 have it).\n",
    toOwn: (sql: string) => sql.replaceAll("DATETIME", "TEXT").replace(/BOOLEAN|BIGINT/g, "INTEGER"),
  },
} as const;

/** A lifetime of the provider's choice and the counter of a passkey may have more than 31 bits. */
function withLongNumbers(sql: string): string {
  return sql.replace(/(?<=["`](?:expires_at|counter)["`] )INTEGER/g, "BIGINT");
}

// Run vitest with -u after a change of the tables of @cardea/adapter-prisma: it writes the SQL again.
describe.each(["postgres", "mysql", "sqlite"] as const)("sql/schema.%s.sql", (kind) => {
  it("creates the tables of @cardea/adapter-prisma, but for types of columns", async () => {
    const path = (name: string) => fileURLToPath(new URL(`../../${name}/schema.${kind}.sql`, import.meta.url));
    const theirs = readFileSync(path("adapter-prisma/prisma"), "utf8");
    const statements = theirs.replace(/^(?:--.*|CREATE SCHEMA .*)\n+/gm, "");
    const { header, toOwn } = dialects[kind];
    await expect(`${header}\n${toOwn(statements)}`).toMatchFileSnapshot(path("adapter-kysely/sql"));
  });
});
