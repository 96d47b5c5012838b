import { Node, type PropertyAccessExpression, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls, valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { isTypeScript } from "../identifiers.ts";
import { objectIn } from "../object-literals.ts";

const GOES_THROUGH = /^(?:map|filter|find|forEach|flatMap|some|every|reduce)$/;

/**
 * `authConfig.providers.map(…)`, for example on a custom sign-in page: the list in a configuration was typed as
 * providers only; now it may also contain `null` and empty strings for omitted providers. It is cast to the former
 * type.
 */
export function typeProviderLists(application: Application): Draft {
  const draft = new Draft();
  const literals = new Set<Node>(createAuthCalls(application).flatMap((call) => configurationOf(application, call)));
  for (const file of application.project.getSourceFiles().filter(isTypeScript)) {
    if (!/\.providers\b/.test(file.getFullText())) continue;
    for (const access of file.getDescendantsOfKind(SyntaxKind.PropertyAccessExpression)) {
      if (access.getName() !== "providers" || !isGoneThrough(access)) continue;
      const owner = access.getExpression();
      const value = Node.isIdentifier(owner) ? valueNamedBy(application, file, owner.getText()) : undefined;
      const literal = objectIn(value);
      if (literal === undefined || !literals.has(literal) || !isAnnotated(value)) continue;
      draft.replace(access, `(${access.getText()} as Provider[])`);
      draft.import(file, "@cardea/core/providers", "Provider", true);
      draft.added.add("@cardea/core");
      draft.note("changed", access, "the list of providers keeps its former type");
    }
  }
  return draft;
}

function isGoneThrough(access: PropertyAccessExpression): boolean {
  const method = access.getParent();
  return (
    Node.isPropertyAccessExpression(method) &&
    GOES_THROUGH.test(method.getName()) &&
    Node.isCallExpression(method.getParent())
  );
}

/** With `satisfies`, or without an annotation, the list has the type of the literal. */
function isAnnotated(value: Node | undefined): boolean {
  const declaration = value?.getParent();
  return Node.isVariableDeclaration(declaration) && declaration.getTypeNode() !== undefined;
}
