import { type CallExpression, Node, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { addClientModule, clientModule } from "../client-module.ts";
import { componentReferences } from "../components.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { usesOf } from "../identifiers.ts";
import { moduleReferences, requoted } from "../module-references.ts";
import { unwrap } from "../object-literals.ts";

const CLIENT = "@auth/sveltekit/client";

/**
 * SvelteKit:
 *
 * 1. `@auth/sveltekit/client`, in components and scripts, becomes a module of the application: the routes are at `/auth`, which the
 *    client does not call by default.
 * 2. Before 0.10, `SvelteKitAuth()` returned the handle itself: it is taken from the result.
 * 3. Before 1.0, `locals.getSession()` was the name of `locals.auth()`.
 */
export function moveSvelteKit(application: Application): Draft {
  const draft = new Draft();
  if (application.framework !== "sveltekit") return draft;
  moveClient(draft, application);
  const files = application.project.getSourceFiles();
  const isOwn = files.some((file) => /\blocals\.getSession\s*=[^=]/.test(file.getFullText()));
  for (const file of files) {
    const imported = findImport(file, ["@auth/sveltekit"], "SvelteKitAuth");
    for (const call of imported === undefined ? [] : callsOf(file, imported.local)) takeHandle(draft, call);
    if (!isOwn) renameSession(draft, file);
  }
  return draft;
}

function moveClient(draft: Draft, application: Application): void {
  const module = clientModule(application);
  const before = draft.edits.length;
  for (const file of application.project.getSourceFiles()) {
    for (const { literal, specifier } of moduleReferences(file)) {
      if (specifier !== CLIENT) continue;
      draft.replace(literal, requoted(literal, module.specifier));
      draft.note("changed", literal, `${CLIENT} → ${module.specifier}`);
    }
  }
  for (const { path, at, start, specifier, clause } of componentReferences(application)) {
    if (specifier !== CLIENT || clause === undefined) continue;
    draft.editText(path, start, start + specifier.length, module.specifier);
    draft.notes.push({ kind: "changed", path, at, what: `${CLIENT} → ${module.specifier}` });
  }
  if (draft.edits.length > before) addClientModule(draft, application, module);
}

/** `export const handle = SvelteKitAuth(…)` and `sequence(SvelteKitAuth(…), …)`. */
function takeHandle(draft: Draft, call: CallExpression): void {
  const value = outermost(call);
  const parent = value.getParent();
  const isArgument = isSequence(parent);
  const isHandle =
    Node.isVariableDeclaration(parent) &&
    Node.isIdentifier(parent.getNameNode()) &&
    isUsedAsHandle(parent.getName(), call.getSourceFile());
  if (!isArgument && !isHandle) return;
  draft.insert(call.getSourceFile(), call.getEnd(), ".handle");
  draft.note("changed", call, "`handle` is taken from the result of `SvelteKitAuth()`");
}

function isSequence(node: Node | undefined): boolean {
  return Node.isCallExpression(node) && node.getExpression().getText() === "sequence";
}

/** The expression whose value is that of the call: in parentheses, with a type, or as one side of `?:`. */
function outermost(node: Node): Node {
  const parent = node.getParent();
  const isSide = Node.isConditionalExpression(parent) && parent.getCondition() !== node;
  return parent !== undefined && (isSide || unwrap(parent) !== parent) ? outermost(parent) : node;
}

function isUsedAsHandle(name: string, file: SourceFile): boolean {
  const uses = usesOf(file, name);
  if (uses.some((use) => Node.isPropertyAccessExpression(use.getParent()))) return false;
  return name === "handle" || uses.some((use) => isSequence(outermost(use).getParent()));
}

function renameSession(draft: Draft, file: SourceFile): void {
  for (const node of file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
    if (node.getName() !== "getSession" || !/(?:^|\.)locals$/.test(node.getExpression().getText())) continue;
    draft.replace(node.getNameNode(), "auth");
    draft.note("changed", node, "`locals.getSession` → `locals.auth`");
  }
  for (const element of file.getDescendantsOfKind(SyntaxKind.BindingElement)) {
    if ((element.getPropertyNameNode() ?? element.getNameNode()).getText() !== "getSession") continue;
    const around = element.getParentOrThrow().getParent();
    const isLocals =
      (Node.isBindingElement(around) && around.getPropertyNameNode()?.getText() === "locals") ||
      (Node.isVariableDeclaration(around) && /(?:^|\.)locals$/.test(around.getInitializer()?.getText() ?? ""));
    if (!isLocals) continue;
    const named = element.getPropertyNameNode();
    if (named !== undefined) draft.replace(named, "auth");
    else draft.insert(file, element.getStart(), "auth: ");
    draft.note("changed", element, "`locals.getSession` → `locals.auth`");
  }
}
