import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { moduleReferences, requoted } from "../module-references.ts";

const FORMER_V4 = /^@next-auth\/([\w-]+-adapter)$/;
const NPM = /^@auth\/([\w-]+-adapter)(?:\/.*)?$/;

/** Our adapter for Prisma needs this major version of its client. */
const PRISMA_MAJOR = 6;

/**
 * Database adapters:
 *
 * 1. Prisma's moves to `@cardea/adapter-prisma` from Prisma 6 on, under the same name and with the same tables.
 * 2. Those that NextAuth v4 had under `@next-auth/` move to their successors under `@auth/`.
 * 3. Every other adapter of npm, and one of the application, is kept.
 */
export function moveAdapter(application: Application): Draft {
  const draft = new Draft();
  const prisma = application.majors.get("@prisma/client") ?? application.majors.get("prisma") ?? 0;
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const former = FORMER_V4.exec(specifier)?.[1];
      const kept = NPM.exec(specifier)?.[1];
      const isPrisma = (former ?? kept) === "prisma-adapter" && prisma >= PRISMA_MAJOR;
      if (isPrisma || former !== undefined) {
        const target = isPrisma ? "@cardea/adapter-prisma" : `@auth/${former}`;
        draft.replace(literal, requoted(literal, target));
        draft.note("changed", literal, `${specifier} → ${target}`);
        draft.added.add(target);
        draft.removed.add(specifier.split("/").slice(0, 2).join("/"));
      } else if (kept !== undefined) {
        draft.note("look", literal, `${specifier} is kept`, "adapters of npm work unchanged");
      }
    }
  }
  return draft;
}
