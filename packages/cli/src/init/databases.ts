import { DOCS, type Language } from "./language.ts";

/** Where `init` stores users. */
export const DATABASES = {
  sqlite: "SQLite, a file",
  postgresql: "PostgreSQL",
  mysql: "MySQL or MariaDB",
  none: "Nowhere: sessions in cookies",
} as const;

/** Where `init` stores users. */
export type DatabaseChoice = keyof typeof DATABASES;

/** The file that creates the tables. */
export const TABLES_FILE = "auth-tables.mjs";

/** How an application stores users. */
export interface UserStorage {
  /** The content of `users`, which exports `adapter`; undefined if nothing is stored. */
  readonly users: ((language: Language) => readonly string[]) | undefined;
  /** The content of {@link TABLES_FILE}. */
  readonly tables: readonly string[] | undefined;
  /** Whether the development script creates the tables: those of a file that belongs to this application alone. */
  readonly hasOwnFile: boolean;
  /** Whether sessions are records of the database. */
  readonly hasSessions: boolean;
  readonly environment: readonly string[];
  readonly packages: readonly string[];
  /** Declarations of the driver, for applications in TypeScript. */
  readonly types: readonly string[];
  /** Patterns of files that git ignores. */
  readonly ignored: readonly string[];
  /** What is left before the first start. */
  readonly byHand: readonly string[];
  /** What is left for production. */
  readonly step: readonly string[];
}

interface Driver {
  readonly dialect: string;
  /** What is imported, and from which package. */
  readonly imported: readonly [what: string, from: string];
  /** The body of `open()`, which returns the dialect. */
  readonly open: (language: Pick<Language, "variable">) => readonly string[];
  readonly sql: string;
}

type Settings = Pick<UserStorage, "hasOwnFile" | "environment" | "packages" | "types" | "ignored" | "byHand" | "step">;

const KYSELY = ["@cardea/adapter-kysely", "kysely@0.28"] as const;

/** What differs between databases that have a server. */
const withServer = (name: string, url: string, packages: readonly string[], types: readonly string[]): Settings => ({
  hasOwnFile: false,
  environment: [`DATABASE_URL=${url}`],
  packages: [...KYSELY, ...packages],
  types,
  ignored: [],
  byHand: [`Set DATABASE_URL in .env.local to a database of ${name}, then create its tables: node ${TABLES_FILE}`],
  step: [
    `**Users**: set \`DATABASE_URL\` to your database of ${name}, and create its tables there: \`node ${TABLES_FILE}\`. Connections:`,
    `   ${DOCS}/database.md#connections`,
  ],
});

const WRITTEN: Readonly<Record<Exclude<DatabaseChoice, "none">, Driver & Settings>> = {
  sqlite: {
    dialect: "SqliteDialect",
    imported: ["Sqlite", "libsql"],
    open: () => [
      '  const database = new Sqlite(process.env.DATABASE_FILE ?? "app.db");',
      '  database.exec("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000");',
      "  return new SqliteDialect({ database });",
    ],
    sql: "schema.sqlite.sql",
    hasOwnFile: true,
    environment: ["DATABASE_FILE=app.db"],
    packages: [...KYSELY, "libsql@0.5"],
    types: [],
    ignored: ["app.db*"],
    byHand: [],
    step: [
      `**Users** are in the file \`app.db\`, which is enough for one process whose disk survives deployments: \`node ${TABLES_FILE}\``,
      `   creates the tables in \`DATABASE_FILE\`. Back it up, or use a database with a server: ${DOCS}/sqlite.md#before-production`,
    ],
  },
  postgresql: {
    dialect: "PostgresDialect",
    imported: ["{ Pool }", "pg"],
    open: () => [
      "  const pool = new Pool({ connectionString: process.env.DATABASE_URL });",
      "  // Without these listeners, a restart of the database would end the process.",
      '  pool.on("error", (error) => console.error("database", error.message));',
      '  pool.on("connect", (client) => client.on("error", () => {}));',
      "  return new PostgresDialect({ pool });",
    ],
    sql: "schema.postgres.sql",
    ...withServer("PostgreSQL", "postgresql://postgres:postgres@localhost:5432/postgres", ["pg@8"], ["@types/pg@8"]),
  },
  mysql: {
    dialect: "MysqlDialect",
    imported: ["{ createPool }", "mysql2"],
    open: ({ variable }) => [
      `  const pool = createPool({ uri: ${variable("DATABASE_URL")}, timezone: "Z" });`,
      "  // A column of type `timestamp` is converted from the zone of the connection.",
      '  pool.on("connection", (connection) => connection.query("SET time_zone = \'+00:00\'"));',
      "  return new MysqlDialect({ pool });",
    ],
    sql: "schema.mysql.sql",
    ...withServer("MySQL or MariaDB", "mysql://root:root@localhost:3306/app", ["mysql2@3"], []),
  },
};

