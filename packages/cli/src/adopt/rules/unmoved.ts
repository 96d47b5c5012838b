import { type Node, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { componentReferences } from "../components.ts";
import { Draft } from "../draft.ts";
import { successorOf, withoutFolder } from "../former-modules.ts";
import { goneNames } from "../gone-names.ts";
import { moduleReferences } from "../module-references.ts";
import { otherGuards } from "../other-guards.ts";

/** Modules of the packages that are removed. */
const FORMER = /^(?:next-auth|@auth\/(?:core|express|sveltekit)|@hono\/auth-js)(?:\/|$)/;

/** Files in which a package is configured by its name alone. Elsewhere, such a text may be about anything. */
const CONFIGURATION = /\.config\.[cm]?[jt]s$/;

/**
 * Reports what no other rule could migrate, so that nothing fails without a line of the report:
 *
 * 1. Texts that name a module of a removed package, as in `import(`…${name}`)` or a bundler's configuration.
 * 2. Names without a counterpart, whose imports keep the former module.
 * 3. Imports of modules without a replacement, in scripts and in components.
 */
export function nameUnmoved(application: Application): Draft {
  const { project, texts } = application;
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    nameModules(draft, file);
    for (const reference of moduleReferences(file)) {
      const gone = [...goneNames(application, reference), ...otherGuards(application, reference)];
      for (const { node, what, why } of gone) draft.note("left", node, what, why);
      const { literal, specifier } = reference;
      if (gone.length === 0 && isUnmoved(specifier))
        draft.note("left", literal, `imports ${specifier}`, instead(specifier));
    }
  }
  nameComponents(draft, texts);
  for (const [path, text] of texts) {
    if (!/(?:^|\/)(?:[tj]sconfig[\w.-]*|[\w.-]*jest[\w.-]*)\.json$/.test(path)) continue;
    const named = text.match(/"(?:next-auth|@auth\/(?:core|express|sveltekit)|@hono\/auth-js)(?:\/[\w./-]*)?"/)?.[0];
    if (named !== undefined) draft.note("left", path, `names the module ${named}`, WHY);
  }
  return draft;
}

function nameComponents(draft: Draft, texts: Application["texts"]): void {
  for (const { path, at, specifier } of componentReferences({ texts })) {
    draft.notes.push({ kind: "left", path, at, what: `imports ${specifier}`, why: instead(specifier) });
  }
}

/** Providers without a package here stay those of `@auth/core`. */
function isUnmoved(specifier: string): boolean {
  const module = withoutFolder(specifier);
  return FORMER.test(module) && !module.startsWith("@auth/core/providers/");
}

function instead(specifier: string): string {
  if (specifier === "@auth/sveltekit/components")
    return "write the form with `providerId` and `redirectTo` (docs/sveltekit.md), then remove the former package";
  const target = successorOf(specifier) ?? "the package that replaces it (docs/from-authjs.md)";
  return `import from ${target}, then remove the former package`;
}

const WHY = "the package is removed; name the module that replaces it (docs/from-authjs.md)";

const TEXTS = [SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral, SyntaxKind.TemplateHead] as const;

function nameModules(draft: Draft, file: SourceFile): void {
  if (!/next-auth|@auth\/|@hono\//.test(file.getFullText())) return;
  const referred = new Set<Node>(moduleReferences(file).map(({ literal }) => literal));
  for (const kind of TEXTS) {
    for (const node of file.getDescendantsOfKind(kind)) {
      const text = node.getLiteralText();
      const isNamed = FORMER.test(text) && (/\/.*\/|^next-auth\//.test(text) || CONFIGURATION.test(file.getFilePath()));
      if (isNamed && !referred.has(node)) draft.note("left", node, `names the module ${text}`, WHY);
    }
  }
}
