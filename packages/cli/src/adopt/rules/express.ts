import { type CallExpression, Node, type SourceFile, type VariableDeclaration } from "ts-morph";
import type { Application } from "../application.ts";
import { instanceOf } from "../auth-instance.ts";
import { afterChanges } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { namedOptions } from "../former-handler.ts";
import { callsOf, type FormerImport, findImport, functionAround, topStatement } from "../former-import.ts";
import { freeName, hasName, usesOf } from "../identifiers.ts";
import { unwrap } from "../object-literals.ts";
import { constantOf } from "../resolve-value.ts";
import { inStyle, styleOf } from "../source-style.ts";
import { dropOptions } from "./auth-options.ts";
import { dropNames } from "./imports.ts";

/**
 * Express: the file with a configuration exports one instance for it. Another configuration has another secret, other cookies and
 * callbacks, and another instance.
 *
 * 1. `app.use("/auth/*", ExpressAuth(config))` becomes `app.use("/auth", router)`.
 * 2. `getSession(req, config)` becomes `auth(req, res)`, or `auth(req)` if no response is available.
 * 3. A type derived from it, `Awaited<ReturnType<typeof getSession>>`, is replaced.
 * 4. Configurations that are not a constant, and uses that are not calls, are left, and keep their import.
 */
export function moveExpress(application: Application): Draft {
  const draft = new Draft();
  if (application.framework !== "express") return draft;
  const homes: Homes = new Map();
  for (const file of application.project.getSourceFiles()) {
    const uses = NAMES.flatMap(([name, member]): readonly Use[] => {
      const imported = findImport(file, ["@auth/express"], name);
      return imported === undefined ? [] : [{ file, imported, name, member, homes }];
    });
    const moved = uses.map((use) => ({ use, ...moveName(draft, application, use) }));
    const options = moved.flatMap(({ dropped }) => dropped);
    for (const local of new Set(options))
      dropOptions(draft, file, local, options.filter((name) => name === local).length);
    dropImports(draft, uses, new Set(moved.filter(({ isLeft }) => isLeft).map(({ use }) => use)));
  }
  for (const [constant, home] of homes) finish(draft, constant, home);
  return draft;
}

/** The instances that are added, by their configuration. */
type Homes = Map<VariableDeclaration, Home>;

const NAMES = [
  ["ExpressAuth", "router"],
  ["getSession", "auth"],
] as const;

interface Home {
  readonly names: Readonly<Record<"router" | "auth", string>>;
  readonly members: Set<"router" | "auth">;
}

interface Use {
  readonly file: SourceFile;
  readonly imported: FormerImport;
  readonly name: string;
  readonly member: "router" | "auth";
  readonly homes: Homes;
}

/** What became of the uses of a name: the local names of configurations that its calls no longer use. */
interface Moved {
  readonly dropped: readonly string[];
  readonly isLeft: boolean;
}

function moveName(draft: Draft, application: Application, use: Use): Moved {
  const { file, imported, name, member } = use;
  const dropped: string[] = [];
  if (member === "auth") for (const one of usesOf(file, imported.local)) writeTypeOut(draft, one);
  const calls = callsOf(file, imported.local);
  const others = usesOf(file, imported.local).filter(
    (one) => !calls.some((call) => call.getExpression() === one) && !Node.isTypeQuery(one.getParent()),
  );
  const left: Node[] = [...others];
  for (const call of calls) {
    const given = call.getArguments()[member === "auth" ? 1 : 0];
    const constant = given && constantOf(application, given);
    const home = constant === undefined ? hoistInline(draft, use, call) : homeOf(application, use, constant);
    if (home === undefined) {
      if (!isTakenByInstance(application, constant)) moveInPlace(draft, use, call, given);
      else left.push(call);
      continue;
    }
    home.members.add(member);
    replaceCall(draft, call, member, home.names[member]);
    const inner = given && unwrap(given);
    if (Node.isIdentifier(inner)) dropped.push(inner.getText());
    if (constant !== undefined && constant.getSourceFile() !== file)
      draft.import(file, specifierOf(application, file, constant, inner), home.names[member]);
    draft.note("changed", call, `\`${name}\` → \`${home.names[member]}\``);
  }
  for (const node of left)
    draft.note(
      "left",
      node,
      `\`${name}\` was not moved`,
      "move the configuration to a constant at the top of its file, and use a single instance from `createAuth(config)`",
    );
  return { dropped, isLeft: left.length > 0 };
}

