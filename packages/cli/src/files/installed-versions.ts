import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The installed versions of packages, resolved like Node.js: in `node_modules` of the folder and its parents. */
export async function installedVersions(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(names.map(async (name) => [name, await versionOf(folder, name)] as const));
  return new Map(found.flatMap(([name, version]) => (version === undefined ? [] : [[name, version] as const])));
}

async function versionOf(folder: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "node_modules", name, "package.json"), "utf8").catch(() => undefined);
  if (text !== undefined) return /"version"\s*:\s*"([^"]+)"/.exec(text)?.[1];
  const above = dirname(folder);
  return above === folder ? undefined : versionOf(above, name);
}

/**
 * Additional copies of `@cardea/core` inside other packages, with versions by path. Links to the same copy count once.
 */
export async function furtherCores(folder: string): Promise<ReadonlyMap<string, string>> {
  const at = (name: string) => realpath(join(folder, "node_modules", name)).catch(() => undefined);
  const first = await at("@cardea/core");
  const names = ["next", "express", "hono", "fastify", "sveltekit", "h3"].map(
    (name) => `@cardea/${name}/node_modules/@cardea/core`,
  );
  const copies = await Promise.all(names.map(async (name) => ({ name, path: await at(name) })));
  const others = copies.filter(({ path }) => path !== undefined && path !== first).map(({ name }) => name);
  return installedVersions(folder, others);
}
