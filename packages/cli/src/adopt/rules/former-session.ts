import { type Expression, Node, type ObjectLiteralElementLike, type SourceFile, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { type Callback, callbackMembers, callbackOf, resultsOf } from "../callback-members.ts";
import { configurationGiven, createAuthCalls, type Parts, partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { usesOf } from "../identifiers.ts";
import { makersIn } from "../instance-makers.ts";
import { nameOf, objectIn, propertyNamed, unwrap, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";
import { BRIDGE } from "./bridge.ts";

/**
 * Auth.js v5 gave `callbacks.session` the whole row of the user, and `auth()` of Next.js added what the callback leaves out. A guard that
 * asks for a column, such as `session.user.banned`, must find it:
 *
 * 1. A configuration whose sessions may be in a database is wrapped by a function of the bridge, which calls the callback as before.
 * 2. In Next.js, so is one whose callback may return an object without `user`, or nothing.
 * 3. Where the function that makes instances is not called but passed on, what it is given is wrapped.
 * 4. Without a callback, columns that the augmentation of `Session` declares and that the code names are also in its JSON, as before on
 *    the server.
 */
export function keepFormerSessions(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "authjs-v5") return draft;
  for (const call of createAuthCalls(application)) wrap(draft, application, configurationGiven(application, call));
  for (const { file, names } of makersIn(application))
    for (const name of names) if (!name.includes(".")) wrapPassed(draft, application, file, name);
  return draft;
}

const nameFor = ({ framework }: Application) => (framework === "next" ? "formerServerSession" : "formerSession");

function wrap(draft: Draft, application: Application, given: Node | undefined): void {
  if (given === undefined) return;
  const configuration = partsOf(application, given);
  const session = callbackMembers(application, configuration, "session");
  const isStored = mayBeStored(configuration);
  const isServer = application.framework === "next";
  const isNeeded =
    isServer && (session.unread.length > 0 || !session.properties.every((one) => hasUser(application, one)));
  if (!isStored && !isNeeded) return;
  const file = given.getSourceFile();
  const isWithout = isServer && session.properties.length === 0 && session.unread.length === 0;
  const columns = isWithout ? columnsRead(application) : [];
  const { quote } = styleOf(file.getFullText());
  const list = columns.map((name) => `${quote}${name}${quote}`).join(", ");
  draft.insert(file, given.getStart(), `${nameFor(application)}(`);
  draft.insert(file, given.getEnd(), columns.length === 0 ? ")" : `, [${list}])`);
  add(draft, application, file);
  const members = columns.map((name) => `\`session.user.${name}\``).join(", ");
  const seen = columns.length === 0 ? "" : `; ${members}, which the code names, is also visible to the browser`;
  draft.note("changed", given, "`callbacks.session` is called as before", `${isStored ? ROW : WITHOUT}${seen}`);
}

const ROW =
  "its `session` has the whole row of the user; return what your code reads, then remove the function (docs/bridge.md#former-sessions)";
const WITHOUT =
  "on the server, Auth.js added the user or the token where its result has no `user` (docs/bridge.md#former-sessions)";

function add(draft: Draft, application: Application, file: SourceFile): void {
  draft.import(file, BRIDGE, nameFor(application));
  draft.added.add(BRIDGE);
}

/** `const make = createAuth`. */
function wrapPassed(draft: Draft, application: Application, file: SourceFile, name: string): void {
  for (const use of usesOf(file, name)) {
    const parent = use.getParent();
    const isCalled = Node.isCallExpression(parent) && unwrap(parent.getExpression()) === use;
    if (isCalled || Node.isTypeQuery(parent) || Node.isExportSpecifier(parent)) continue;
    const type = /\.[cm]?tsx?$/.test(file.getFilePath()) ? `: Parameters<typeof ${name}>[0]` : "";
    draft.replace(use, `((config${type}) => ${name}(${nameFor(application)}(config)))`);
    add(draft, application, file);
    draft.note("changed", use, "`callbacks.session` is called as before", ROW);
  }
}

/** Whether sessions may be in a database: there may be an adapter, and `jwt` is not certain. */
function mayBeStored({ literals, unread }: Parts): boolean {
  if (unread.length > 0) return true;
  const isAdapter = (one: ObjectLiteralElementLike) =>
    !Node.isSpreadAssignment(one) && (nameOf(one) ?? "adapter") === "adapter";
  const hasAdapter = literals.some((literal) => literal.getProperties().some(isAdapter));
  const sessions = literals.filter((literal) => propertyNamed(literal, "session") !== undefined);
  const isJwt =
    sessions.length > 0 && sessions.every((literal) => strategyOf(valueNamed(literal, "session")) === "jwt");
  return hasAdapter && !isJwt;
}

function strategyOf(session: Node | undefined): string | undefined {
  const object = objectIn(session);
  const value =
    object?.getProperties().some(Node.isSpreadAssignment) === false ? valueNamed(object, "strategy") : undefined;
  const text = value && unwrap(value);
  return Node.isStringLiteral(text) ? text.getLiteralValue() : undefined;
}

/** Whether a callback certainly returns an object with `user`: the session that it received, or a literal with it. */
function hasUser(application: Application, property: ObjectLiteralElementLike): boolean {
  const callback = callbackOf(application, property);
  const results = callback === undefined ? [] : resultsOf(callback);
  if (callback === undefined || results.length === 0) return false;
  if (callback.getDescendantsOfKind(SyntaxKind.DeleteExpression).length > 0) return false;
  const isAlways = Node.isArrowFunction(callback) && Node.isExpression(callback.getBody());
  const last = isAlways ? undefined : callback.getStatements?.().at(-1);
  if (!isAlways && !Node.isReturnStatement(last)) return false;
  return results.every((one) => one !== undefined && isWithUser(callback, one));
}

function isWithUser(callback: Callback, given: Expression): boolean {
  const value = unwrap(given);
  if (isSession(callback, value)) return true;
  if (Node.isConditionalExpression(value))
    return [value.getWhenTrue(), value.getWhenFalse()].every((one) => isWithUser(callback, one));
  const members = objectIn(value)?.getProperties() ?? [];
  return members.some((one) =>
    Node.isSpreadAssignment(one) ? isSession(callback, unwrap(one.getExpression())) : nameOf(one) === "user",
  );
}

/** `session` of `({ session, token }) => …`, or `params.session`. */
function isSession(callback: Callback, value: Node): boolean {
  const [parameter] = callback.getParameters();
  const name = parameter?.getNameNode();
  if (Node.isPropertyAccessExpression(value))
    return Node.isIdentifier(name) && value.getText() === `${name.getText()}.session`;
  const element = Node.isObjectBindingPattern(name)
    ? name.getElements().find((one) => (one.getPropertyNameNode() ?? one.getNameNode()).getText() === "session")
    : undefined;
  return element !== undefined && Node.isIdentifier(value) && value.getText() === element.getName();
}

/** Additional members of `session.user` that an augmentation declares and a file names. */
function columnsRead({ project }: Application): readonly string[] {
  const files = project.getSourceFiles();
  const declared = [...new Set(files.flatMap(declaredIn))].filter((name) => /^\w+$/.test(name));
  return declared.filter((name) => !/^(?:name|email|image)$/.test(name) && files.some((file) => names(file, name)));
}

/** Whether code has a name in any spelling: as a member, in a pattern, or as a text. Types do not count. */
function names(file: SourceFile, name: string): boolean {
  if (!file.getFullText().includes(name)) return false;
  const found = [
    ...file.getDescendantsOfKind(SyntaxKind.Identifier).filter((one) => one.getText() === name),
    ...[SyntaxKind.StringLiteral, SyntaxKind.NoSubstitutionTemplateLiteral]
      .flatMap((kind) => file.getDescendantsOfKind(kind))
      .filter((one) => Node.isLiteralLike(one) && one.getLiteralText() === name),
  ];
  return found.some((one) => !Node.isPropertySignature(one.getParent()));
}

function declaredIn(file: SourceFile): readonly string[] {
  if (!file.getFullText().includes("Session")) return [];
  const sessions = file
    .getDescendantsOfKind(SyntaxKind.ModuleDeclaration)
    .flatMap((block) => block.getInterfaces().filter((one) => one.getName() === "Session"));
  return sessions.flatMap((session) => {
    const type = session.getProperty("user")?.getTypeNode();
    const literals = Node.isTypeLiteral(type) ? [type] : Node.isIntersectionTypeNode(type) ? type.getTypeNodes() : [];
    return literals.filter(Node.isTypeLiteral).flatMap((one) => one.getProperties().map((member) => member.getName()));
  });
}
