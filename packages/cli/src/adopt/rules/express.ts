import { type CallExpression, Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { instancesOf } from "../auth-instance.ts";
import { Draft } from "../draft.ts";
import { namedOptions } from "../former-handler.ts";
import { callsOf, type FormerImport, findImport, functionAround, topStatement } from "../former-import.ts";
import { freeName, hasName, usesOf } from "../identifiers.ts";
import { inStyle, styleOf } from "../source-style.ts";
import { dropOptions } from "./auth-options.ts";
import { dropNames } from "./imports.ts";

/**
 * Express: the file with the configuration exports one instance.
 *
 * 1. `app.use("/auth/*", ExpressAuth(config))` becomes `app.use("/auth", router)`.
 * 2. `getSession(req, config)` becomes `auth(req, res)`, or `auth(req)` if no response is available.
 * 3. A type derived from it, `Awaited<ReturnType<typeof getSession>>`, is replaced.
 */
export function moveExpress(application: Application): Draft {
  const draft = new Draft();
  if (application.framework !== "express") return draft;
  const homes = new Map<SourceFile, Home>();
  for (const file of application.project.getSourceFiles()) {
    const uses = NAMES.flatMap(([name, member]): readonly Use[] => {
      const imported = findImport(file, ["@auth/express"], name);
      return imported === undefined ? [] : [{ file, imported, name, member, homes }];
    });
    const options = uses.flatMap((use) => moveName(draft, application, use));
    for (const local of new Set(options))
      dropOptions(draft, file, local, options.filter((name) => name === local).length);
    dropImports(draft, uses);
  }
  for (const [file, home] of homes) finish(draft, file, home);
  return draft;
}

const NAMES = [
  ["ExpressAuth", "router"],
  ["getSession", "auth"],
] as const;

interface Home {
  readonly config: string;
  readonly names: Readonly<Record<"router" | "auth", string>>;
  readonly members: Set<"router" | "auth">;
  readonly at: number;
}

interface Use {
  readonly file: SourceFile;
  readonly imported: FormerImport;
  readonly name: string;
  readonly member: "router" | "auth";
  readonly homes: Map<SourceFile, Home>;
}

/** @returns For each replaced call, the name of its imported configuration. */
function moveName(draft: Draft, application: Application, use: Use): readonly string[] {
  const { file, imported, name, member, homes } = use;
  const dropped: string[] = [];
  for (const call of callsOf(file, imported.local)) {
    const given = call.getArguments()[member === "auth" ? 1 : 0];
    const options = Node.isIdentifier(given) ? namedOptions(application, file, given) : undefined;
    const target = options?.kind === "imported" ? options.file : options?.kind === "local" ? file : undefined;
    const home = target === undefined ? hoistInline(draft, use, call) : homeOf(homes, target, options);
    if (home === undefined) {
      draft.note(
        "left",
        call,
        `\`${name}\` with an inline configuration`,
        "move the configuration to a constant at the top of its file, and use a single instance from `createAuth(config)`",
      );
      continue;
    }
    home.members.add(member);
    replaceCall(draft, call, member, home.names[member]);
    if (options?.kind === "imported") {
      dropped.push(options.local);
      draft.import(file, options.specifier, home.names[member]);
    }
    draft.note("changed", call, `\`${name}\` → \`${home.names[member]}\``);
  }
  if (member === "auth") for (const use of usesOf(file, imported.local)) writeTypeOut(draft, use);
  return dropped;
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
function dropImports(draft: Draft, uses: readonly Use[]): void {
  const statements = new Map(uses.map(({ imported }) => [imported.statement, imported.declaration]));
  for (const [statement, declaration] of statements) {
    const names = uses.filter(({ imported }) => imported.statement === statement).map(({ name }) => name);
    if (declaration === undefined) draft.remove(statement);
    else dropNames(draft, declaration, names);
  }
}

function homeOf(
  homes: Map<SourceFile, Home>,
  file: SourceFile,
  options: ReturnType<typeof namedOptions>,
): Home | undefined {
  const known = homes.get(file);
  if (known !== undefined || options === undefined || options.kind === "inline") return known;
  const declaration = file.getVariableDeclaration(options.name);
  const existing = instancesOf(file)[0];
  if (declaration === undefined || existing !== undefined) return undefined;
  const pick = (name: "router" | "auth", other: string) => (hasName(file, name) ? freeName(file, other) : name);
  const names = { router: pick("router", "authRouter"), auth: pick("auth", "readSession") };
  const home = {
    config: options.name,
    names,
    members: new Set<"router" | "auth">(),
    at: declaration.getVariableStatementOrThrow().getEnd(),
  };
  homes.set(file, home);
  return home;
}

/** `ExpressAuth({ … })` in the application file: the instance is created before that statement. */
function hoistInline(draft: Draft, { file, homes, member }: Use, call: CallExpression): Home | undefined {
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
  void homes;
  return { config: "", names: { router, auth: "auth" }, members: new Set(), at: -1 };
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

function finish(draft: Draft, file: SourceFile, { config, names, members, at }: Home): void {
  const style = styleOf(file.getFullText());
  const elements = [...members]
    .sort()
    .reverse()
    .map((member) => (names[member] === member ? member : `${member}: ${names[member]}`));
  const isModule = file.getImportDeclarations().length > 0 || /^export /m.test(file.getFullText());
  const line = `${isModule ? "export " : ""}const { ${elements.join(", ")} } = createAuth(${config});`;
  draft.insert(file, at, inStyle(`\n\n${line}`, style));
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
