import { D1Adapter, type D1Database, up } from "@auth/d1-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { type Client, createClient, type InValue } from "@libsql/client";

/** `@auth/d1-adapter` as it comes from npm, on SQLite in memory behind the interface of Cloudflare's D1. */
export async function openD1Adapter(): Promise<{ readonly adapter: Adapter; close(): void }> {
  const client = createClient({ url: ":memory:" });
  const database = assumeDatabase({ prepare: (sql: string) => prepare(client, sql) });
  await up(database);
  return { adapter: D1Adapter(database), close: () => client.close() };
}

function prepare(client: Client, sql: string, args: InValue[] = []) {
  return {
    bind: (...values: InValue[]) => prepare(client, sql, values),
    async run() {
      await client.execute({ sql, args });
      return { success: true };
    },
    async first() {
      const { rows, columns } = await client.execute({ sql, args });
      const [row] = rows;
      return row ? Object.fromEntries(columns.map((name) => [name, row[name]])) : null;
    },
  };
}

function assumeDatabase(database: object): D1Database {
  return database as D1Database;
}
