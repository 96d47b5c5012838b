import { PrismaPg } from "@prisma/adapter-pg";

/** A database of this run only, on the PostgreSQL server. */
export interface ScratchDatabase {
  readonly url: string;
  /** The first column of every row. */
  query(sql: string): Promise<readonly unknown[]>;
  /** Lets everybody read a table, and makes anyone who inserts wait. */
  stallInserts(table: string): Promise<StalledInserts>;
  /** Drops it. */
  drop(): Promise<void>;
}

/** A table into which nothing is inserted. */
interface StalledInserts {
  /** Resolves when a user waits to insert; rejects after ten seconds. */
  stalled(): Promise<void>;
  /** Lets them. */
  release(): Promise<void>;
}

/** Where the server is; `CARDEA_TEST_POSTGRES` is another place. */
const server = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/postgres";

const connect = (url: string) => new PrismaPg({ connectionString: url, connectionTimeoutMillis: 20_000 }).connect();
const statement = (sql: string) => ({ sql, args: [], argTypes: [] });

async function run(url: string, sql: string): Promise<readonly unknown[]> {
  const connection = await connect(url);
  try {
    const { rows } = await connection.queryRaw(statement(sql));
    return rows.map(([first]) => first);
  } finally {
    await connection.dispose();
  }
}

/** Asks every ten milliseconds, within the database. */
const untilSomebodyWaits = (table: string) => `DO $$ BEGIN
  FOR look IN 1..1000 LOOP
    IF EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = '"${table}"'::regclass) THEN RETURN; END IF;
    PERFORM pg_sleep(0.01);
  END LOOP;
  RAISE EXCEPTION 'No transaction waits to insert into ${table}.';
END $$`;

async function stallInserts(url: string, table: string): Promise<StalledInserts> {
  const connection = await connect(url);
  const lock = await connection.startTransaction();
  await lock.executeRaw(statement(`LOCK TABLE "${table}" IN SHARE MODE`));
  return {
    stalled: async () => void (await run(url, untilSomebodyWaits(table))),
    release: async () => {
      await lock.executeRaw(statement("ROLLBACK"));
      await lock.rollback();
      await connection.dispose();
    },
  };
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
    stallInserts: (table) => stallInserts(url, table),
    drop: async () => void (await run(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}
