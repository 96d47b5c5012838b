import { readdir, readFile, realpath } from "node:fs/promises";
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
  const version = await versionAt(join(folder, "node_modules", name));
  const above = dirname(folder);
  return version !== undefined || above === folder ? version : versionOf(above, name);
}

/** The version of the package in a folder. */
async function versionAt(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return /"version"\s*:\s*"([^"]+)"/.exec(text)?.[1];
}

/**
 * Copies of `@cardea/core` that packages of ours load besides the one that the application loads, or the first of them, with versions by
 * path. Links to the same copy count once.
 */
export async function furtherCores(folder: string): Promise<ReadonlyMap<string, string>> {
  const ours = join(folder, "node_modules/@cardea");
  const names = (await readdir(ours).catch(() => [])).filter((name) => name !== "core").toSorted();
  const first = await coreOf(folder);
  const seen = new Set(first === undefined ? [] : [first]);
  const further = new Map<string, string>();
  for (const name of names) {
    const core = await coreOf(await realpath(join(ours, name)));
    if (core === undefined || seen.has(core)) continue;
    if (seen.size > 0) further.set(`@cardea/${name}/node_modules/@cardea/core`, (await versionAt(core)) ?? "unknown");
    seen.add(core);
  }
  return further;
}

/** The copy of `@cardea/core` that code in a folder loads. */
async function coreOf(folder: string): Promise<string | undefined> {
  const found = await realpath(join(folder, "node_modules/@cardea/core")).catch(() => undefined);
  const above = dirname(folder);
  return found ?? (above === folder ? undefined : coreOf(above));
}
