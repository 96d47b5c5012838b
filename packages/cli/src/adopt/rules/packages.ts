import type { Application } from "../application.ts";
import { componentReferences } from "../components.ts";
import { Draft } from "../draft.ts";
import { withoutFolder } from "../former-modules.ts";
import { moduleReferences } from "../module-references.ts";
import { successorOf } from "./adapter.ts";

const FORMER = /^(?:next-auth|@auth\/express|@auth\/sveltekit|@hono\/auth-js|@auth\/core|@next-auth\/[\w-]+)$/;

/**
 * Removes the former packages from package.json once no file references them. The new ones are added by the
 * application's package manager, which also updates the lockfile.
 */
export function removePackages({ project, manifest, texts }: Application): Draft {
  const draft = new Draft();
  const inUse = new Set<string>();
  for (const file of project.getSourceFiles()) {
    for (const { specifier } of moduleReferences(file)) inUse.add(packageOf(specifier));
  }
  for (const { specifier } of componentReferences({ texts })) inUse.add(packageOf(specifier));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const isFormer = FORMER.test(name) || inUse.has(successorOf(name) ?? "");
    if (!isFormer) continue;
    if (inUse.has(name)) draft.note("look", "/package.json", `${name} stays`, "files still import it");
    else {
      draft.removed.add(name);
      draft.note("changed", "/package.json", `${name} is removed`);
    }
  }
  if (draft.removed.size > 0 && ![...inUse].some((name) => name.startsWith("@cardea/")))
    draft.note(
      "look",
      "/package.json",
      "no file of this folder imports the library",
      "in a workspace, run the command in the package with the configuration",
    );
  return draft;
}

function packageOf(specifier: string): string {
  const module = withoutFolder(specifier);
  return module
    .split("/")
    .slice(0, module.startsWith("@") ? 2 : 1)
    .join("/");
}
