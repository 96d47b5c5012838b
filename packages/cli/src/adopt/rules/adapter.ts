import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { moduleReferences, requoted } from "../module-references.ts";

const FORMER_V4 = /^@next-auth\/([\w-]+-adapter)$/;
const NPM = /^@auth\/([\w-]+-adapter)(?:\/.*)?$/;

/**
 * The adapters of npm that have a successor here, under the same name of the function and with the same tables, and whether the
 * application's version of the database library is one that it works with.
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

/** The package that takes the place of an adapter of npm, whatever the application's versions are. */
export function successorOf(npmPackage: string): string | undefined {
  return SUCCESSORS[NPM.exec(npmPackage)?.[1] ?? ""]?.target;
}

/**
 * Database adapters:
 *
 * 1. Those of Prisma, Drizzle and Kysely move to ours, where they work with the version that the application has.
 * 2. Those that NextAuth v4 had under `@next-auth/` move to their successors under `@auth/`.
 * 3. Every other adapter of npm, and one of the application, is kept.
 */
export function moveAdapter(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const former = FORMER_V4.exec(specifier)?.[1];
      const kept = NPM.exec(specifier)?.[1];
      const successor = SUCCESSORS[former ?? kept ?? ""];
      // Parts of a package, such as `@auth/drizzle-adapter/lib/pg`, have no counterpart.
      const fits = specifier.split("/").length === 2 && successor?.fits(application) === true;
      if (fits || former !== undefined) {
        const target = fits ? successor.target : `@auth/${former}`;
        draft.replace(literal, requoted(literal, target));
        draft.note("changed", literal, `${specifier} → ${target}`);
        draft.added.add(target);
        // Other files may still import a part of the package: `removePackages()` looks at all of them.
        if (former !== undefined) draft.removed.add(specifier.split("/").slice(0, 2).join("/"));
      } else if (kept !== undefined) {
        draft.note("look", literal, `${specifier} is kept`, "adapters of npm work unchanged");
      }
    }
  }
  return draft;
}
