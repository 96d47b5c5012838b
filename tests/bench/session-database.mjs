// A SQLite file with the tables of @cardea/adapter-prisma, and clients of it.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import { build } from "esbuild";

const require = createRequire(import.meta.url);
const models = join(dirname(require.resolve("@cardea/adapter-prisma/package.json")), "prisma");
const generated = join(import.meta.dirname, "generated");

/** Makes the file and its tables. `open()` gives another client of it; `close()` takes everything away. */
export async function createSessionDatabase() {
  const { PrismaClient } = await generateClient();
  const folder = mkdtempSync(join(tmpdir(), "cardea-bench-"));
  const url = `file:${join(folder, "sessions.db")}`;
  const clients = [];
  const open = () => {
    const client = new PrismaClient({ adapter: new PrismaLibSql({ url }), log: [{ emit: "event", level: "query" }] });
    clients.push(client);
    return client;
  };
  const sql = readFileSync(join(models, "schema.sqlite.sql"), "utf8").replace(/^--.*$/gm, "");
  const statements = sql.split(/;$/m).filter((statement) => statement.trim() !== "");
  const admin = open();
  for (const statement of statements) await admin.$executeRawUnsafe(statement);
  const close = async () => {
    for (const client of clients) await client.$disconnect();
    rmSync(folder, { recursive: true });
  };
  return { open, close };
}

/** What a client does while `work` runs: calls of its methods, and SQL statements that these become. */
export async function countQueries(client, makeReader) {
  const counts = { calls: 0, statements: 0 };
  client.$on("query", () => {
    counts.statements += 1;
  });
  const counted = client.$extends({
    query: {
      $allOperations: ({ args, query }) => {
        counts.calls += 1;
        return query(args);
      },
    },
  });
  const read = makeReader(counted);
  await read(); // the first one may prepare something
  Object.assign(counts, { calls: 0, statements: 0 });
  await read();
  return counts;
}

/** Offline: the schema engine is looked for, but not needed, so any program will do. */
async function generateClient() {
  mkdirSync(generated, { recursive: true });
  const head = `generator client {
  provider = "prisma-client"
  output   = "./client"
}

datasource db {
  provider = "sqlite"
}

`;
  writeFileSync(join(generated, "schema.prisma"), head + readFileSync(join(models, "schema.sqlite.prisma"), "utf8"));
  const prisma = join(dirname(require.resolve("prisma/package.json")), "build", "index.js");
  const quiet = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, "generate", "--schema", "schema.prisma"], {
    cwd: generated,
    env: { ...process.env, ...quiet, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The client could not be generated.\n${stdout}${stderr}`);
  const outfile = join(generated, "client.mjs");
  const entry = join(generated, "client", "client.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, packages: "external", platform: "node", format: "esm" });
  return import(pathToFileURL(outfile).href);
}
