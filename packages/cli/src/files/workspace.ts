import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Manifest, parseManifest } from "./manifest.ts";
import { runGit } from "./run-git.ts";

/** Another package of the repository. */
export interface WorkspacePackage {
  readonly name: string;
  /** Its folder, from that of the application: `../../packages/auth`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What is outside of the application's folder, or not source code, and decides what is installed. */
export interface Workspace {
  /** package.json, pnpm-workspace.yaml and .yarnrc.yml of the folder and those above, by path from it, such as `../package.json`. */
  readonly settings: ReadonlyMap<string, string>;
  /** Patches of packages, by path from the folder. */
  readonly patches: readonly string[];
  readonly packages: readonly WorkspacePackage[];
}

/** Files that decide what is installed. */
export const SETTINGS = ["package.json", "pnpm-workspace.yaml", ".yarnrc.yml"];

/** Reads the tracked files around an application that decide what is installed. */
export async function readWorkspace(folder: string): Promise<Workspace> {
  const top = resolve(folder, (await runGit(folder, "rev-parse", "--show-cdup")).trim());
  const patterns = [":/*package.json", ":/*.yaml", ":/*.yml", ":/*.patch"];
  const listed = await runGit(folder, "ls-files", "-z", "--full-name", ...patterns);
  const names = listed.split("\0").filter((name) => name !== "" && !/(?:^|\/)node_modules\//.test(name));
  const from = (name: string) => relative(folder, join(top, name)).replaceAll("\\", "/");
  const isAbove = (name: string) => !relative(dirname(join(top, name)), folder).startsWith("..");
  const settings = new Map<string, string>();
  const packages: WorkspacePackage[] = [];
  for (const name of names) {
    const base = name.split("/").at(-1) ?? "";
    if (!SETTINGS.includes(base) || (base !== "package.json" && !isAbove(name))) continue;
    const text = await readFile(join(top, name), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    if (isAbove(name)) settings.set(from(name), text);
    if (base !== "package.json" || from(name) === base) continue;
    const manifest = readManifest(text);
    if (manifest?.name !== undefined) packages.push({ name: manifest.name, folder: dirname(from(name)), manifest });
  }
  return { settings, packages, patches: names.filter((name) => name.endsWith(".patch")).map(from) };
}

/** Another package may have a broken package.json. */
function readManifest(text: string): Manifest | undefined {
  try {
    return parseManifest(text);
  } catch {
    return undefined;
  }
}

/**
 * The version ranges of catalogs, by `catalog:` or `catalog:name` and package: of pnpm in pnpm-workspace.yaml, of Yarn in
 * .yarnrc.yml, of Bun in package.json.
 */
export function catalogsOf({ settings }: Pick<Workspace, "settings">): ReadonlyMap<string, string> {
  const ranges = new Map<string, string>();
  for (const [path, text] of settings) {
    const entries = path.endsWith(".json") ? jsonEntries(text) : yamlEntries(text);
    for (const { keys, value } of entries) {
      const [section, ...rest] = keys[0] === "workspaces" ? keys.slice(1) : keys;
      const name = rest.at(-1) ?? "";
      if (section === "catalog" && rest.length === 1)
        ranges.set(`catalog: ${name}`, value).set(`catalog:default ${name}`, value);
      if (section === "catalogs" && rest.length === 2) {
        ranges.set(`catalog:${rest[0]} ${name}`, value);
        if (rest[0] === "default") ranges.set(`catalog: ${name}`, value);
      }
    }
  }
  return ranges;
}

/** A text in a settings file, with the keys that lead to it. */
export interface Entry {
  readonly keys: readonly string[];
  readonly value: string;
}

/** The texts in a JSON file; none if it is broken. */
export function jsonEntries(text: string): readonly Entry[] {
  const entriesIn = (value: unknown, keys: readonly string[]): readonly Entry[] => {
    if (typeof value === "string") return [{ keys, value }];
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => entriesIn(inner, [...keys, key]));
  };
  try {
    return entriesIn(JSON.parse(text.replace(/^\uFEFF/, "")), []);
  } catch {
    return [];
  }
}

/** A mapping's key, which may be quoted, with its value in the same line. */
const KEY = /^( *)(?:"([^"]+)"|'([^']+)'|([\w.][^:#'"]*?))\s*:(?:\s+(.*))?$/;

/** The texts in a YAML file of nested mappings, as package managers write them. Lists and flow style are left out. */
export function yamlEntries(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  const open: { readonly indent: number; readonly key: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, blanks = "", double, single, plain, rest = ""] = KEY.exec(line) ?? [];
    const key = double ?? single ?? plain;
    if (key === undefined) continue;
    while ((open.at(-1)?.indent ?? -1) >= blanks.length) open.pop();
    const keys = [...open.map((one) => one.key), key];
    const [, quoted, bare = ""] = /^(?:(["'].*["'])|([^#]*?))\s*(?:\s#.*)?$/.exec(rest) ?? [];
    const value = quoted?.slice(1, -1) ?? bare;
    if (value === "") open.push({ indent: blanks.length, key });
    else entries.push({ keys, value });
  }
  return entries;
}
