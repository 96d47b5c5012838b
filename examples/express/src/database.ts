import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PrismaAdapter, type PrismaClientLike } from "@cardea/adapter-prisma";
import type { PrismaLibSql } from "@prisma/adapter-libsql";
import type { PrismaPg } from "@prisma/adapter-pg";

/** What keeps users, accounts and sessions: `PrismaAdapter(client)`, or another in a test. */
export type Adapter = ReturnType<typeof PrismaAdapter>;

/** A database with its tables, ready for use. */
export interface Database {
  readonly adapter: Adapter;
  close(): Promise<void>;
}

/** The databases that the build has generated a client for. */
type Kind = "sqlite" | "postgres";

/** What is used of a generated client, besides what the adapter uses. */
interface Client extends PrismaClientLike {
  $transaction<T>(work: (transaction: SqlRunner) => Promise<T>, limits: TransactionLimits): Promise<T>;
  $disconnect(): Promise<void>;
}
interface TransactionLimits {
  /** Until it begins, and from then on until it ends; milliseconds. */
  readonly maxWait: number;
  readonly timeout: number;
}
interface SqlRunner {
  $queryRawUnsafe(sql: string): PromiseLike<unknown>;
  $executeRawUnsafe(sql: string): PromiseLike<number>;
}
type ClientClass = new (options: { readonly adapter: PrismaLibSql | PrismaPg }) => Client;

/** How long a write to SQLite waits for that of another process. */
const BUSY_TIMEOUT_MS = 5000;

/** For processes that wait while another makes the tables. */
const PATIENT: TransactionLimits = { maxWait: 30_000, timeout: 30_000 };

/**
 * Opens a database and makes the tables when they are not there.
 *
 * @param url `postgres://…` or `postgresql://…`, or `file:…` for SQLite, whose folder is made as well.
 * @throws Error when the URL is another one, and whatever the database rejects with.
 */
export async function openDatabase(url: string): Promise<Database> {
  const kind = kindOf(url);
  const client = await connect(kind, url);
  const close = () => client.$disconnect();
  try {
    await makeTables(client, kind);
  } catch (error) {
    await close();
    throw error;
  }
  return { adapter: PrismaAdapter(client), close };
}

function kindOf(url: string): Kind {
  if (/^postgres(?:ql)?:\/\//.test(url)) return "postgres";
  if (url.startsWith("file:")) return "sqlite";
  // The whole URL may hold a password.
  throw new Error(`DATABASE_URL begins with "${url.slice(0, 8)}"; it takes postgres://… or file:….`);
}

async function connect(kind: Kind, url: string): Promise<Client> {
  // Beside this file once it is built. An application with one database imports its client like any other module.
  const module: unknown = await import(new URL(`prisma/${kind}.js`, import.meta.url).href);
  const { PrismaClient } = parseModule(module);
  if (kind === "postgres") {
    const { PrismaPg } = await import("@prisma/adapter-pg");
    return new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
  }
  const { PrismaLibSql } = await import("@prisma/adapter-libsql");
  mkdirSync(dirname(url.startsWith("file:///") ? fileURLToPath(url) : url.slice("file:".length)), { recursive: true });
  return new PrismaClient({ adapter: new PrismaLibSql({ url, timeout: BUSY_TIMEOUT_MS }) });
}

const HAS_TABLES: Readonly<Record<Kind, string>> = {
  sqlite: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'User'`,
  postgres: `SELECT 1 FROM information_schema.tables WHERE table_schema = 'public' AND table_name = 'User'`,
};

/** All tables or none, and by one process only of several that start at the same moment. */
async function makeTables(client: Client, kind: Kind): Promise<void> {
  await client.$transaction(async (transaction) => {
    // Any number will do, as long as no one else on this database has it.
    if (kind === "postgres") await transaction.$executeRawUnsafe("SELECT pg_advisory_xact_lock(20261121)");
    const found = await transaction.$queryRawUnsafe(HAS_TABLES[kind]);
    if (Array.isArray(found) && found.length > 0) return;
    for (const statement of readStatements(kind)) await transaction.$executeRawUnsafe(statement);
  }, PATIENT);
}

/** The SQL that comes with the adapter. An application has migrations of its own in its place. */
function readStatements(kind: Kind): readonly string[] {
  const adapter = createRequire(import.meta.url).resolve("@cardea/adapter-prisma/package.json");
  const sql = readFileSync(join(dirname(adapter), "prisma", `schema.${kind}.sql`), "utf8");
  const statements = sql.replace(/^--.*$/gm, "").split(/;$/m);
  return statements.filter((statement) => statement.trim() !== "");
}

function parseModule(module: unknown): { readonly PrismaClient: ClientClass } {
  return module as { readonly PrismaClient: ClientClass };
}
