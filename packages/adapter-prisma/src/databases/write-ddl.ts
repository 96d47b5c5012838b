import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import { type Provider, readModels } from "./schemas.ts";

/** The part of Prisma's schema engine that writes SQL. */
interface SchemaEngine {
  diff(params: object): Promise<{ readonly stdout: string | null }>;
}
interface EngineModule {
  readonly SchemaEngine: WebAssembly.ImportValue & {
    new: (options: object, debug: () => void, factory: object) => Promise<SchemaEngine>;
  };
  readonly __wbg_set_wasm: (exports: WebAssembly.Exports) => void;
}

/** The bindings support one instance for each thread, also after a test file there has called `vi.resetModules()`. */
const thread: typeof globalThis & { schemaEngine?: Promise<EngineModule> } = globalThis;

/** The engine as WebAssembly, which needs no binary. */
async function loadEngine(): Promise<EngineModule> {
  const bindings = "@prisma/schema-engine-wasm/schema_engine_bg";
  const module: EngineModule = await import(/* @vite-ignore */ bindings);
  const wasm = createRequire(import.meta.url)
    .resolve(bindings)
    .replace(/js$/, "wasm");
  const imports = { "./schema_engine_bg.js": { ...module } };
  const { instance } = await WebAssembly.instantiate(await readFile(wasm), imports);
  module.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return module;
}

/** The SQL that creates the tables of `models` in an empty database. `factory` connects to such a database. */
export async function writeDdl(
  provider: Provider,
  factory: SqlMigrationAwareDriverAdapterFactory,
  models: string = readModels(provider),
): Promise<string> {
  thread.schemaEngine ??= loadEngine();
  const { SchemaEngine } = await thread.schemaEngine;
  const schema = { path: "schema.prisma", content: `datasource db {\nprovider = "${provider}"\n}\n${models}` };
  const bound = bindMigrationAwareSqlAdapterFactory(factory);
  const engine = await SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => undefined, bound);
  const { stdout } = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files: [schema] },
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? "";
}
