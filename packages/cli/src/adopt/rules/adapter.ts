import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { moduleReferences, requoted } from "../module-references.ts";

const FORMER_V4 = /^@next-auth\/([\w-]+-adapter)$/;
const NPM = /^@auth\/([\w-]+-adapter)(?:\/.*)?$/;

/**
 * npm adapters with a Cardea successor, which has the same function name and tables, and whether the successor supports
 * the application's version of the database library.
 */
const SUCCESSORS: Readonly<Record<string, { readonly target: string; readonly fits: (of: Application) => boolean }>> = {
  "drizzle-adapter": {
    target: "@cardea/adapter-drizzle",
    fits: ({ minors }) => minors.get("drizzle-orm") === 45,
  },
  "kysely-adapter": {
    target: "@cardea/adapter-kysely",
    fits: ({ minors }) => [28, 29].includes(minors.get("kysely") ?? 0),
  },
  "prisma-adapter": {
    target: "@cardea/adapter-prisma",
    fits: ({ majors }) => (majors.get("@prisma/client") ?? majors.get("prisma") ?? 0) >= 6,
  },
};

/** The package that replaces an npm adapter, regardless of the application's versions. */
export function successorOf(npmPackage: string): string | undefined {
  return SUCCESSORS[NPM.exec(npmPackage)?.[1] ?? ""]?.target;
}

/**
 * Database adapters:
 *
 * 1. Adapters for Prisma, Drizzle and Kysely are replaced with ours, if they support the installed version.
 * 2. NextAuth v4 adapters under `@next-auth/` are replaced with their successors under `@auth/`.
 * 3. Other npm adapters, and custom ones, are kept.
 */
export function moveAdapter(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const former = FORMER_V4.exec(specifier)?.[1];
      const kept = NPM.exec(specifier)?.[1];
      const successor = SUCCESSORS[former ?? kept ?? ""];
      // Subpaths of a package, such as `@auth/drizzle-adapter/lib/pg`, have no counterpart.
      const fits = specifier.split("/").length === 2 && successor?.fits(application) === true;
      if (fits || former !== undefined) {
        const target = fits ? successor.target : `@auth/${former}`;
        draft.replace(literal, requoted(literal, target));
        draft.note("changed", literal, `${specifier} → ${target}`);
        draft.added.add(target);
        // Other files may still import a subpath; `removePackages()` checks all of them.
        if (former !== undefined) draft.removed.add(specifier.split("/").slice(0, 2).join("/"));
      } else if (kept !== undefined) {
        draft.note("look", literal, `${specifier} is kept`, "this npm adapter works unchanged");
      }
    }
  }
  return draft;
}
