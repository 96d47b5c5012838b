import { createRequire } from "node:module";
import { mysqlTables } from "../tables/mysql-tables.ts";
import { postgresTables } from "../tables/postgres-tables.ts";
import { sqliteTables } from "../tables/sqlite-tables.ts";
import type { Kind } from "./read-tables.ts";

/** The part of drizzle-kit that writes SQL. */
interface Kit {
  generateDrizzleJson(schema: object): object;
  generateMigration(from: object, to: object): Promise<string[]>;
  generateMySQLDrizzleJson(schema: object): Promise<object>;
  generateMySQLMigration(from: object, to: object): Promise<string[]>;
  generateSQLiteDrizzleJson(schema: object): Promise<object>;
  generateSQLiteMigration(from: object, to: object): Promise<string[]>;
}

/** The statements with which drizzle-kit creates the tables of this package in an empty database. */
export async function writeDdl(kind: Kind): Promise<readonly string[]> {
  // Its build for `import` needs `require`, which modules lack.
  const kit: Kit = createRequire(import.meta.url)("drizzle-kit/api");
  if (kind === "postgres") {
    return kit.generateMigration(
      kit.generateDrizzleJson({}),
      kit.generateDrizzleJson(postgresTables({ passkeyNames: true })),
    );
  }
  if (kind === "mysql") {
    const [from, to] = [
      await kit.generateMySQLDrizzleJson({}),
      await kit.generateMySQLDrizzleJson(mysqlTables({ passkeyNames: true })),
    ];
    return kit.generateMySQLMigration(from, to);
  }
  const [from, to] = [
    await kit.generateSQLiteDrizzleJson({}),
    await kit.generateSQLiteDrizzleJson(sqliteTables({ passkeyNames: true })),
  ];
  return kit.generateSQLiteMigration(from, to);
}
