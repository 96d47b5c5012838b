import { type CallExpression, Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationGiven, createAuthCalls, handlerCalls, isChange, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { functionAround, topStatement } from "../former-import.ts";
import { usesOf, usesOfDeclared } from "../identifiers.ts";
import { outermost } from "../object-literals.ts";
import { declarationOf } from "../re-exports.ts";
import { constantOf } from "../resolve-value.ts";

/**
 * The former library read its options with each request, so that code may change them at any time: in another file, in a function, or
 * behind the call. An instance that is made of such options is given a function, which is called with each request; `Auth(request, config)`
 * is given a copy each time.
 */
export function keepLateChanges(application: Application): Draft {
  const draft = new Draft();
  const handlers = handlerCalls(application);
  for (const call of createAuthCalls(application)) {
    const given = configurationGiven(application, call);
    const change =
      given === undefined || Node.isArrowFunction(given) ? undefined : lateChange(application, call, given);
    if (given === undefined || change === undefined) continue;
    const copy = `{ ...${given.getText()} }`;
    draft.replace(given, handlers.includes(call) ? copy : `() => (${copy})`);
    draft.note(
      "look",
      call,
      "the configuration is read with each request, because code changes it later",
      `${change.getSourceFile().getFilePath().slice(1)} does; change it before the call, and pass the object itself: it is then checked at start`,
    );
  }
  return draft;
}

function lateChange(application: Application, call: CallExpression, given: Node): Node | undefined {
  const constants = partsOf(application, given).names.flatMap((name) => constantOf(application, name) ?? []);
  return [...new Set(constants)].flatMap((constant) => changesOf(application, call, constant))[0];
}

/** The changes of a constant that are not certain to have happened when the call is made. */
function changesOf(application: Application, call: CallExpression, constant: VariableDeclaration): readonly Node[] {
  const home = constant.getSourceFile();
  const isBefore = (use: Node) =>
    functionAround(use) === undefined &&
    (call.getSourceFile() !== home || use.getEnd() < topStatement(call).getStart());
  const own = usesOfDeclared(constant.getNameNode()).filter((use) => mayChange(use) && !isBefore(use));
  const others = application.project.getSourceFiles().filter((file) => file !== home && !TEST.test(file.getFilePath()));
  return [...own, ...others.flatMap((file) => usesIn(application, file, constant).filter(mayChange))];
}

const TEST = /\.(?:test|spec)\.|\/(?:__tests__|__mocks__|tests?|e2e)\//;

/** The uses of a constant in a file that imports it, also as a member of its module. */
function usesIn(application: Application, file: SourceFile, constant: VariableDeclaration): readonly Node[] {
  const home = constant.getSourceFile();
  return file.getImportDeclarations().flatMap((imported): readonly Node[] => {
    if (imported.isTypeOnly()) return [];
    const target = application.resolve(file, imported.getModuleSpecifierValue());
    if (target === undefined) return [];
    const isIt = (name: string) => {
      const declared = declarationOf(application, target, name);
      return declared?.file === home && declared.name === constant.getName();
    };
    const named = imported.getNamedImports().filter((one) => isIt(one.getName()));
    const locals = named.map((one) => (one.getAliasNode() ?? one.getNameNode()).getText());
    const standard = imported.getDefaultImport()?.getText();
    const space = imported.getNamespaceImport();
    const members = space === undefined ? [] : usesOfDeclared(space).map((use) => outermost(use).getParentOrThrow());
    return [
      ...[...locals, ...(standard !== undefined && isIt("default") ? [standard] : [])].flatMap((one) =>
        usesOf(file, one),
      ),
      ...members.filter((one) => Node.isPropertyAccessExpression(one) && isIt(one.getName())),
    ];
  });
}

/** Whether a use changes an object, or hands it to a function whose result is not used. */
function mayChange(use: Node): boolean {
  const outer = outermost(use);
  const call = outer.getParent();
  if (!Node.isCallExpression(call) || call.getExpression() === outer) return isChange(use);
  const statement = Node.isAwaitExpression(call.getParent()) ? call.getParent()?.getParent() : call.getParent();
  return isChange(use) || (Node.isExpressionStatement(statement) && !/^console\./.test(call.getExpression().getText()));
}
