import { valueNamed } from "../adopt/object-literals.ts";
import type { Facts } from "../doctor/facts.ts";
import { rangeOf } from "../files/manifest.ts";
import type { Database } from "./write-sql.ts";

/** The adapters with known tables. */
export const ADAPTERS = ["prisma", "drizzle", "kysely"] as const;

/** The suffix of an adapter's package name. */
export type AdapterName = (typeof ADAPTERS)[number];

/** The adapter in the configuration, otherwise the only one installed. */
export function findAdapter({ configurations, manifest }: Facts): AdapterName | undefined {
  const configured = configurations.flatMap(({ literals }) =>
    literals.map((literal) => valueNamed(literal, "adapter")?.getText() ?? ""),
  );
  const named = ADAPTERS.find((name) => configured.some((text) => text.toLowerCase().includes(`${name}adapter(`)));
  if (named !== undefined) return named;
  const installed = ADAPTERS.filter((name) => rangeOf(manifest, `@cardea/adapter-${name}`) !== undefined);
  return installed.length === 1 ? installed[0] : undefined;
}

const DRIVERS: Readonly<Record<Database, readonly string[]>> = {
  postgresql: [
    "pg",
    "postgres",
    "@electric-sql/pglite",
    "@neondatabase/serverless",
    "@vercel/postgres",
    "@prisma/adapter-pg",
  ],
  mysql: ["mysql2", "mariadb", "@planetscale/database", "@prisma/adapter-mariadb"],
  sqlite: [
    "better-sqlite3",
    "@libsql/client",
    "libsql",
    "kysely-d1",
    "@prisma/adapter-libsql",
    "@prisma/adapter-better-sqlite3",
  ],
};

/**
 * The database: from the Prisma schema, otherwise from the function that creates the Drizzle tables, otherwise from the
 * only installed driver.
 */
export function findDatabase({ files, manifest, project }: Facts): Database | undefined {
  for (const [path, text] of files) {
    if (!path.endsWith(".prisma")) continue;
    const provider = /\bprovider\s*=\s*"(postgresql|mysql|sqlite)"/.exec(text)?.[1];
    const known = databaseOf(provider);
    if (known !== undefined) return known;
  }
  const sources = project.getSourceFiles().map((file) => file.getFullText());
  const made = sources.flatMap(
    (text) => /\b(postgres|mysql|sqlite)Tables\(|drizzle-orm\/(pg|mysql|sqlite)-core/.exec(text) ?? [],
  );
  const makers = [...new Set(made.flatMap((name) => databaseOf(name) ?? []))];
  if (makers.length === 1) return makers[0];
  const driven = (["postgresql", "mysql", "sqlite"] as const).filter((database) =>
    DRIVERS[database].some((name) => rangeOf(manifest, name) !== undefined),
  );
  return driven.length === 1 ? driven[0] : undefined;
}

/** Maps the name of a database in options, Prisma or Drizzle. */
export function databaseOf(name: string | undefined): Database | undefined {
  switch (name) {
    case "postgresql":
    case "postgres":
    case "pg":
      return "postgresql";
    case "mysql":
    case "mariadb":
      return "mysql";
    case "sqlite":
    case "libsql":
    case "d1":
      return "sqlite";
    default:
      return undefined;
  }
}
