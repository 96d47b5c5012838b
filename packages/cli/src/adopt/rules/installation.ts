import type { Workspace } from "../../files/workspace.ts";
import { jsonEntries, yamlEntries } from "../../files/workspace.ts";
import type { Application } from "../application.ts";
import type { Draft } from "../draft.ts";
import { successorOf } from "./adapter.ts";

/** Sections that name packages besides the dependencies, and what to do with an entry for a package that is removed. */
const SECTIONS: Readonly<Record<string, string>> = {
  patchedDependencies:
    "remove it, with its file: the package manager stops at a patch of a package that is not installed",
  overrides: "remove it, or name the new package: it has no effect, and npm stops where it contradicts a dependency",
  resolutions: "remove it, or name the new package",
  packageExtensions: "remove it",
  peerDependencyRules: "remove it, or name the new package",
  peerDependencies: "name the new package: npm installs the former one again, or stops with ERESOLVE",
  peerDependenciesMeta: "name the new package",
  optionalDependencies: "remove it",
  catalog: "remove it when no package of the workspace uses it",
  catalogs: "remove it when no package of the workspace uses it",
};

/** Reports what else names the removed packages: the next installation fails, or installs them again. */
export function nameInstallation(
  draft: Draft,
  { settings, patches, packages }: Workspace,
  removed: ReadonlySet<string>,
): void {
  for (const [path, text] of settings) {
    for (const { keys, value } of path.endsWith(".json") ? jsonEntries(text) : yamlEntries(text)) {
      const at = keys.findIndex((key) => Object.hasOwn(SECTIONS, key));
      const section = keys[at];
      const named = [...removed].find((name) => [...keys.slice(at + 1), value].some((one) => names(one, name)));
      if (section === undefined || named === undefined) continue;
      draft.note("left", `/${path}`, `\`${section}\` names ${named}`, SECTIONS[section]);
    }
  }
  for (const path of patches) {
    const named = [...removed].find((name) => isPatchOf(path, name));
    if (named !== undefined)
      draft.note(
        "left",
        `/${path}`,
        `patches ${named}`,
        "remove it: patch-package stops at a package that is not installed",
      );
  }
  for (const { folder, manifest } of packages) {
    const named = Object.keys(manifest.peerDependencies).find((name) => removed.has(name));
    if (named !== undefined)
      draft.note("left", `/${folder}/package.json`, `\`peerDependencies\` names ${named}`, SECTIONS.peerDependencies);
  }
}

/** The packages that the command removes. An adapter of npm may be kept. */
export const REMOVED = /^(?:next-auth|@auth\/express|@auth\/sveltekit|@hono\/auth-js|@auth\/core|@next-auth\/[\w-]+)$/;

/** Reports what still names a removed package, in an application that was moved before. */
export function nameFormerEntries(draft: Draft, { manifest, workspace }: Application): void {
  const { dependencies, devDependencies } = manifest;
  const used = Object.keys({ ...dependencies, ...devDependencies });
  if (!used.some((name) => name.startsWith("@cardea/"))) return;
  const peers = workspace.packages.flatMap((one) => Object.keys(one.manifest.peerDependencies));
  const named = [...workspace.settings.values(), ...workspace.patches, ...peers].flatMap(
    (text) => text.match(/(?:next-auth|@auth\/[\w-]+|@hono\/auth-js|@next-auth\/[\w-]+)/g) ?? [],
  );
  const patched = workspace.patches.length === 0 ? [] : ["next-auth", "@auth/express", "@auth/sveltekit", "@auth/core"];
  // Adapters of npm, and packages that are not moved yet, have their own `@auth/core`.
  const others = workspace.packages.flatMap((one) => Object.keys(one.manifest.dependencies));
  const hasCore = [...used, ...others].some((name) => /^(?:next-auth$|@auth\/)/.test(name));
  const all = [...named, ...patched].filter((name) =>
    name === "@auth/core" ? !hasCore : REMOVED.test(name) || used.includes(successorOf(name) ?? ""),
  );
  nameInstallation(draft, workspace, new Set(all.filter((name) => !used.includes(name))));
}

/** `next-auth`, `next-auth@4`, `parent>next-auth`, `npm:next-auth@4`, `patch:next-auth@…`. */
function names(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && /(?:^|[>:/*\s])$/.test(text.slice(0, at)) && /^(?:$|[@>:\s])/.test(text.slice(at + name.length));
}

/** The files of patch-package (`@auth+core+0.34.patch`), pnpm (`@auth__core@0.34.patch`) and Yarn (`@auth-core-npm-0.34-….patch`). */
function isPatchOf(path: string, name: string): boolean {
  const file = path.split("/").at(-1) ?? "";
  return ["+", "__", "-"]
    .map((separator) => name.replace("/", separator))
    .some((one) => file.startsWith(one) && /^(?:[+@]|-npm-|\.patch)/.test(file.slice(one.length)));
}
