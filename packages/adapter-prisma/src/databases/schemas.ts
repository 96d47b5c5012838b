import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A database for which this package has models and tables, by Prisma's name. */
export type Provider = "sqlite" | "postgresql" | "mysql";

const names: Readonly<Record<Provider, string>> = { sqlite: "sqlite", postgresql: "postgres", mysql: "mysql" };

/** The models of one database, as applications copy them. */
export function readModels(provider: Provider): string {
  return readFileSync(pathOf(provider, "prisma"), "utf8");
}

/** The SQL that creates the tables of one database. */
export function readTables(provider: Provider): string {
  return readFileSync(pathOf(provider, "sql"), "utf8");
}

/** The first lines of the SQL of one database. */
export function headerOf(database: string, models: string): string {
  return `-- Tables of @cardea/adapter-prisma in ${database}, as Prisma makes them from ${models}.\n\n`;
}

/** Path of the models or the SQL of one database. */
export function pathOf(provider: Provider, extension: "prisma" | "sql"): string {
  return fileURLToPath(new URL(`../../prisma/schema.${names[provider]}.${extension}`, import.meta.url));
}
