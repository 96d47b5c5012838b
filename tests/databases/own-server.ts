import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type SetUp, tablesOf } from "./documented-set-ups.ts";
import { startMariadb } from "./start-mariadb.ts";
import { startPostgres } from "./start-postgres.ts";

const require = createRequire(new URL("../../packages/adapter-kysely/package.json", import.meta.url));
const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);

/** A server of the test's own, and databases on it. */
export interface OwnServer {
  /** A database with the tables of a set-up. */
  open(setUp: SetUp): Promise<{ readonly url: string; run(sql: string): Promise<void> }>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server in a zone, for itself and for its connections; undefined where it is not installed. */
export async function openOwn(kind: "postgres" | "mysql", zone = "UTC"): Promise<OwnServer | undefined> {
  const server =
    kind === "postgres" ? await startPostgres(["-c", `timezone=${zone}`]) : await startMariadb({ TZ: zone });
  if (server === undefined) return undefined;
  const run = kind === "postgres" ? runPostgres : runMariadb;
  return {
    restart: server.restart,
    close: server.close,
    async open(setUp) {
      const name = `set_up_${crypto.randomUUID().slice(0, 8)}`;
      await run(server.url.replace(/test$/, "mysql"), [`CREATE DATABASE ${name}`]);
      const url = server.url.replace(/[^/]*$/, name);
      await run(url, tablesOf(setUp));
      return { url, run: (sql) => run(url, [sql]) };
    },
  };
}

/** Runs statements through a connection of their own. */
export async function runPostgres(connectionString: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await load("pg");
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function runMariadb(uri: string, statements: readonly string[]): Promise<void> {
  const { default: mysql } = await load("mysql2/promise");
  const connection = await mysql.createConnection(uri);
  for (const statement of statements) await connection.query(statement);
  await connection.end();
}
