// Generates the Prisma clients of the example, one for each database that it runs on: a client is made for one kind.
//
// The models are those of @cardea/adapter-prisma as they are; an application copies them into its schema.prisma. Nothing is
// downloaded: the schema engine is not needed to generate a client, but `prisma` looks for it, and any program will do.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const databases = { sqlite: "sqlite", postgres: "postgresql" };

const { resolve } = createRequire(import.meta.url);
const models = join(dirname(resolve("@cardea/adapter-prisma/package.json")), "prisma");
const prisma = join(dirname(resolve("prisma/package.json")), "build", "index.js");
const quiet = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };
const env = { ...process.env, ...quiet, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };

/** Generates the clients of databases, into a folder for each. */
export function generateClients(names) {
  for (const name of names) generate(join(import.meta.dirname, "generated", name), name, databases[name]);
}

function generate(folder, name, provider) {
  const head = `generator client {
  provider = "prisma-client"
  output   = "./client"
}

datasource db {
  provider = "${provider}"
}

`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "schema.prisma"), head + readFileSync(join(models, `schema.${name}.prisma`), "utf8"));
  const command = [prisma, "generate", "--schema", "schema.prisma"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, env, encoding: "utf8" });
  if (status === 0) return;
  console.error(`${stdout}${stderr}\nThe client for ${name} could not be generated.`);
  process.exit(1);
}
