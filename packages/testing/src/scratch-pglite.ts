import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const servers = new Map<string, Promise<PGlite>>();

/**
 * An empty in-process PostgreSQL. It takes seconds to start, so all test files of a worker share one per name, which is
 * emptied on each request. To use two at the same time, pass another name. Never closed.
 */
export async function scratchPglite(name = "first"): Promise<PGlite> {
  const starting = servers.get(name) ?? start();
  servers.set(name, starting);
  const server = await starting;
  await server.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
  await server.exec("DISCARD ALL");
  return server;
}

const cache = join(import.meta.dirname, "../../../node_modules/.cache");

/** Making the files of a database takes four times as long as reading them, so the first server of a machine leaves a copy for all others. */
async function start(): Promise<PGlite> {
  // The entry point that `require` finds is in the folder of the version.
  const version = createRequire(import.meta.url)
    .resolve("@electric-sql/pglite")
    .match(/pglite@([\d.]+)/)?.[1];
  const path = join(cache, `pglite-${version}.tar`);
  const kept = await readFile(path).catch(() => undefined); // none yet
  if (kept !== undefined) return PGlite.create({ loadDataDir: new Blob([new Uint8Array(kept)]) });
  const server = await PGlite.create();
  const files = new Uint8Array(await (await server.dumpDataDir("none")).arrayBuffer());
  await mkdir(cache, { recursive: true });
  // Renamed when it is complete: another worker may do the same.
  const draft = `${path}.${crypto.randomUUID()}`;
  await writeFile(draft, files);
  await rename(draft, path);
  return server;
}
