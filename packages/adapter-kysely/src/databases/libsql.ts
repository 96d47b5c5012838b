import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { LibsqlDialect, type LibsqlDialectConfig } from "@libsql/kysely-libsql";
import Sqlite from "libsql";
import { openDatabase, readTables, type TestDatabase } from "./test-database.ts";

/** libSQL in a separate file, through its own client. Foreign keys are not enforced: that is the default of each of its connections. */
export async function openLibsql(tables: string = readTables("sqlite")): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "cardea-libsql-"));
  const path = join(folder, "test.db");
  const first = new Sqlite(path);
  first.exec(`PRAGMA journal_mode = WAL; ${tables}`);
  first.close();
  const clients: { close(): void }[] = [];
  const connect = () => {
    const client = createClient({ url: `file:${path}` });
    clients.push(client);
    return new LibsqlDialect({ client: assumeClient(client) });
  };
  return openDatabase(connect, async () => {
    for (const client of clients) client.close();
    await rm(folder, { recursive: true });
  });
}

type Client = Extract<LibsqlDialectConfig, { client: unknown }>["client"];

/** A cast: the dialect brings an older client, which keeps the connection of each transaction open. The methods are the same. */
function assumeClient(client: object): Client {
  return client as Client;
}