/** Users in a database, through Kysely: no generated code, and SQL that the package has. */
const usersThrough =
  ({ dialect, imported, open }: Driver) =>
  (language: Language): readonly string[] => {
    const { isTyped, load, exported } = language;
    const kept = isTyped ? "(globalThis as { authDatabase?: KyselyAuth<Database> })" : "globalThis";
    return [
      load(`{ ${isTyped ? "type Database, " : ""}KyselyAdapter, KyselyAuth }`, "@cardea/adapter-kysely"),
      load(`{ ${dialect} }`, "kysely"),
      load(...imported),
      "",
      "function open() {",
      ...open(language),
      "}",
      "",
      "// One connection for the process: development loads this file again after each change.",
      `const kept = ${kept};`,
      `kept.authDatabase ??= new KyselyAuth${isTyped ? "<Database>" : ""}({ dialect: open() });`,
      exported("adapter", "KyselyAdapter(kept.authDatabase)"),
    ];
  };

const tablesThrough = ({ dialect, imported: [what, from], open, sql }: Driver): readonly string[] => [
  "// Creates the tables of users, accounts and sessions, unless they exist. Run it once for each database.",
  'import { existsSync, readFileSync } from "node:fs";',
  `import { Kysely, ${dialect}, sql } from "kysely";`,
  `import ${what} from "${from}";`,
  "",
  'if (existsSync(".env.local")) process.loadEnvFile(".env.local");',
  "",
  "function open() {",
  ...open({ variable: (name) => `process.env.${name}` }),
  "}",
  "",
  "async function createTables(db) {",
  `  const text = readFileSync("node_modules/@cardea/adapter-kysely/sql/${sql}", "utf8");`,
  '  for (const statement of text.replace(/^--.*$/gm, "").split(/;$/m))',
  '    if (statement.trim() !== "") await sql.raw(statement).execute(db);',
  "}",
  "",
  "const db = new Kysely({ dialect: open() });",
  "try {",
  "  const tables = await db.introspection.getTables();",
  "  // The last one of them.",
  '  if (!tables.some(({ name }) => name === "StateLog")) await db.transaction().execute(createTables);',
  "} finally {",
  "  await db.destroy();",
  "}",
];

/** The library that an application already uses for its database. */
export interface Library {
  readonly name: string;
  /** The suffix of our adapter's package, and its page of the documentation. */
  readonly id: string;
  /** The adapter of a client that the application has. */
  readonly adapter: string;
}

/** By the package that an application depends on. */
export const LIBRARIES: Readonly<Record<string, Library>> = {
  "@prisma/client": { name: "Prisma", id: "prisma", adapter: "PrismaAdapter(prisma)" },
  "drizzle-orm": { name: "Drizzle", id: "drizzle", adapter: "DrizzleAdapter(db, schema)" },
  kysely: { name: "Kysely", id: "kysely", adapter: "KyselyAdapter(db)" },
};

/** Users in memory, typed where the application is. */
const usersInMemory =
  (wayOut: readonly string[]) =>
  ({ isTyped, load, exported }: Language): readonly string[] => [
    load("{ createMemoryAdapter }", "@cardea/testing/memory-adapter"),
    "",
    ...wayOut,
    `const kept = ${isTyped ? "(globalThis as { authMemory?: ReturnType<typeof createMemoryAdapter> })" : "globalThis"};`,
    "kept.authMemory ??= createMemoryAdapter();",
    exported("adapter", "kept.authMemory.adapter"),
  ];

/** Nothing is stored: in memory what a way to sign in needs, otherwise in cookies alone. */
function withoutDatabase(needsRecords: boolean, library: Library | undefined): UserStorage {
  const { adapter, id } = library ?? { adapter: "PrismaAdapter(client)", id: undefined };
  const page = `${DOCS}/${id ?? "database"}.md`;
  const wayOut = [
    "// Users in memory, lost when this process ends: for development only. For production, export the adapter of your database here,",
    `// such as \`export const adapter = ${adapter}\`: ${page}`,
  ];
  const use = library === undefined ? "of your database" : `\`${adapter}\` of @cardea/adapter-${id}`;
  return {
    users: needsRecords ? usersInMemory(wayOut) : undefined,
    tables: undefined,
    hasOwnFile: false,
    hasSessions: false,
    environment: [],
    packages: [],
    types: [],
    ignored: [],
    byHand: [],
    step: needsRecords
      ? [
          `**Users**: \`users\` keeps them in memory. Export the adapter ${use} there:`,
          `   ${page}. Then remove \`@cardea/testing\` from it.`,
        ]
      : [
          "**Users**: nothing is stored, and sessions are in cookies. To end sessions, and to give one user several accounts,",
          `   add the adapter ${use}: ${page}`,
        ],
  };
}

/**
 * Returns how users are stored.
 *
 * @param needsRecords whether a way to sign in works only with an adapter.
 * @param library what the application uses for its own database.
 */
export function storageFor(choice: DatabaseChoice, needsRecords: boolean, library: Library | undefined): UserStorage {
  if (choice === "none") return withoutDatabase(needsRecords, library);
  const { dialect, imported, open, sql, ...settings } = WRITTEN[choice];
  const driver = { dialect, imported, open, sql };
  return { ...settings, users: usersThrough(driver), tables: tablesThrough(driver), hasSessions: true };
}