/** The specifier of the file with the configuration, as it is imported already if it is. */
function specifierOf(
  application: Application,
  file: SourceFile,
  constant: VariableDeclaration,
  given: Node | undefined,
): string {
  const options = Node.isIdentifier(given) ? namedOptions(application, file, given) : undefined;
  const home = constant.getSourceFile();
  if (options?.kind === "imported" && options.file === home) return options.specifier;
  const own = file.getImportDeclarations().map((item) => item.getModuleSpecifierValue());
  const like = own.find((one) => one.startsWith(".") || application.resolve(file, one) !== undefined);
  return application.specifier(file.getFilePath(), home.getFilePath(), like);
}

const SESSION = 'import("@cardea/express").Session | null';

/** Replaces `ReturnType<typeof getSession>` and its awaited type. */
function writeTypeOut(draft: Draft, use: Node): void {
  const query = use.getParent();
  const result = Node.isTypeQuery(query) ? query.getParent() : undefined;
  if (!Node.isTypeReference(result) || result.getTypeName().getText() !== "ReturnType") return;
  const outer = result.getParent();
  const isAwaited = Node.isTypeReference(outer) && outer.getTypeName().getText() === "Awaited";
  const type = isAwaited ? outer : result;
  const text = isAwaited ? SESSION : `Promise<${SESSION}>`;
  draft.replace(
    type,
    inStyle(Node.isArrayTypeNode(type.getParent()) ? `(${text})` : text, styleOf(use.getSourceFile().getFullText())),
  );
}

/** Removes all names of a declaration together. */
function dropImports(draft: Draft, uses: readonly Use[], left: ReadonlySet<Use>): void {
  const statements = new Map(uses.map(({ imported }) => [imported.statement, imported.declaration]));
  for (const [statement, declaration] of statements) {
    const own = uses.filter(({ imported }) => imported.statement === statement);
    const names = own.filter((use) => !left.has(use)).map(({ name }) => name);
    if (declaration !== undefined && names.length > 0) dropNames(draft, declaration, names);
    if (declaration === undefined && names.length === own.length) draft.remove(statement);
  }
}

/** A configuration that has an instance, so that another one would be a second. */
function isTakenByInstance(application: Application, constant: VariableDeclaration | undefined): boolean {
  return constant !== undefined && instanceOf(application, constant) !== undefined;
}

/** `ExpressAuth(await getConfig())` becomes `createAuth(await getConfig()).router`. */
function moveInPlace(draft: Draft, { file, name, member }: Use, call: CallExpression, given: Node | undefined): void {
  const instance = `createAuth(${given?.getText() ?? ""})`;
  replaceCall(draft, call, member, `${instance}.${member}`);
  importCreateAuth(draft, file);
  draft.note("changed", call, `\`${name}\` → \`createAuth().${member}\``);
  draft.note(
    "look",
    call,
    "the instance is created here",
    "use a single instance from `createAuth(config)`: the configuration may be a function of the request",
  );
}

function homeOf(application: Application, { homes }: Use, constant: VariableDeclaration): Home | undefined {
  const known = homes.get(constant);
  if (known !== undefined) return known;
  if (instanceOf(application, constant) !== undefined) return undefined;
  const file = constant.getSourceFile();
  const others = [...homes].filter(([other]) => other.getSourceFile() === file).map(([, home]) => home.names);
  const taken = others.flatMap(({ router, auth }) => [router, auth]);
  const suffix = others.length === 0 ? "" : `${others.length + 1}`;
  const pick = (name: string, other: string) =>
    hasName(file, name) || taken.includes(name) ? `${freeName(file, other)}${suffix}` : name;
  const names = { router: pick("router", "authRouter"), auth: pick("auth", "readSession") };
  const home: Home = { names, members: new Set() };
  homes.set(constant, home);
  return home;
}

