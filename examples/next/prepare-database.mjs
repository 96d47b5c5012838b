// Makes the database of the demo: its file, its tables, and the one person who has a password.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";

/** Makes what is not there; `url` is `file:…`. */
export async function prepareDatabase(url) {
  if (!url.startsWith("file:")) throw new Error(`DATABASE_URL begins with "${url.slice(0, 8)}"; it takes file:….`);
  mkdirSync(dirname(url.startsWith("file:///") ? fileURLToPath(url) : url.slice("file:".length)), { recursive: true });
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'User'");
    if (rows.length === 0) await client.executeMultiple(readTables());
    await client.execute({
      sql: `INSERT INTO "User" ("id", "name", "email", "emailVerified") VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      args: ["grace", "Grace Hopper", "grace@example.com", new Date().toISOString()],
    });
  } finally {
    client.close();
  }
}

/** The SQL that comes with the adapter. An application has migrations of its own in its place. */
function readTables() {
  const adapter = createRequire(import.meta.url).resolve("@cardea/adapter-prisma/package.json");
  return readFileSync(join(dirname(adapter), "prisma", "schema.sqlite.sql"), "utf8");
}
