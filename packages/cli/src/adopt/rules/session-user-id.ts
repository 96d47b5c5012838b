import { Node, type ObjectLiteralExpression, type SourceFile, SyntaxKind } from "ts-morph";
import { type Application, mainPackage } from "../application.ts";
import { configurationOf, createAuthCalls, valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { isTypeScript } from "../identifiers.ts";
import { afterLastMember, objectIn, valueNamed } from "../object-literals.ts";
import { inStyle, styleOf } from "../source-style.ts";

/** `session.user.id`, `session?.user?.id`; in a file that imports the library, `data.user.id`. */
const READS_ID = /\bsession\??\.user\??\.id\b/;
const READS_ID_OF_IMPORT = /\b(?:session|data|auth|req\.auth)\??\.user\??\.id\b/;

function readsId(file: SourceFile): boolean {
  const isUser = file.getImportDeclarations().some((one) => /^@cardea\//.test(one.getModuleSpecifierValue()));
  return (isUser ? READS_ID_OF_IMPORT : READS_ID).test(file.getFullText());
}

/** Sets the id, or takes a whole object that may have it. */
const SETS_ID = /\bid\b|\buser:\s*[\w(]|\.user\s*=|\.\.\.\s*\(?(?!session\b)\w|Object\.assign\(|\w\[/;

/**
 * `session.user` contains name, e-mail and image. If the application reads `session.user.id` and has no
 * `callbacks.session` that could add it, the callback is added: with the user's id for database sessions, otherwise the
 * token's subject.
 *
 * With database sessions, Auth.js v5 provided the whole user on the server. Members of `session.user` that the
 * application declares and names anywhere are also added. Others may hold secrets, and are reported.
 */
export function keepSessionUserId(application: Application): Draft {
  const draft = new Draft();
  const reader = application.project.getSourceFiles().find(readsId);
  const columns = application.former === "authjs-v5" ? columnsRead(application) : [];
  const instances = createAuthCalls(application).map((call) => configurationOf(application, call));
  const main = instances.find(hasAdapter) ?? instances.find(signsIn) ?? instances[0];
  if (main === undefined) return draft;
  const callback = main.map(sessionCallback).find((value) => value !== undefined);
  const [target] = main;
  if (callback !== undefined || target === undefined) {
    if (callback !== undefined && reader !== undefined && isWithoutId(application, callback)) {
      draft.note(
        "left",
        callback,
        "`session.user.id` is read, but this callback does not set it",
        "add `session.user.id = token.sub`, or `user.id` with database sessions",
      );
    }
    return draft;
  }
  const isDatabase = hasAdapter(main) && !main.some(isJwt);
  if (isDatabase && application.former === "authjs-v5")
    draft.note(
      "look",
      target,
      "`session.user` no longer has every column of the user's row",
      "on the server, Auth.js added the whole row; return the columns that your code reads from `callbacks.session`",
    );
  if (reader === undefined && (columns.length === 0 || !isDatabase)) return draft;
  const source = isDatabase ? "user" : "token";
  const id = isDatabase ? "user.id" : 'token.sub ?? ""';
  const row = isTypeScript(target.getSourceFile())
    ? `(user as unknown as import("${mainPackage(application)}").Session["user"])`
    : "user";
  const more = (isDatabase ? columns : []).map((name) => `, ${name}: ${row}.${name}`).join("");
  const line = `session: ({ session, ${source} }) => ({ ...session, user: { ...session.user, id: ${id}${more} } })`;
  const callbacks = main
    .map((literal) => objectIn(valueNamed(literal, "callbacks")))
    .find((value) => value !== undefined);
  const { at, text } =
    callbacks === undefined ? afterLastMember(target, `callbacks: { ${line} }`) : afterLastMember(callbacks, line);
  const home = (callbacks ?? target).getSourceFile();
  draft.insert(home, at, inStyle(text, styleOf(home.getFullText())));
  draft.note(
    "changed",
    target,
    `\`callbacks.session\` adds ${["id", ...(isDatabase ? columns : [])].map((name) => `\`session.user.${name}\``).join(", ")}`,
    reader === undefined
      ? "code of the application names these members; they are also visible to the browser"
      : `read in ${reader.getFilePath().slice(1)}`,
  );
  return draft;
}

function hasAdapter(literals: readonly ObjectLiteralExpression[]): boolean {
  return literals.some((literal) => valueNamed(literal, "adapter") !== undefined);
}

/** Whether an instance has providers. One for middleware may have none, and its sessions have another shape. */
function signsIn(literals: readonly ObjectLiteralExpression[]): boolean {
  const given = literals.map((literal) => valueNamed(literal, "providers")).find((value) => value !== undefined);
  return given !== undefined && !(Node.isArrayLiteralExpression(given) && given.getElements().length === 0);
}

/**
 * Whether a callback certainly does not set the id. It may be a function of another file, and it may call others: what is not found may
 * set it.
 */
function isWithoutId(application: Application, callback: Node): boolean {
  const declared = (name: Node) => valueNamedBy(application, name.getSourceFile(), name.getText());
  const value = Node.isIdentifier(callback) ? declared(callback) : callback;
  const called = value?.getDescendantsOfKind(SyntaxKind.CallExpression).map((call) => call.getExpression()) ?? [];
  const isOwn = (name: Node) => declared(name) !== undefined || isImported(name.getSourceFile(), name.getText());
  const texts = [value, ...called.filter(Node.isIdentifier).filter(isOwn).map(declared)].map((node) => node?.getText());
  return texts.every((text) => text !== undefined && !SETS_ID.test(text));
}

function isImported(file: SourceFile, name: string): boolean {
  const declarations = file.getImportDeclarations();
  return declarations.some((one) => new RegExp(`\\b${name}\\b`).test(one.getImportClause()?.getText() ?? ""));
}

/** Additional members of `session.user` that an augmentation declares and a file reads. */
function columnsRead({ project }: Application): readonly string[] {
  const files = project.getSourceFiles();
  const reads = (name: string) => files.some((file) => mentions(file, name));
  const declared = new Set(files.flatMap(declaredIn));
  return [...declared].filter((name) => !/^(?:id|name|email|image)$/.test(name) && /^[\w]+$/.test(name) && reads(name));
}

/** Whether code has a name in any spelling: as a member, in a pattern, or as a text. Types do not count. */
function mentions(file: SourceFile, name: string): boolean {
  if (!file.getFullText().includes(name)) return false;
  const names = file.getDescendantsOfKind(SyntaxKind.Identifier).filter((one) => one.getText() === name);
  const texts = [
    ...file.getDescendantsOfKind(SyntaxKind.StringLiteral),
    ...file.getDescendantsOfKind(SyntaxKind.NoSubstitutionTemplateLiteral),
  ].filter((one) => one.getLiteralText() === name);
  return [...names, ...texts].some((one) => !Node.isPropertySignature(one.getParent()));
}

function declaredIn(file: SourceFile): readonly string[] {
  const sessions = file
    .getDescendantsOfKind(SyntaxKind.ModuleDeclaration)
    .flatMap((block) => block.getInterfaces().filter((one) => one.getName() === "Session"));
  return sessions.flatMap((session) => {
    const type = session.getProperty("user")?.getTypeNode();
    const literals = Node.isTypeLiteral(type) ? [type] : Node.isIntersectionTypeNode(type) ? type.getTypeNodes() : [];
    return literals
      .filter(Node.isTypeLiteral)
      .flatMap((literal) => literal.getProperties().map((one) => one.getName()));
  });
}

function sessionCallback(literal: ObjectLiteralExpression): Node | undefined {
  const callbacks = objectIn(valueNamed(literal, "callbacks"));
  const value = callbacks === undefined ? undefined : valueNamed(callbacks, "session");
  const isSpread =
    callbacks?.getProperties().some(Node.isSpreadAssignment) === true ||
    valueNamed(literal, "callbacks")?.getKindName() === "Identifier";
  return value ?? (isSpread ? (callbacks ?? literal) : undefined);
}

function isJwt(literal: ObjectLiteralExpression): boolean {
  return /strategy:\s*["']jwt["']/.test(valueNamed(literal, "session")?.getText() ?? "");
}
