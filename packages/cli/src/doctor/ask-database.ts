import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatabaseFacts, StoredAddress } from "./facts.ts";

/** How many addresses are read; the report names fewer. */
const MAX_ROWS = 1000;

/** The names of the table of users in the schemas of Prisma, Kysely and Drizzle, and of many applications. */
const TABLES = ["User", "user", "users"];

type Query = (sql: string) => Promise<readonly StoredAddress[]>;

/**
 * Reads the addresses that are stored with capitals, through the driver that the application has installed: `pg` or `mysql2`. Read-only.
 *
 * @param url Such as `postgresql://user:password@localhost/app` or `mysql://…`.
 */
export async function askDatabase(url: URL, folder: string): Promise<DatabaseFacts> {
  const where = `${url.protocol}//${url.host}${url.pathname}`;
  const isMysql = /^(?:mysql|mariadb):$/.test(url.protocol);
  try {
    const { query, end } = await (isMysql ? openMysql : openPostgres)(url, folder);
    try {
      return { where, addresses: await readAddresses(query, isMysql), refusal: undefined };
    } finally {
      await end();
    }
  } catch (error) {
    // The message of a driver may contain the URL.
    const said = error instanceof Error ? error.message.replaceAll(url.href, where) : String(error);
    return { where, addresses: [], refusal: url.password === "" ? said : said.replaceAll(url.password, "…") };
  }
}

async function readAddresses(query: Query, isMysql: boolean): Promise<readonly StoredAddress[]> {
  const quote = isMysql ? "`" : '"';
  let failure: unknown;
  for (const name of TABLES) {
    const table = quote + name + quote;
    // Every address that has capitals, and those that differ from one of them in case alone, whatever the collation.
    const exact = (text: string) => (isMysql ? `cast(${text} AS BINARY)` : `${text}::text COLLATE "C"`);
    const written = `SELECT lower(email) FROM ${table} WHERE ${exact("email")} <> ${exact("lower(email)")}`;
    const sql = `SELECT id, email FROM ${table} WHERE lower(email) IN (${written}) LIMIT ${MAX_ROWS}`;
    try {
      return (await query(sql)).map(({ id, email }) => ({ id: String(id), email: String(email) }));
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

async function openPostgres(url: URL, folder: string) {
  const { default: pg } = await load("pg", folder);
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 20_000 });
  await client.connect();
  const query: Query = async (sql) => (await client.query(sql)).rows;
  return { query, end: () => client.end() };
}

async function openMysql(url: URL, folder: string) {
  const { default: mysql } = await load("mysql2/promise", folder);
  const connection = await mysql.createConnection(url.href.replace(/^mariadb:/, "mysql:"));
  const query: Query = async (sql) => (await connection.query(sql))[0];
  return { query, end: () => connection.end() };
}

async function load(name: string, folder: string) {
  const path = createRequire(join(folder, "package.json")).resolve(name);
  return import(pathToFileURL(path).href);
}
