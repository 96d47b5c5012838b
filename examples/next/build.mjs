// Builds the example: generates the Prisma client, then builds for production.
//
// The models are those of @cardea/adapter-prisma as they are; an application copies them into its schema.prisma. Nothing is
// downloaded: the schema engine is not needed to generate a client, but `prisma` looks for it, and any program will do.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const here = import.meta.dirname;
const models = join(dirname(resolve("@cardea/adapter-prisma/package.json")), "prisma", "schema.sqlite.prisma");
const quiet = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1", NEXT_TELEMETRY_DISABLED: "1" };

const head = `generator client {
  provider = "prisma-client"
  output   = "./client"
}

datasource db {
  provider = "sqlite"
}

`;
mkdirSync(join(here, "generated"), { recursive: true });
writeFileSync(join(here, "generated", "schema.prisma"), head + readFileSync(models, "utf8"));

const prisma = join(dirname(resolve("prisma/package.json")), "build", "index.js");
run([prisma, "generate", "--schema", "schema.prisma"], join(here, "generated"));
run([resolve("next/dist/bin/next"), "build"], here);

function run(command, cwd) {
  // No secret and no address is needed to build.
  const env = { ...process.env, ...quiet, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const { status } = spawnSync(process.execPath, command, { cwd, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
