import { describe, expect, it } from "vitest";
import { readTables, statementsOf } from "./databases/test-database.ts";

/** Tables of some SQL with their columns, and what holds for keys: the names alone, which are the same in every database. */
function outlineOf(sql: string): readonly string[] {
  const plain = sql.replaceAll("`", '"');
  const tables = [...plain.matchAll(/^CREATE TABLE "(\w+)" \(\n([\s\S]*?)^\)/gm)].flatMap(([, table, body = ""]) =>
    [...body.matchAll(/^ {4}"(\w+)"/gm)].map(([, column]) => `${table}.${column}`),
  );
  const cascades = plain.match(/REFERENCES "User" ?\("id"\) ON DELETE CASCADE/g) ?? [];
  return [...tables, ...cascades.map((_, n) => `cascade ${n}`)];
}

describe("sql/", () => {
  it.each(["mysql", "sqlite"] as const)("has the same tables and columns in %s as in PostgreSQL", (kind) => {
    expect(outlineOf(readTables("postgres")).length).toBeGreaterThan(50);
    expect(outlineOf(readTables(kind))).toEqual(outlineOf(readTables("postgres")));
  });

  it("compares every key byte by byte in MySQL", () => {
    for (const statement of statementsOf(readTables("mysql")))
      expect(statement).toContain("DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
  });

  it.each(["mysql", "postgres", "sqlite"] as const)(
    "names the tables and columns of @cardea/adapter-prisma in %s",
    async (kind) => {
      const { readFile } = await import("node:fs/promises");
      const theirs = await readFile(new URL(`../../adapter-prisma/prisma/schema.${kind}.sql`, import.meta.url), "utf8");
      expect(outlineOf(readTables(kind))).toEqual(outlineOf(theirs));
    },
  );
});
