import PostgresAdapter from "@auth/pg-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { scratchPglite } from "../../scratch-pglite.ts";

/** The tables of its documentation: ids are numbers that the database makes. */
const TABLES = `
  CREATE TABLE users (id SERIAL PRIMARY KEY, name TEXT, email TEXT, "emailVerified" TIMESTAMPTZ, image TEXT);
  CREATE TABLE accounts (
    id SERIAL PRIMARY KEY, "userId" INTEGER NOT NULL, type TEXT NOT NULL, provider TEXT NOT NULL,
    "providerAccountId" TEXT NOT NULL, refresh_token TEXT, access_token TEXT, expires_at BIGINT, id_token TEXT,
    scope TEXT, session_state TEXT, token_type TEXT
  );
  CREATE TABLE sessions (
    id SERIAL PRIMARY KEY, "userId" INTEGER NOT NULL, expires TIMESTAMPTZ NOT NULL, "sessionToken" TEXT NOT NULL
  );
  CREATE TABLE verification_token (
    identifier TEXT NOT NULL, expires TIMESTAMPTZ NOT NULL, token TEXT NOT NULL, PRIMARY KEY (identifier, token)
  );`;

/** The one method of a pool of `pg` that the adapter calls. */
type Pool = Parameters<typeof PostgresAdapter>[0];

/**
 * `@auth/pg-adapter` as it comes from npm, on a PostgreSQL in memory. There is one of these: the tables of an adapter are emptied when the
 * next one is opened.
 */
export async function openPgAdapter(): Promise<{ readonly adapter: Adapter; close(): Promise<void> }> {
  const database = await scratchPglite();
  await database.exec(TABLES);
  const query = async (sql: string, values: unknown[]) => {
    // The driver writes undefined as NULL, and a time for what it is.
    const { rows, affectedRows } = await database.query(
      sql,
      values.map((value) => value ?? null),
    );
    return { rows, rowCount: Math.max(rows.length, affectedRows ?? 0) };
  };
  return { adapter: PostgresAdapter(assumePool({ query })), close: () => Promise.resolve() };
}

function assumePool(pool: object): Pool {
  return pool as Pool;
}
