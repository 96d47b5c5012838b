import { describe, expect, it } from "vitest";
import { type Kind, pathOf } from "./databases/read-tables.ts";
import { writeDdl } from "./databases/write-ddl.ts";

const names = { postgres: "PostgreSQL", mysql: "MySQL 8 and MariaDB", sqlite: "SQLite, libSQL and D1" } as const;

/** Every key of MySQL is compared byte by byte; with its usual collation "abc" and "ABC" would be one account. */
const endings: Readonly<Record<Kind, string>> = {
  postgres: ";",
  mysql: " ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
  sqlite: ";",
};

// Run vitest with -u after a change of the tables: it writes the SQL again.
describe.each(["postgres", "mysql", "sqlite"] as const)("sql/schema.%s.sql", (kind) => {
  it("is what drizzle-kit makes of the tables of this package", async () => {
    const statements = (await writeDdl(kind)).map((statement) => {
      const text = statement.trim().replace(/;$/, "").replaceAll("\t", "    ");
      return `${text}${text.startsWith("CREATE TABLE") ? endings[kind] : ";"}\n`;
    });
    const header = `-- Tables of @cardea/adapter-drizzle in ${names[kind]}, as drizzle-kit makes them.\n`;
    await expect([header, ...statements].join("\n")).toMatchFileSnapshot(pathOf(kind));
  });
});
