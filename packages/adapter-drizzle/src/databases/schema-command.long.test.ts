// What `cardea schema` writes, run on databases that were made for `@auth/drizzle-adapter` and have rows.
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCli } from "@cardea/cli";
import { afterAll, describe, expect, it } from "vitest";
import { whereReachable } from "../../../testing/src/served-databases.ts";
import { theirAdapter } from "./authjs-database.ts";
import { openMariadb } from "./mariadb.ts";
import { openPostgres } from "./postgres.ts";
import { openLibsql } from "./sqlite.ts";

import { theirTables } from "./their-tables.ts";

const folder = await mkdtemp(join(tmpdir(), "cardea-schema-"));
await mkdir(join(folder, "node_modules/@cardea"), { recursive: true });
await writeFile(join(folder, "package.json"), '{ "dependencies": { "@cardea/adapter-drizzle": "1.0.0" } }');
await symlink(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules/@cardea/adapter-drizzle"));

const databases = {
  postgresql: await whereReachable("PostgreSQL", () => openPostgres(theirTables("postgres"))),
  mysql: await whereReachable("MariaDB", () => openMariadb(theirTables("mysql"))),
  sqlite: await openLibsql(theirTables("sqlite")),
};
const kinds = { postgresql: "postgres", mysql: "mysql", sqlite: "sqlite" } as const;
afterAll(async () => {
  for (const database of Object.values(databases)) await database?.close();
  await rm(folder, { recursive: true });
});

/** The SQL for what a database lacks. */
async function schema(database: keyof typeof kinds, existing: string): Promise<string> {
  await writeFile(join(folder, "dump.sql"), existing);
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const args = ["schema", "--for", "sql", "--all", "--database", database, "--diff", "dump.sql"];
  const code = await runCli(args, { folder, env: {}, write: add, warn: add });
  expect({ code, lines: code === 0 ? [] : lines }).toEqual({ code: 0, lines: [] });
  return lines.join("\n");
}

describe.each(["postgresql", "mysql", "sqlite"] as const)("cardea schema for %s", (name) => {
  const database = databases[name];

  it.skipIf(database === undefined)("adds what extensions need to tables in use, and keeps every row", async () => {
    if (database === undefined) return;
    const theirs = theirAdapter(database.db);
    const draft = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
    const ann = await theirs.createUser?.(draft);
    const userId = ann?.id ?? "";
    const expires = new Date("2037-01-01T00:00:00.000Z");
    await theirs.createSession?.({ sessionToken: "token", userId, expires });

    const existing = theirTables(kinds[name]);
    const added = await schema(name, existing);
    await database.run(added);
    // Nothing is left to add; where a database can be told so of columns, the same SQL once more changes nothing.
    expect(await schema(name, `${existing}\n${added}`)).toContain("Nothing is missing");
    if (name === "postgresql") await database.run(added);

    const { adapter } = database;
    expect(await adapter.getSessionAndUser?.("token")).toEqual({
      session: { sessionToken: "token", userId, expires },
      user: ann,
    });
    await adapter.createCredential?.({ userId, type: "password", secret: "hash", createdAt: expires });
    const info = { id: "sid", tokenHash: "hash", userId, createdAt: expires, seenAt: expires, expires, factors: [] };
    await adapter.createSessionInfo?.({ ...info, provider: "example", providerAccountId: "ann", epoch: 0 });
    expect(await adapter.store?.add("counter", 2, { ttl: null })).toEqual({ value: 2, ttl: null });
    expect(await adapter.store?.log?.append("log", "entry", { ttl: 60 })).toMatch(/\.1\.[\da-f]{8}$/);
    await adapter.deleteUser?.(userId);
    expect(await adapter.listCredentialsByUserId?.(userId)).toEqual([]);
    expect(await adapter.getSessionInfo?.("hash")).toBeNull();
  });
});
