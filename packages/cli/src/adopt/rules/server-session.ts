import { type CallExpression, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { type AuthInstance, instanceOf, instancesOf, onlyInstance } from "../auth-instance.ts";
import { Draft } from "../draft.ts";
import { findImport } from "../former-import.ts";
import { freeName, hasName, isTypeScript, usesOf } from "../identifiers.ts";
import { moduleReferences } from "../module-references.ts";
import { unwrap } from "../object-literals.ts";
import { argumentsOf, type SessionCall, sessionCalls } from "../session-calls.ts";
import { inStyle, styleOf } from "../source-style.ts";
import { dropOptions } from "./auth-options.ts";
import { dropNames } from "./imports.ts";

const MODULES = ["next-auth", "next-auth/next"];
const NAMES = ["getServerSession", "unstable_getServerSession"];

/**
 * `getServerSession(authOptions)` becomes `auth()`, and `getServerSession(req, res, authOptions)` becomes `auth(req, res)`:
 *
 * 1. Of the instance whose configuration is that constant. Another one has another secret, other cookies and callbacks.
 * 2. Without options, NextAuth v4 used none of the application's: an instance without providers does the same.
 * 3. Options that are not a constant, and a use that is not a call, are left, and keep their import.
 * 4. Mocks of the function in tests become mocks of the file that exports `auth`.
 */
export function moveServerSession(application: Application): Draft {
  const draft = new Draft();
  const calls = sessionCalls(application);
  for (const { imported, name } of calls.filter(({ imported }, index) => isFirst(calls, imported.statement, index))) {
    const uses = calls.filter((one) => one.imported.statement === imported.statement && one.name === name);
    moveUses(draft, application, calls, uses);
  }
  for (const file of application.project.getSourceFiles()) {
    dropUnused(draft, file);
    moveMocks(draft, application, calls, file);
  }
  return draft;
}

function isFirst(calls: readonly SessionCall[], statement: Node, index: number): boolean {
  return calls.findIndex((one) => one.imported.statement === statement && one.name === calls[index]?.name) === index;
}

function dropUnused(draft: Draft, file: SourceFile): void {
  for (const name of NAMES) {
    const imported = findImport(file, MODULES, name);
    const isUsed = imported === undefined || usesOf(file, imported.local).length > 0;
    if (!isUsed && imported?.declaration !== undefined) dropNames(draft, imported.declaration, [name]);
  }
}

/** The uses of one name in one file. */
function moveUses(
  draft: Draft,
  application: Application,
  calls: readonly SessionCall[],
  uses: readonly SessionCall[],
): void {
  const [{ file, imported, name } = {}] = uses;
  if (file === undefined || imported?.declaration === undefined || name === undefined) return;
  const moved = uses.filter((one) => moveUse(draft, application, calls, one));
  for (const { use } of uses.filter((one) => !moved.includes(one)))
    draft.note(
      "left",
      use,
      `\`${name}\` was not moved`,
      "call `auth()` of the instance whose configuration has these options",
    );
  // A use that stays keeps its import, so that the file does not load, and `nameUnmoved` reports it.
  if (moved.length === uses.length) dropNames(draft, imported.declaration, [name]);
  const names = moved.flatMap(({ use }) => {
    const last = argumentsOf(use)?.at(-1);
    const inner = last && unwrap(last);
    return Node.isIdentifier(inner) ? [inner.getText()] : [];
  });
  for (const options of new Set(names))
    dropOptions(draft, file, options, names.filter((one) => one === options).length);
  if (moved.length > 0) draft.note("changed", imported.statement, `${moved.length} × \`${name}\` → \`auth\``);
}

/** @returns whether it was moved. */
function moveUse(
  draft: Draft,
  application: Application,
  calls: readonly SessionCall[],
  { file, use, options }: SessionCall,
): boolean {
  const given = argumentsOf(use);
  if (given === undefined) return moveReference(draft, application, calls, use);
  // `getServerSession(...args, authOptions)`: `auth()` accepts the same arguments without the options.
  const isSpread = given.length === 2 && Node.isSpreadElement(given[0]);
  const isKnown = isSpread || ([0, 1, 3].includes(given.length) && !given.some((item) => Node.isSpreadElement(item)));
  const instance = options === undefined ? undefined : instanceOf(application, options);
  const member = given.length === 0 ? plainMember(draft, application) : memberOf(instance);
  if (!isKnown || member === undefined) return false;
  const local = importMember(draft, application, file, member);
  draft.replace(
    use.getParentOrThrow(),
    `${local}(${given
      .slice(0, -1)
      .map((item) => item.getText())
      .join(", ")})`,
  );
  return true;
}

/** A member of an instance, as its file exports it. */
interface Member {
  readonly file: SourceFile;
  readonly name: string;
}

function memberOf(instance: AuthInstance | undefined): Member | undefined {
  const name = instance?.members.get("auth");
  return instance === undefined || name === undefined ? undefined : { file: instance.file, name };
}

const PLAIN = "readPlainSession";

/** An instance without the options of the application, beside the first that has them. */
function plainMember(draft: Draft, application: Application): Member | undefined {
  const home = memberOf(onlyInstance(application)) ?? memberOf(anyInstance(application));
  if (home === undefined) return undefined;
  const { file } = home;
  const name = freeName(file, PLAIN);
  if (draft.edits.some(({ path, text }) => path === file.getFilePath() && text.includes(name))) return { file, name };
  const style = styleOf(file.getFullText());
  const last = file.getStatements().at(-1);
  const line = `export const { auth: ${name} } = createAuth({ providers: [], session: { strategy: "jwt" } });`;
  draft.insert(file, last?.getEnd() ?? 0, inStyle(`\n\n${line}`, style));
  draft.import(file, "@cardea/next", "createAuth");
  draft.note(
    "look",
    file.getFilePath(),
    `\`${name}\` reads the sessions of \`getServerSession()\` without options`,
    "as before, they have no members that your callbacks add; call `auth()` where these are meant to be there",
  );
  return { file, name };
}

function anyInstance({ project }: Application): AuthInstance | undefined {
  return project
    .getSourceFiles()
    .flatMap(instancesOf)
    .find(({ declaration, members }) => members.has("auth") && declaration.isExported());
}

/** @returns the local name. */
function importMember(draft: Draft, application: Application, file: SourceFile, member: Member): string {
  const local = nameFor(file, member);
  if (file !== member.file)
    draft.import(
      file,
      specifierOf(application, file, member),
      member.name === local ? local : `${member.name} as ${local}`,
    );
  return local;
}

/** Files of tests, and of what they share. */
const TEST = /\.(?:test|spec)\.|\/(?:__tests__|__mocks__|tests?|testing|mocks?)\//;

/** What a test mocks instead of the function: the member that all calls of the application are replaced by. */
function standIn(draft: Draft, application: Application, calls: readonly SessionCall[]): Member | undefined {
  const real = calls.flatMap(({ use }) => argumentsOf(use) ?? []).length;
  const isPlain = real === 0 && calls.some(({ use }) => argumentsOf(use) !== undefined);
  return isPlain ? plainMember(draft, application) : memberOf(onlyInstance(application));
}

/** A cast of the function in a test of an application that mocks it. Any other use is left. */
function moveReference(draft: Draft, application: Application, calls: readonly SessionCall[], use: Node): boolean {
  const parent = use.getParent();
  const file = use.getSourceFile();
  const isMocked = application.project
    .getSourceFiles()
    .some((one) => moduleReferences(one).some(({ kind, specifier }) => kind === "mock" && MODULES.includes(specifier)));
  const isCast = Node.isAsExpression(parent) || (Node.isCallExpression(parent) && parent.getArguments().includes(use));
  const member = isMocked && isCast && TEST.test(file.getFilePath()) ? standIn(draft, application, calls) : undefined;
  if (member === undefined) return false;
  const local = importMember(draft, application, file, member);
  // `auth` has overloads, so a cast to a mock needs `unknown`.
  draft.replace(use, Node.isAsExpression(parent) && isTypeScript(file) ? `${local} as unknown` : local);
  return true;
}

function nameFor(file: SourceFile, { file: home, name }: Member): string {
  if (file === home || importsFrom(file, name)) return name;
  return hasName(file, name) ? freeName(file, "readSession", "authSession") : name;
}

function importsFrom(file: SourceFile, name: string): boolean {
  return file
    .getImportDeclarations()
    .some((item) =>
      item.getNamedImports().some((named) => named.getText() === name && /auth/i.test(item.getModuleSpecifierValue())),
    );
}

function specifierOf({ resolve, specifier }: Application, file: SourceFile, home: Pick<Member, "file">): string {
  const own = file.getImportDeclarations().map((item) => item.getModuleSpecifierValue());
  const same = own.find((item) => resolve(file, item) === home.file);
  const like = own.find((item) => /^(?:[@~#]\/|src\/)/.test(item));
  return same ?? specifier(file.getFilePath(), home.file.getFilePath(), like);
}

/** `jest.mock("next-auth", () => ({ getServerSession: … }))`. */
function moveMocks(draft: Draft, application: Application, calls: readonly SessionCall[], file: SourceFile): void {
  for (const { literal, specifier, kind } of moduleReferences(file)) {
    const call = literal.getParent();
    if (kind !== "mock" || !MODULES.includes(specifier) || !Node.isCallExpression(call)) continue;
    const mocked = call
      .getDescendants()
      .filter((node) => Node.isPropertyAssignment(node) && NAMES.includes(node.getName()));
    const member = mocked.length === 0 ? undefined : standIn(draft, application, calls);
    if (member === undefined) continue;
    const target = specifierOf(application, file, member);
    const other = mockOf(file, target, call);
    if (other !== undefined) mergeMocks(draft, call, other, member.name);
    else {
      draft.replace(literal, `"${target}"`);
      for (const node of mocked) if (Node.isPropertyAssignment(node)) draft.replace(node.getNameNode(), member.name);
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

/** A module can be mocked only once, so a member that the existing mock lacks is added to it. */
function mergeMocks(draft: Draft, call: CallExpression, other: CallExpression, member: string): void {
  const object = other.getDescendants().find(Node.isObjectLiteralExpression);
  const mocked = call
    .getDescendants()
    .find((node) => Node.isPropertyAssignment(node) && NAMES.includes(node.getName()));
  const statement = call.getParent();
  if (object === undefined || !Node.isPropertyAssignment(mocked) || statement === undefined) return;
  const text = ` ${member}: ${mocked.getInitializerOrThrow().getText()},`;
  if (object.getProperty(member) === undefined) draft.insert(other.getSourceFile(), object.getStart() + 1, text);
  draft.remove(statement);
}
