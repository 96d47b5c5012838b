import { PrismaPg } from "@prisma/adapter-pg";

/** A database of this run only, on the PostgreSQL server. */
export interface ScratchDatabase {
  readonly url: string;
  /** The first column of every row. */
  query(sql: string): Promise<readonly unknown[]>;
  /** Drops it. */
  drop(): Promise<void>;
}

/** Where the server is; `CARDEA_TEST_POSTGRES` is another place. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/postgres";

async function run(url: string, sql: string): Promise<readonly unknown[]> {
  const connection = await new PrismaPg({ connectionString: url, connectionTimeoutMillis: 3000 }).connect();
  try {
    const { rows } = await connection.queryRaw({ sql, args: [], argTypes: [] });
    return rows.map(([first]) => first);
  } finally {
    await connection.dispose();
  }
}

/**
 * Makes a database. Resolves to undefined, with a warning, where there is no server; in CI that is an error: a check that was
 * skipped must not look like one that passed.
 */
export async function openScratchDatabase(): Promise<ScratchDatabase | undefined> {
  const name = `cardea_e2e_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  try {
    await run(server, `CREATE DATABASE ${name}`);
  } catch (error) {
    const reason = `PostgreSQL is not reachable: ${error instanceof Error ? error.message : String(error)}`;
    if (process.env.CI) throw new Error(reason, { cause: error });
    console.warn(`SKIPPED: the tests of two processes on one database. ${reason}`);
    return undefined;
  }
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url,
    query: (sql) => run(url, sql),
    drop: async () => void (await run(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}
