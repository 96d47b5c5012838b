import { Node } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { usesOf, usesOfDeclared } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { nameOf, outermost } from "../object-literals.ts";

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
 * 3. Where the application wraps an adapter or changes its methods, that of npm is kept: ours creates a user with the account in one step
 *    (`createUserWithAccount`), so that an own `createUser` or `linkAccount`, which may refuse a sign-up, would not be called.
 * 4. Other npm adapters, and custom ones, are kept.
 */
export function moveAdapter(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      const former = FORMER_V4.exec(specifier)?.[1];
      const kept = NPM.exec(specifier)?.[1];
      const successor = SUCCESSORS[former ?? kept ?? ""];
      // Subpaths of a package, such as `@auth/drizzle-adapter/lib/pg`, have no counterpart.
      const isReplaceable = specifier.split("/").length === 2 && successor?.fits(application) === true;
      const fits = isReplaceable && usesOfAdapter(literal).every((use) => isGiven(application, use));
      if (fits || former !== undefined) {
        const target = fits ? successor.target : `@auth/${former}`;
        draft.replace(literal, requoted(literal, target));
        draft.note("changed", literal, `${specifier} → ${target}`);
        draft.added.add(target);
        // Other files may still import a subpath; `removePackages()` checks all of them.
        if (former !== undefined) draft.removed.add(specifier.split("/").slice(0, 2).join("/"));
        if (!fits && isReplaceable) draft.note("look", literal, `@auth/${former} is kept`, OWN);
      } else if (kept !== undefined)
        draft.note("look", literal, `${specifier} is kept`, isReplaceable ? OWN : "this npm adapter works unchanged");
    }
  }
  return draft;
}

const OWN = "the application may change its methods, which are called as before";

/** The uses of what a file imports from an adapter's package. */
function usesOfAdapter(literal: Node): readonly Node[] {
  const declaration = literal.getParent();
  if (!Node.isImportDeclaration(declaration)) return [];
  const names = declaration.getNamedImports().filter((one) => !one.isTypeOnly());
  const values = declaration.isTypeOnly() ? [] : names.map((one) => one.getAliasNode() ?? one.getNameNode());
  return [declaration.getDefaultImport(), ...values].flatMap((name) =>
    name === undefined ? [] : usesOfDeclared(name),
  );
}

/** Whether the adapter that a use makes is given to a configuration as it is. */
function isGiven(application: Application, use: Node): boolean {
  const parent = outermost(use).getParent();
  if (Node.isTypeQuery(parent)) return true;
  return !Node.isCallExpression(parent) || parent.getExpression() !== outermost(use)
    ? false
    : isAsItIs(application, parent);
}

function isAsItIs(application: Application, value: Node): boolean {
  const parent = outermost(value).getParent();
  if (Node.isPropertyAssignment(parent) || Node.isShorthandPropertyAssignment(parent))
    return nameOf(parent) === "adapter";
  const isMember = Node.isPropertyAccessExpression(parent) && parent.getExpression() === outermost(value);
  if (isMember) return !Node.isBinaryExpression(outermost(parent).getParent());
  const name = Node.isVariableDeclaration(parent) ? parent.getNameNode() : undefined;
  if (!Node.isIdentifier(name)) return false;
  const elsewhere = application.project
    .getSourceFiles()
    .filter((file) => file !== name.getSourceFile() && file.getFullText().includes(name.getText()))
    .flatMap((file) => usesOf(file, name.getText()));
  return [...usesOfDeclared(name), ...elsewhere].every((one) => isAsItIs(application, one));
}
