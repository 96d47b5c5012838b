/** The servers that tests of adapters use, each test file with a database of its own. */

/** The URL of the PostgreSQL server, overridden by `CARDEA_TEST_POSTGRES`. */
export const postgresServer = process.env.CARDEA_TEST_POSTGRES ?? "postgresql://postgres@127.0.0.1:5432/test";

/** The URL of the MariaDB or MySQL server, overridden by `CARDEA_TEST_MARIADB`. */
export const mariadbServer = new URL(process.env.CARDEA_TEST_MARIADB ?? "mariadb://root@127.0.0.1:3306");

/** Connection options of the MariaDB or MySQL server. */
export function mariadbOptions(database?: string, server: URL = mariadbServer) {
  return {
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    connectTimeout: 10_000,
    ...(database === undefined ? {} : { database }),
  };
}

/** Has every transaction of a connection to PostgreSQL run at SERIALIZABLE, where the database ends those that meet, of single statements too. */
export const SERIALIZABLE = { options: "-c default_transaction_isolation=serializable" } as const;

/** What MariaDB does by default from version 11.6 on: it ends a transaction that writes a record which changed since it was read. */
export const SNAPSHOTS = "SET SESSION autocommit = 1 /*M!101108 , innodb_snapshot_isolation = ON */";

/** The statements of some SQL, which end with `;` at the end of a line. */
export function statementsOf(sql: string): readonly string[] {
  const statements = sql.replace(/^--.*$/gm, "").split(/;$/m);
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}

/** There is no server, or it denies access. */
class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

/** Creates a database for this run only. Resolves to its name; rejects with {@link ServerUnreachable}. */
export async function createScratch(run: (sql: string) => Promise<unknown>): Promise<string> {
  const name = `cardea_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  try {
    await run(`CREATE DATABASE ${name}`);
    return name;
  } catch (error) {
    throw new ServerUnreachable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * The result of `open`; undefined, with a warning, if its server is unreachable. In CI, that is an error: a skipped
 * check must not look like a passed one.
 */
export async function whereReachable<T>(server: string, open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (process.env.CI || !(error instanceof ServerUnreachable)) throw error;
    console.warn(`SKIPPED: tests on ${server}, which is not reachable: ${error.message}`);
    return undefined;
  }
}

/**
 * Runs work in a transaction that stays open until the test ends it.
 *
 * @param transact runs a body in a transaction.
 */
export async function holdTransaction<Transaction>(
  transact: (body: (transaction: Transaction) => Promise<void>) => Promise<void>,
  work: (transaction: Transaction) => Promise<unknown>,
) {
  const undone = new Error("undone");
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  let whole: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    whole = transact(async (transaction) => {
      await work(transaction);
      resolve();
      await ended;
    });
    whole.catch(reject);
  });
  return {
    async commit() {
      end();
      await whole;
    },
    async rollBack() {
      end(undone);
      await whole.catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    },
  };
}
