import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A database that this package has models and tables for, as Prisma calls it. */
export type Provider = "sqlite" | "postgresql" | "mysql";

const names: Readonly<Record<Provider, string>> = { sqlite: "sqlite", postgresql: "postgres", mysql: "mysql" };

/** The models of one database, as applications copy them. */
export function readModels(provider: Provider): string {
  return readFileSync(pathOf(provider, "prisma"), "utf8");
}

/** The SQL that makes the tables of one database. */
export function readTables(provider: Provider): string {
  return readFileSync(pathOf(provider, "sql"), "utf8");
}

/** Where the models or the SQL of one database are. */
export function pathOf(provider: Provider, extension: "prisma" | "sql"): string {
  return fileURLToPath(new URL(`../../prisma/schema.${names[provider]}.${extension}`, import.meta.url));
}
