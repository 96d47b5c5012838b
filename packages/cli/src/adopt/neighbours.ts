import type { Manifest } from "../files/manifest.ts";
import type { Workspace, WorkspacePackage } from "../files/workspace.ts";
import type { Note } from "./draft.ts";

/** Packages of the former library that none of ours keeps. */
const FORMER = /^(?:next-auth|@auth\/express|@auth\/sveltekit|@hono\/auth-js|@next-auth\/[\w-]+)$/;

/**
 * The order of migrations in a workspace, where packages are moved one by one:
 *
 * 1. A package that this one uses, through others as well, and that uses the former library, comes first.
 * 2. A package that uses this one and the former library comes next.
 */
export function neighbourNotes(manifest: Manifest, { packages }: Workspace): readonly Note[] {
  const first = usedBy(manifest, packages).flatMap((one) =>
    formerIn(one.manifest).map((former) => ({ one, former, how: "first, then here", kind: "left" as const })),
  );
  const next = packages
    .filter((one) => manifest.name !== undefined && dependenciesOf(one.manifest).includes(manifest.name))
    .flatMap((one) => formerIn(one.manifest).map((former) => ({ one, former, how: "next", kind: "look" as const })));
  return [...first, ...next].map(({ one: { name, folder }, former, how, kind }) => ({
    kind,
    path: "/package.json",
    at: undefined,
    what: `${name} of this workspace uses ${former}`,
    why: `run the command in ${folder} ${how}`,
  }));
}

function usedBy(manifest: Manifest, packages: readonly WorkspacePackage[]): readonly WorkspacePackage[] {
  const found = new Set<WorkspacePackage>();
  const follow = (one: Manifest): void => {
    for (const other of packages) {
      if (found.has(other) || !dependenciesOf(one).includes(other.name)) continue;
      found.add(other);
      follow(other.manifest);
    }
  };
  follow(manifest);
  return [...found];
}

/** A package that wraps the library has it as a peer. */
function dependenciesOf(manifest: Manifest): readonly string[] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies });
}

function formerIn(manifest: Manifest): readonly string[] {
  return dependenciesOf(manifest)
    .filter((name) => FORMER.test(name))
    .slice(0, 1);
}
