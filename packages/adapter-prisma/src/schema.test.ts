import { readFileSync } from "node:fs";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import { describe, expect, it } from "vitest";
import { type Model, parseModelText, parseTableText } from "./databases/parse-schema.ts";
import { headerOf, pathOf, readModels, readTables } from "./databases/schemas.ts";
import { writeDdl } from "./databases/write-ddl.ts";

// Run vitest with -u after a change of the models: it writes the SQL of SQLite again, and schema.long.test.ts that of PostgreSQL.
describe("schema.sqlite.sql", () => {
  it("is what Prisma makes of schema.sqlite.prisma", async () => {
    const sql = await writeDdl("sqlite", new PrismaLibSql({ url: ":memory:" }));
    await expect(headerOf("SQLite", "schema.sqlite.prisma") + sql).toMatchFileSnapshot(pathOf("sqlite", "sql"));
  });
});

describe("schema.mysql.sql", () => {
  it("has the tables, columns and keys of schema.mysql.prisma", () => {
    const models = parseModelText(readModels("mysql"));
    expect(Object.keys(models)).toEqual([
      "User",
      "Account",
      "Session",
      "VerificationToken",
      "Authenticator",
      "SessionInfo",
      "Credential",
      "State",
      "StateLog",
    ]);
    expect(parseTableText(readTables("mysql"))).toEqual(models);
  });

  it("compares every key byte by byte", () => {
    const tables = readTables("mysql").split("CREATE TABLE").slice(1);
    for (const table of tables) expect(table).toContain("DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;");
  });

  it("fits no key into more than 3072 bytes", () => {
    // Eight bytes each: as many as two characters.
    const ofNumbers: Readonly<Record<string, number>> = {
      "BIGINT NOT NULL": 2,
      "DATETIME(3) NOT NULL": 2,
      "DATETIME(3)": 2,
    };
    for (const { columns, keys } of Object.values(parseTableText(readTables("mysql")))) {
      for (const key of keys.filter((one) => !one.startsWith("references"))) {
        const names = key.replace(/^.*?\(|\)$/g, "").split(", ");
        const characters = names.map((part) => {
          const [, name = "", first] = /^(\w+)(?:\((\d+)\))?$/.exec(part) ?? [];
          return Number(first ?? /VARCHAR\((\d+)\)/.exec(columns[name] ?? "")?.[1] ?? ofNumbers[columns[name] ?? ""]);
        });
        expect(4 * characters.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(3072);
      }
    }
  });
});

describe("the models", () => {
  it.each(["postgresql", "mysql"] as const)("of %s are those of sqlite but for the types of columns", (provider) => {
    const plain = (text: string): string =>
      text.replace(/^\/\/.*\n+/gm, "").replace(/ +@db\.\S+|\(length: \d+\)| +(?= )/g, "");
    expect(plain(readModels(provider))).toBe(plain(readModels("sqlite")));
  });
});

describe("docs/database.md", () => {
  it.each(["postgresql", "mysql", "sqlite"] as const)(
    "shows the statements that add the tables of extensions to %s",
    (provider) => {
      const page = readFileSync(new URL("../../../docs/database.md", import.meta.url), "utf8");
      const statements = readTables(provider)
        .replace(/^--.*\n/gm, "")
        .split(/;$/m);
      const added = statements.filter((sql) => /["`](?:SessionInfo|Credential|State|StateLog)["`]/.test(sql));
      expect(added.length).toBeGreaterThanOrEqual(4);
      for (const sql of added) expect(page).toContain(`${sql.trim()};`);
    },
  );
});

describe("parseModelText()", () => {
  it("sees each difference that matters", () => {
    const models = (changes: [string, string][]): Record<string, Model> => {
      const text = changes.reduce((changed, [from, to]) => changed.replace(from, to), readModels("mysql"));
      return parseModelText(text);
    };
    const before = models([]);
    for (const change of [
      ["id_token          String?", "id_token          String"],
      ["@db.VarChar(1364)", "@db.VarChar(1363)"],
      ["@unique(length: 768)", "@unique(length: 767)"],
      ["credentialID(length: 384)", "credentialID(length: 383)"],
      ["@@index([userId])", ""],
      ["onDelete: Cascade", "onDelete: Restrict"],
      ["expires_at        Int?", "expires_at        BigInt?"],
      ["email         String?   @unique", "email         String?"],
    ] satisfies [string, string][]) {
      expect(models([change])).not.toEqual(before);
    }
  });
});
