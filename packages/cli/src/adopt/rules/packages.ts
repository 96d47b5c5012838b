import type { Application } from "../application.ts";
import { componentReferences } from "../components.ts";
import { Draft } from "../draft.ts";
import { withoutFolder } from "../former-modules.ts";
import { goneNames } from "../gone-names.ts";
import { moduleReferences } from "../module-references.ts";
import { successorOf } from "./adapter.ts";
import { nameInstallation, REMOVED } from "./installation.ts";

/**
 * Removes the former packages from package.json once no file references them. The new ones are added by the
 * application's package manager, which also updates the lockfile. A name without a counterpart does not keep its package: the file
 * that imports it must not load.
 */
export function removePackages(application: Application): Draft {
  const { project, manifest, texts, workspace } = application;
  const draft = new Draft();
  const references = project.getSourceFiles().flatMap(moduleReferences);
  const gone = new Set(
    references.filter((one) => goneNames(application, one).length > 0).map(({ specifier }) => packageOf(specifier)),
  );
  const inUse = new Set(references.map(({ specifier }) => packageOf(specifier)).filter((name) => !gone.has(name)));
  for (const { specifier } of componentReferences({ texts }))
    if (!gone.has(packageOf(specifier))) inUse.add(packageOf(specifier));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    const isFormer = REMOVED.test(name) || inUse.has(successorOf(name) ?? "");
    if (!isFormer) continue;
    if (inUse.has(name)) draft.note("look", "/package.json", `${name} stays`, "files still import it");
    else {
      draft.removed.add(name);
      draft.note("changed", "/package.json", `${name} is removed`);
    }
  }
  // The package manager removes dependencies only.
  const peers = Object.keys({ ...manifest.peerDependencies, ...manifest.optionalDependencies });
  const named = peers.filter((name) => REMOVED.test(name) && !inUse.has(name));
  nameInstallation(draft, workspace, new Set([...draft.removed, ...named]));
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
