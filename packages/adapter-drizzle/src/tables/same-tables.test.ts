import { readFileSync } from "node:fs";
import { getTableColumns, getTableName, type Table } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { mysqlTables } from "./mysql-tables.ts";
import { postgresTables } from "./postgres-tables.ts";
import { sqliteTables } from "./sqlite-tables.ts";

const NAMED = { passkeyNames: true } as const;
const SNAKE_CASE = { ...NAMED, casing: "snake_case" } as const;

/** Tables with their columns, and what the adapter and applications rely on. */
function outlineOf(tables: Readonly<Record<string, Table>>): readonly string[] {
  return Object.entries(tables).flatMap(([member, table]) =>
    Object.entries(getTableColumns(table)).map(([key, { name, dataType, notNull, primary, isUnique, hasDefault }]) => {
      const facts = Object.entries({ notNull, primary, isUnique, hasDefault }).filter(([, holds]) => holds);
      return `${member} ${getTableName(table)}.${key} ${name} ${dataType} ${facts.map(([fact]) => fact).join(" ")}`;
    }),
  );
}

describe("the tables", () => {
  const inPostgres = outlineOf(postgresTables(NAMED));

  it.each([
    ["MySQL", mysqlTables(NAMED), mysqlTables(SNAKE_CASE)],
    ["SQLite", sqliteTables(NAMED), sqliteTables(SNAKE_CASE)],
  ])("are the same in %s as in PostgreSQL, but for types of columns", (_, usual, inSnakeCase) => {
    expect(outlineOf(usual)).toEqual(inPostgres);
    expect(outlineOf(inSnakeCase)).toEqual(outlineOf(postgresTables(SNAKE_CASE)));
  });

  it("have the columns of @cardea/adapter-prisma", () => {
    const sql = readFileSync(new URL("../../../adapter-prisma/prisma/schema.postgres.sql", import.meta.url), "utf8");
    const columns = [...sql.matchAll(/^CREATE TABLE "(\w)(\w+)" \(\n([\s\S]*?)^\)/gm)].flatMap(
      ([, first = "", rest = "", body = ""]) =>
        [...body.matchAll(/^ {4}"(\w+)"/gm)].map(([, column]) => `${first.toLowerCase()}${rest}.${column}`),
    );
    expect(inPostgres.map((line) => line.split(" ")[1])).toEqual(columns);
  });
});
