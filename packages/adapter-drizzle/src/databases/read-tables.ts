import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The databases for which this package has SQL. */
export type Kind = "postgres" | "mysql" | "sqlite";

/** The SQL that creates the tables of one database. */
export function readTables(kind: Kind): string {
  return readFileSync(pathOf(kind), "utf8");
}

/** Path of the SQL of one database. */
export function pathOf(kind: Kind): string {
  return fileURLToPath(new URL(`../../sql/schema.${kind}.sql`, import.meta.url));
}
