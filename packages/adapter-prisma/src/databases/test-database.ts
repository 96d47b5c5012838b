import type { SqlDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import { statementsOf } from "../../../testing/src/served-databases.ts";
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
    for (const statement of statementsOf(sql)) await connection.executeRaw({ sql: statement, args: [], argTypes: [] });
  } finally {
    await connection.dispose();
  }
}
