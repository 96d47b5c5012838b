import type { Application } from "../application.ts";
import { type ComponentReference, componentReferences } from "../components.ts";
import { Draft } from "../draft.ts";
import { RENAMED, successorOf } from "../former-modules.ts";

/**
 * Imports in components (`.svelte`, `.vue`, `.astro`), whose scripts are not parsed: the specifier is replaced, if the
 * replacement has every imported name. `nameUnmoved()` reports the others, and those of `.mdx`, where code may be an example.
 */
export function moveComponents(application: Application): Draft {
  const draft = new Draft();
  for (const reference of componentReferences(application)) {
    const target = successorOf(reference.specifier);
    if (target === undefined || reference.path.endsWith(".mdx") || !hasSameNames(reference, target)) continue;
    const { path, at, start, specifier } = reference;
    draft.editText(path, start, start + specifier.length, target);
    draft.notes.push({ kind: "changed", path, at, what: `${specifier} → ${target}` });
    draft.added.add(target.split("/").slice(0, 2).join("/"));
  }
  return draft;
}

/** Names that differ, or a value that may be used under any name, are left. */
function hasSameNames({ clause }: ComponentReference, target: string): boolean {
  if (target.endsWith("/package.json")) return clause !== undefined;
  if (clause === undefined || !/^\s*(?:type\s*)?\{[^}]*\}\s*$|^\s*$/.test(clause)) return false;
  const names = clause.match(/[\w$]+/g) ?? [];
  return !names.some((name) => Object.hasOwn(RENAMED[target] ?? {}, name) || name === "default" || GONE.test(name));
}

/** Functions of servers, which have no counterpart of that name. */
const GONE = /^(?:getServerSession|unstable_getServerSession|withAuth|ExpressAuth)$/;
