import { type CallExpression, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { type AuthInstance, instanceFor } from "../auth-instance.ts";
import { Draft } from "../draft.ts";
import { namedOptions } from "../former-handler.ts";
import { callsOf, type FormerImport, findImport } from "../former-import.ts";
import { freeName, hasName, isTypeScript, usesOf } from "../identifiers.ts";
import { moduleReferences } from "../module-references.ts";
import { dropOptions } from "./auth-options.ts";
import { dropNames } from "./imports.ts";

const MODULES = ["next-auth", "next-auth/next"];
const NAMES = ["getServerSession", "unstable_getServerSession"];

/**
 * `getServerSession(authOptions)` becomes `auth()`, and `getServerSession(req, res, authOptions)` becomes `auth(req,
 * res)`. Mocks of the function in tests become mocks of the file that exports `auth`.
 */
export function moveServerSession(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) {
    for (const name of NAMES) {
      const imported = findImport(file, MODULES, name);
      if (imported?.declaration !== undefined) moveFile(draft, application, file, imported, name);
    }
    moveMocks(draft, application, file);
  }
  return draft;
}

function moveFile(
  draft: Draft,
  application: Application,
  file: SourceFile,
  imported: FormerImport,
  name: string,
): void {
  const calls = callsOf(file, imported.local);
  const sources = calls.map((call) => optionsFile(application, file, call));
  const instance = instanceFor(
    application,
    sources.find((source) => source !== undefined),
  );
  const member = instance?.members.get("auth");
  // The import stays, so that `nameUnmoved` reports it.
  if (instance === undefined || member === undefined) return;
  const local = nameFor(file, instance, member);
  const optionNames = new Map<string, number>();
  let isLeft = false;
  for (const call of calls) {
    const kept = sessionArguments(application, file, call, optionNames);
    if (kept === undefined) {
      isLeft = true;
      draft.note("left", call, "a session with inline options", "call `auth()` from the file with `createAuth()`");
    } else draft.replace(call, `${local}(${kept.join(", ")})`);
  }
  replaceReferences(draft, file, imported.local, local);
  // A call that stays keeps its import, so that `nameUnmoved` reports it.
  if (imported.declaration !== undefined && !isLeft) dropNames(draft, imported.declaration, [name]);
  for (const [options, count] of optionNames) dropOptions(draft, file, options, count);
  if (file !== instance.file)
    draft.import(file, specifierOf(application, file, instance), member === local ? local : `${member} as ${local}`);
  draft.note("changed", imported.statement, `${calls.length} × \`${name}\` → \`${local}\``);
}

/** Uses other than calls, such as a cast in a test. */
function replaceReferences(draft: Draft, file: SourceFile, former: string, local: string): void {
  for (const use of usesOf(file, former)) {
    const parent = use.getParent();
    if (Node.isCallExpression(parent) && parent.getExpression() === use) continue;
    // `auth` has overloads, so a cast to a mock needs `unknown`.
    draft.replace(use, Node.isAsExpression(parent) && isTypeScript(file) ? `${local} as unknown` : local);
  }
}

function nameFor(file: SourceFile, instance: AuthInstance, member: string): string {
  if (file === instance.file || importsFrom(file, member)) return member;
  return hasName(file, member) ? freeName(file, "readSession", "authSession") : member;
}

function importsFrom(file: SourceFile, name: string): boolean {
  return file
    .getImportDeclarations()
    .some((item) =>
      item.getNamedImports().some((named) => named.getText() === name && /auth/i.test(item.getModuleSpecifierValue())),
    );
}

function specifierOf({ resolve, specifier }: Application, file: SourceFile, instance: AuthInstance): string {
  const own = file.getImportDeclarations().map((item) => item.getModuleSpecifierValue());
  const same = own.find((item) => resolve(file, item) === instance.file);
  const like = own.find((item) => /^(?:[@~#]\/|src\/)/.test(item));
  return same ?? specifier(file.getFilePath(), instance.file.getFilePath(), like);
}

/** The file that declares the options of a call. */
function optionsFile(application: Application, file: SourceFile, call: CallExpression): SourceFile | undefined {
  const last = call.getArguments().at(-1);
  if (!Node.isIdentifier(last)) return undefined;
  const options = namedOptions(application, file, last);
  return options?.kind === "imported" ? options.file : file;
}

/** The arguments for `auth()`; undefined if the options are not a constant of the application. */
function sessionArguments(
  application: Application,
  file: SourceFile,
  call: CallExpression,
  optionNames: Map<string, number>,
): readonly string[] | undefined {
  const given = call.getArguments();
  if (given.length === 0) return [];
  const last = given.at(-1);
  // `getServerSession(...args, authOptions)`: `auth()` accepts the same arguments without the options.
  const isSpread = given.length === 2 && Node.isSpreadElement(given[0]);
  const isKnown = isSpread || ([1, 3].includes(given.length) && !given.some((item) => Node.isSpreadElement(item)));
  if (!isKnown || !Node.isIdentifier(last)) return undefined;
  const options = namedOptions(application, file, last);
  if (options === undefined) return undefined;
  if (options.kind === "imported") optionNames.set(last.getText(), (optionNames.get(last.getText()) ?? 0) + 1);
  return given.slice(0, -1).map((item) => item.getText());
}

/** `jest.mock("next-auth", () => ({ getServerSession: … }))`. */
function moveMocks(draft: Draft, application: Application, file: SourceFile): void {
  for (const { literal, specifier, kind } of moduleReferences(file)) {
    const call = literal.getParent();
    if (kind !== "mock" || !MODULES.includes(specifier) || !Node.isCallExpression(call)) continue;
    const mocked = call
      .getDescendants()
      .filter((node) => Node.isPropertyAssignment(node) && NAMES.includes(node.getName()));
    const instance = instanceFor(application, undefined);
    const member = instance?.members.get("auth");
    if (mocked.length === 0 || instance === undefined || member === undefined) continue;
    const target = specifierOf(application, file, instance);
    const other = mockOf(file, target, call);
    if (other !== undefined) mergeMocks(draft, call, other, member);
    else {
      draft.replace(literal, `"${target}"`);
      for (const node of mocked) if (Node.isPropertyAssignment(node)) draft.replace(node.getNameNode(), member);
    }
    draft.note("changed", call, `mock of ${specifier} changed to a mock of ${target}`);
  }
}

function mockOf(file: SourceFile, specifier: string, except: Node): CallExpression | undefined {
  const found = moduleReferences(file).find(
    (reference) =>
      reference.kind === "mock" && reference.specifier === specifier && reference.literal.getParent() !== except,
  );
  const call = found?.literal.getParent();
  return Node.isCallExpression(call) ? call : undefined;
}

/** A module can be mocked only once, so the members are added to the existing mock. */
function mergeMocks(draft: Draft, call: CallExpression, other: CallExpression, member: string): void {
  const object = other.getDescendants().find(Node.isObjectLiteralExpression);
  const mocked = call
    .getDescendants()
    .find((node) => Node.isPropertyAssignment(node) && NAMES.includes(node.getName()));
  const statement = call.getParent();
  if (object === undefined || !Node.isPropertyAssignment(mocked) || statement === undefined) return;
  draft.insert(
    other.getSourceFile(),
    object.getStart() + 1,
    ` ${member}: ${mocked.getInitializerOrThrow().getText()},`,
  );
  draft.remove(statement);
}
