import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { GeneratedClient } from "./generate-client.ts";

/** A database with empty tables and a client for it, for the tests of one file. */
export interface TestDatabase {
  readonly client: GeneratedClient;
  /** Runs one statement, or several that end with `;` at the end of a line. */
  run(sql: string): Promise<void>;
  /** A second client, with connections of its own, as another process has them; closed with the database. */
  another(): GeneratedClient;
  close(): Promise<void>;
}

/** A busy machine may take longer to begin a transaction than the two seconds that Prisma gives it. */
export const PATIENT = { maxWait: 60_000, timeout: 60_000 } as const;

/** Runs SQL, statement by statement: not every driver accepts several at once. */
export async function runSql(factory: SqlDriverAdapterFactory, sql: string): Promise<void> {
  const connection = await factory.connect();
  try {
    for (const statement of sql.replace(/^--.*$/gm, "").split(/;$/m)) {
      if (statement.trim() === "") continue;
      await connection.executeRaw({ sql: statement, args: [], argTypes: [] });
    }
  } finally {
    await connection.dispose();
  }
}

/** There is no server, or it denies access. */
class ServerUnreachable extends Error {
  override readonly name = "ServerUnreachable";
}

/** Creates a database for this run only. Resolves to its name; rejects with {@link ServerUnreachable}. */
export async function createScratch(admin: SqlDriverAdapterFactory): Promise<string> {
  const name = `cardea_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  try {
    await runSql(admin, `CREATE DATABASE ${name}`);
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
    console.warn(`SKIPPED: the tests of PrismaAdapter() on ${server}, which is not reachable: ${error.message}`);
    return undefined;
  }
}
