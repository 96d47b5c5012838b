import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { generateClient } from "../../packages/adapter-prisma/src/databases/generate-client.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A set-up as a page shows it. */
export interface SetUp {
  readonly name: string;
  readonly database: "postgres" | "mysql" | "redis";
  /** The page with the block. */
  readonly page: string;
  /** What the block contains, and no other block of the page. */
  readonly contains: string;
  /** The package in whose folder it runs. */
  readonly package: string;
  /** The tables, below the package. */
  readonly tables?: string;
  /** How the variables of the block make an adapter, and one in a transaction. */
  readonly serve: string;
}

const drizzle = {
  package: "packages/adapter-drizzle",
  serve: `import { DrizzleAdapter as Adapter } from "@cardea/adapter-drizzle";
serve({ adapter: Adapter(db, schema), inTransaction: (work) => db.transaction((one) => work(Adapter(one as never, schema as never))) });`,
};
const kysely = {
  package: "packages/adapter-kysely",
  serve: `import { KyselyAdapter as Adapter } from "@cardea/adapter-kysely";
serve({ adapter: Adapter(db), inTransaction: (work) => db.transaction().execute((one) => work(Adapter(one))) });`,
};
const prisma = {
  package: "packages/adapter-prisma",
  serve: `import { PrismaAdapter as Adapter } from "@cardea/adapter-prisma";
serve({
  adapter: Adapter(prisma),
  inTransaction: (work) => (prisma as any).$transaction((one: any) => work(Adapter(one)), { timeout: 60_000 }),
});`,
};

/** Every set-up of a database on a server that the documentation shows. */
export const SET_UPS: readonly SetUp[] = [
  {
    ...drizzle,
    name: "Drizzle with pg",
    database: "postgres",
    page: "packages/adapter-drizzle/README.md",
    contains: "createAuth",
    tables: "sql/schema.postgres.sql",
  },
  {
    ...drizzle,
    name: "Drizzle with mysql2",
    database: "mysql",
    page: "docs/drizzle.md",
    contains: "createPool",
    tables: "sql/schema.mysql.sql",
  },
  {
    ...kysely,
    name: "Kysely with pg",
    database: "postgres",
    page: "packages/adapter-kysely/README.md",
    contains: "createAuth",
    tables: "sql/schema.postgres.sql",
  },
  {
    ...kysely,
    name: "Kysely with mysql2",
    database: "mysql",
    page: "docs/kysely.md",
    contains: "createPool",
    tables: "sql/schema.mysql.sql",
  },
  {
    ...prisma,
    name: "Prisma on PostgreSQL",
    database: "postgres",
    page: "packages/adapter-prisma/README.md",
    contains: "createAuth",
    tables: "prisma/schema.postgres.sql",
  },
  {
    ...prisma,
    name: "Prisma on MariaDB",
    database: "mysql",
    page: "docs/prisma.md",
    contains: "PrismaMariaDb",
    tables: "prisma/schema.mysql.sql",
  },
];

const redis = {
  package: "packages/store-redis",
  database: "redis",
} as const;

/** Every client of Redis that the documentation shows. */
export const STORES: readonly SetUp[] = [
  {
    ...redis,
    name: "ioredis",
    page: "packages/store-redis/README.md",
    contains: "ioredis",
    serve: "serve({ store: redisStore(redis) });",
  },
  { ...redis, name: "redis", page: "docs/stores.md", contains: "createClient", serve: "serve({ store });" },
];

/** A set-up as a program. */
export interface Program {
  readonly path: string;
  remove(): void;
}

const BLOCK = /^(?:```ts[ \t]*\n(?<code>[\s\S]*?)^```[ \t]*|<!-- ts\n(?<hidden>[\s\S]*?)-->)$/gm;

/**
 * Builds the block of a page, as it is, into a program that `serve-adapter.ts` makes answer. `change` may alter its text, for controls.
 */
export async function buildSetUp(setUp: SetUp, change = (text: string) => text): Promise<Program> {
  const folder = join(root, setUp.package, "node_modules/.set-ups", crypto.randomUUID().slice(0, 8));
  const text = await writeBlocks(setUp, folder);
  const serve = `import { serve } from ${JSON.stringify(join(root, "tests/databases/serve-adapter.ts"))};\n${setUp.serve}\n`;
  writeFileSync(join(folder, "program.ts"), `${change(text)}\n${serve}`);
  await build({
    absWorkingDir: folder,
    entryPoints: [join(folder, "program.ts")],
    outfile: join(folder, "program.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    plugins: [
      { name: "sources", setup: (one) => one.onResolve({ filter: /^@cardea\// }, ({ path }) => sourceOf(path)) },
    ],
    // The packages of the application, as it has installed them.
    external: ["@prisma/*", "mariadb", "pg", "mysql2", "drizzle-orm", "kysely", "ioredis", "redis"],
    nodePaths: [join(root, "packages/express/node_modules"), join(root, "packages/core/node_modules")],
    banner: {
      js: `import { createRequire as forBundle } from "node:module"; const require = forBundle(import.meta.url);`,
    },
  });
  return { path: join(folder, "program.mjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

interface Tsconfig {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> };
}
const { compilerOptions }: Tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));

/** Where the sources of one of our packages are: nothing has to be built before. */
function sourceOf(specifier: string): { readonly path: string } | undefined {
  for (const [pattern, [target = ""]] of Object.entries(compilerOptions.paths)) {
    const [, name = ""] = new RegExp(`^${pattern.replace("*", "([^/]+)")}$`).exec(specifier) ?? [undefined];
    const isMatch = new RegExp(`^${pattern.replace("*", "([^/]+)")}$`).test(specifier);
    if (isMatch) return { path: join(root, target.replace("*", name)) };
  }
  return undefined;
}

/** The block that a set-up names, and the files beside it: those that the page hides, and a generated client. */
async function writeBlocks({ page, contains, database }: SetUp, folder: string): Promise<string> {
  const blocks = [...readFileSync(join(root, page), "utf8").matchAll(BLOCK)].map(({ groups = {} }) => groups);
  const index = blocks.findIndex(({ code }) => code?.includes(contains));
  const text = blocks[index]?.code;
  if (text === undefined) throw new Error(`${page} has no block with ${contains}.`);
  mkdirSync(folder, { recursive: true });
  for (const { hidden = "" } of blocks.slice(0, index)) {
    const name = /^\/\/ ([\w./-]+\.ts)\n/.exec(hidden)?.[1];
    if (name === undefined) continue;
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const client = name.startsWith("generated/")
      ? await generateClient({ provider: database === "mysql" ? "mysql" : "postgresql" })
      : undefined;
    // A generated client refers to its own location.
    writeFileSync(path, client === undefined ? hidden : `export * from ${JSON.stringify(fileURLToPath(client))};`);
  }
  if (!existsSync(folder)) throw new Error("The folder is missing.");
  return text;
}

/** The SQL that creates the tables of a set-up. */
export function tablesOf({ package: folder, tables = "" }: SetUp): readonly string[] {
  const sql = readFileSync(join(root, folder, tables), "utf8").replace(/^--.*$/gm, "");
  return sql
    .split(/;$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