/** `ExpressAuth({ … })` in the application file: the instance is created before that statement. */
function hoistInline(draft: Draft, { file, member }: Use, call: CallExpression): Home | undefined {
  const [given] = call.getArguments();
  if (member !== "router" || !Node.isObjectLiteralExpression(given) || functionAround(call) !== undefined)
    return undefined;
  const style = styleOf(file.getFullText());
  const router = hasName(file, "router") ? freeName(file, "authRouter") : "router";
  const binding = router === "router" ? "{ router }" : `{ router: ${router} }`;
  draft.insert(
    file,
    topStatement(call).getStart(),
    `const ${binding} = createAuth(${given.getText()})${style.semicolon}${style.eol}${style.eol}`,
  );
  importCreateAuth(draft, file);
  return { names: { router, auth: "auth" }, members: new Set() };
}

function replaceCall(draft: Draft, call: CallExpression, member: "router" | "auth", name: string): void {
  if (member === "auth") {
    const [request] = call.getArguments();
    const response = responseFor(call, request?.getText());
    draft.replace(
      call,
      response === undefined ? `${name}(${request?.getText()})` : `${name}(${request?.getText()}, ${response})`,
    );
    return;
  }
  draft.replace(call, name);
  const mount = call.getParent();
  const path = Node.isCallExpression(mount) ? mount.getArguments()[0] : undefined;
  if (!Node.isStringLiteral(path)) return;
  const bare = path.getLiteralValue().replace(/\/?(?:\*\w*|\{\*\w+\}|:\w+[*+])$/, "");
  draft.replace(path, path.getText().replace(path.getLiteralValue(), bare === "" ? "/" : bare));
}

/** The second parameter of the function whose first parameter is the request. */
function responseFor(call: CallExpression, request: string | undefined): string | undefined {
  const around = functionAround(call);
  const [first, second] = around?.getParameters() ?? [];
  return first?.getName() === request ? second?.getName() : undefined;
}

function finish(draft: Draft, constant: VariableDeclaration, { names, members }: Home): void {
  const file = constant.getSourceFile();
  const style = styleOf(file.getFullText());
  const elements = [...members]
    .sort()
    .reverse()
    .map((member) => (names[member] === member ? member : `${member}: ${names[member]}`));
  const isModule = file.getImportDeclarations().length > 0 || /^export /m.test(file.getFullText());
  const line = `${isModule ? "export " : ""}const { ${elements.join(", ")} } = createAuth(${constant.getName()});`;
  draft.insert(file, afterChanges(constant), inStyle(`\n\n${line}`, style));
  importCreateAuth(draft, file);
  draft.note(
    "changed",
    file.getFilePath(),
    "`createAuth()` in this file creates the instance with `router` and `auth()`",
  );
  if (!isModule) exportRequired(draft, file, members, names);
}

/** CommonJS: the members are added to `module.exports = { … }`. */
function exportRequired(
  draft: Draft,
  file: SourceFile,
  members: ReadonlySet<"router" | "auth">,
  names: Home["names"],
): void {
  const assigned = file.getStatements().find((statement) => /^module\.exports\s*=\s*\{/.test(statement.getText()));
  const object = assigned?.getDescendants().find(Node.isObjectLiteralExpression);
  const added = [...members].map((member) => names[member]).filter((name) => usesOf(file, name).length === 0);
  if (object !== undefined && added.length > 0) draft.insert(file, object.getStart() + 1, ` ${added.join(", ")},`);
}

function importCreateAuth(draft: Draft, file: SourceFile): void {
  draft.import(file, "@cardea/express", "createAuth");
  draft.added.add("@cardea/express");
}
