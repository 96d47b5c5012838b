import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, rangeOf } from "../files/manifest.ts";
import type { PackageManager } from "../files/package-manager.ts";
import { FRAMEWORKS, type Template } from "./frameworks.ts";
import type { Project } from "./language.ts";

/**
 * Reads what an addition depends on; undefined if nothing is added to applications of this framework, or the folder has none, such as an
 * empty one.
 */
export function readProject(
  folder: string,
  manifest: Manifest,
  template: Template,
  manager: PackageManager,
): Project | undefined {
  const has = (path: string) => existsSync(join(folder, path));
  if (FRAMEWORKS[template].byHand === undefined || rangeOf(manifest, template) === undefined) return undefined;
  const isTypeScript = has("tsconfig.json");
  const start = manifest.scripts.dev === undefined ? manifest.scripts.start && "start" : "dev";
  const shared = {
    isNew: false,
    isTypeScript,
    isModule: manifest.type === "module",
    start: start && [manager, "run", start],
  } as const;
  if (template === "next") {
    const source = has("app") ? "" : has("src/app") ? "src/" : undefined;
    return source === undefined ? undefined : { ...shared, start: shared.start || undefined, source };
  }
  // An application that has begun; a package.json alone is an empty folder.
  const entry = ["index", "app", "server", "main"].flatMap((name) =>
    ["js", "mjs", "cjs", "ts", "mts"].map((end) => `${name}.${end}`),
  );
  const isBelowSource = entry.some((name) => has(`src/${name}`));
  if (!isBelowSource && !entry.some(has)) return undefined;
  return { ...shared, start: shared.start || undefined, source: isBelowSource ? "src/" : "" };
}
