// Reads the tree for the checks.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of the files below `root` that git tracks, or would, in alphabetical order. `pattern`: as for git. */
export function trackedFiles(root, pattern = ".") {
  const command = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", pattern];
  const listed = execFileSync("git", command, { cwd: root, encoding: "utf8" }).split("\0");
  return listed.filter((path) => path !== "" && existsSync(join(root, path))).sort();
}

export function readJson(...parts) {
  return JSON.parse(readFileSync(join(...parts), "utf8"));
}

/** Names of the folders in `root/packages` that are packages. */
export function packageNames(root) {
  const folder = join(root, "packages");
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));
}

/**
 * The entry points in `exports` of a package's package.json as `{ specifier, entry, source }`: `./dist/jwt.js` is the entry `jwt`, which
 * is built from `src/jwt.ts`.
 */
export function publicEntries(root, name) {
  const manifest = readJson(root, "packages", name, "package.json");
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) => {
    const [, entry] = /^\.\/dist\/(.+)\.js$/.exec(target.default ?? "") ?? [];
    if (entry === undefined) return [];
    return [{ specifier: manifest.name + subpath.slice(1), entry, source: `packages/${name}/src/${entry}.ts` }];
  });
}

/** `paths` of tsconfig.json, which Vitest and the type checker use: specifier → source. */
export function sourcePaths(root) {
  return Object.fromEntries(
    Object.entries(readJson(root, "tsconfig.json").compilerOptions.paths).map(([name, [path]]) => [
      name,
      path.slice(2),
    ]),
  );
}
