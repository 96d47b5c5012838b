import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { PrismaClientLike } from "../prisma-client.ts";
import { type Provider, readModels } from "./schemas.ts";

/** A generated client, reduced to what the tests use. */
export interface GeneratedClient extends PrismaClientLike {
  $disconnect(): Promise<void>;
  $extends(extension: {
    readonly query: {
      $allOperations(call: {
        readonly model?: string;
        readonly operation: string;
        readonly args: unknown;
        readonly query: (args: unknown) => Promise<unknown>;
      }): Promise<unknown>;
    };
  }): PrismaClientLike;
}

/** The module that Prisma generates. */
export interface ClientModule {
  readonly PrismaClient: new (options: {
    readonly adapter: unknown;
    readonly transactionOptions?: object;
  }) => GeneratedClient;
}

/** What to generate. */
export interface ClientChoice {
  readonly provider: Provider;
  /** Default 7. */
  readonly version?: 6 | 7;
  /** Default: the models of this package. */
  readonly models?: string;
  /** Default `prisma-client`. */
  readonly generator?: "prisma-client" | "prisma-client-js";
  readonly previewFeature?: string;
}

const artifacts = fileURLToPath(new URL("../../artifacts/", import.meta.url));
const packages = { 6: "prisma6", 7: "prisma" } as const;

/** The client of these models, generated if it does not exist. Resolves to the URL of its module. */
export async function generateClient(choice: ClientChoice): Promise<string> {
  const { provider, version = 7, models = readModels(provider) } = choice;
  const schema = describeClient(choice) + models;
  const manifest = createRequire(import.meta.url).resolve(`${packages[version]}/package.json`);
  const hash = createHash("sha256").update(manifest).update(schema).digest("hex").slice(0, 12);
  const folder = join(artifacts, `prisma${version}-${provider}-${hash}`);
  if (!existsSync(folder)) await generateInto(folder, schema, manifest, version);
  return pathToFileURL(join(folder, "client", "client.ts")).href;
}

/** The generated module. */
export async function importClient(choice: ClientChoice): Promise<ClientModule> {
  const url = await generateClient(choice);
  const module: ClientModule = await import(/* @vite-ignore */ url);
  return module;
}

function describeClient({ provider, version, generator = "prisma-client", previewFeature }: ClientChoice): string {
  // Prisma 6 requires a Rust engine unless told otherwise, and a URL in the schema, which it does not use here.
  const [engine, url] = version === 6 ? ['engineType = "client"\n', 'url = "file:./unused.db"\n'] : ["", ""];
  const preview = previewFeature === undefined ? "" : `previewFeatures = ["${previewFeature}"]\n`;
  const settings = `provider = "${generator}"\noutput = "./client"\n${engine}${preview}`;
  return `generator client {\n${settings}}\ndatasource db {\nprovider = "${provider}"\n${url}}\n`;
}

/** Generates elsewhere and moves the result, because several test files may need the same client at once. */
async function generateInto(folder: string, schema: string, manifest: string, version: 6 | 7): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  const draft = await mkdtemp(join(artifacts, "draft-"));
  await writeFile(join(draft, "schema.prisma"), schema);
  if (version === 6) await writeFile(join(draft, "prisma.config.ts"), configOfPrisma6);
  // Ends before optimized code would pay.
  const flags = ["--no-opt", "--liftoff-only"];
  const command = [...flags, join(manifest, "../build/index.js"), "generate", "--schema", "schema.prisma"];
  // The schema engine is not used, but must exist: any program will do.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, ...quiet };
  await promisify(execFile)(process.execPath, command, { cwd: draft, env });
  if (version === 6) await useRuntimeOfPrisma6(join(draft, "client"));
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(draft, { recursive: true }); // another file was faster
  }
}

const quiet = { CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };

const configOfPrisma6 = `export default {
  schema: "./schema.prisma",
  experimental: { adapter: true },
  engine: "js",
  adapter: async () => { throw new Error("generating needs no database"); },
};
`;

/** Makes a client of Prisma 6 import the runtime of Prisma 6, which has another name than that of Prisma 7. */
async function useRuntimeOfPrisma6(client: string): Promise<void> {
  const names = await readdir(client, { recursive: true });
  for (const name of names.filter((path) => path.endsWith(".ts"))) {
    const path = join(client, name);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll('"@prisma/client/', '"prisma6-client/'));
  }
}
