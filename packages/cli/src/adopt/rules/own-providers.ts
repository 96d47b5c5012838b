import {
  Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
  type SourceFile,
  SyntaxKind,
} from "ts-morph";
import type { Application } from "../application.ts";
import { partsOf } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { isTypeScript, usesOfDeclared } from "../identifiers.ts";
import { moduleReferences } from "../module-references.ts";
import { nameOf, objectIn, propertyNamed, unwrap, valueNamed } from "../object-literals.ts";
import { valueAt } from "../resolve-value.ts";
import { styleOf } from "../source-style.ts";

/**
 * Provider objects of an application on NextAuth v4, also those that its functions return. There, the `type` of each is "oauth", and
 * `idToken` and `wellKnown` decide where the profile comes from:
 *
 * 1. From the ID token, with `idToken: true`, or without `idToken` if `wellKnown` is a document of OpenID Connect: `type` becomes "oidc",
 *    and `issuer` is that URL without its suffix.
 * 2. Everything else that has such members is reported: `idToken: false`, a URL or a choice that is not written there, and a profile
 *    of `userinfo.request`.
 * 3. So is `wellKnown` outside of such an object, which may be part of one.
 * 4. So is `client` in the parameters of `token.request` and `userinfo.request`, which is not passed any more.
 */
export function moveOwnProviders(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "nextauth-v4") return draft;
  const files = application.project.getSourceFiles();
  const given = new Set(files.flatMap((file) => optionsOfPackages(application, file)));
  for (const file of files) {
    const text = file.getFullText();
    if (/\boauth\b|wellKnown/.test(text)) {
      for (const object of file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)) {
        const type = typeOf(application, object);
        if (type === "oauth") moveProvider(draft, application, object);
        else if (type !== "oidc" && !given.has(object)) nameDocument(draft, object);
      }
      nameLateDocuments(draft, file);
    }
    if (/\brequest\b/.test(text) && /\bclient\b/.test(text)) nameClients(draft, file);
  }
  return draft;
}

const DOCUMENT = "/.well-known/openid-configuration";

function typeOf(application: Application, object: ObjectLiteralExpression): string | undefined {
  const type = valueNamed(object, "type");
  return type && textAt(application, type);
}

/** The text that an expression stands for; undefined if it is not a plain one. */
function textAt(application: Application, given: Node): string | undefined {
  const value = valueAt(application, given);
  const isPlain = Node.isStringLiteral(value) || Node.isNoSubstitutionTemplateLiteral(value);
  return isPlain ? value.getLiteralText() : undefined;
}

function moveProvider(draft: Draft, application: Application, object: ObjectLiteralExpression): void {
  const document = propertyNamed(object, "wellKnown");
  const place = document ?? propertyNamed(object, "idToken");
  const isSpread = object.getProperties().some(Node.isSpreadAssignment);
  const usesIdToken = isSpread ? undefined : readsIdToken(application, object);
  const isOwn = hasOwnRequest(object);
  const isDiscovered = document !== undefined && propertyNamed(object, "issuer") === undefined;
  if (usesIdToken === false && !isDiscovered) return;
  // Without discovery, such a profile has the same source.
  if (document === undefined && isOwn) return;
  if (usesIdToken !== true) {
    const why = usesIdToken === false ? OAUTH_2 : `${OPENID}; if it comes from the userinfo endpoint, ${OAUTH_2}`;
    if (place !== undefined) draft.note("left", place, UNREAD, why);
    return;
  }
  const issuer = issuerOf(application, object);
  if (isOwn || issuer === undefined) {
    const own = isOwn ? `${OPENID}, and \`idToken: false\`, because of \`userinfo.request\`` : OPENID;
    draft.note("left", place ?? object, UNREAD, own);
    return;
  }
  setType(draft, object);
  if (issuer !== "" && document !== undefined) draft.replace(document, `issuer: ${issuer}`);
  draft.note("changed", place ?? object, 'a provider of OpenID Connect: `type: "oidc"` with `issuer`');
  draft.note("look", place ?? object, "`issuer` must be the text in the discovery document of the provider", EXACT);
}

const UNREAD =
  "a provider of OpenID Connect or with discovery was not moved: `wellKnown` and `idToken` have another meaning";
const OPENID =
  'if the profile comes from the ID token, write `type: "oidc"` and `issuer`, as in its discovery document';
const OAUTH_2 =
  'keep `type: "oauth"`, and write `issuer`, as in its discovery document: without it, the application does not start';
const EXACT =
  "compare them, including a slash at the end: otherwise sign-in fails. If the document is not below that issuer, keep `wellKnown` as well";

/** Whether the profile came from the ID token; undefined if that is not written there. */
function readsIdToken(application: Application, object: ObjectLiteralExpression): boolean | undefined {
  const given = propertyNamed(object, "idToken");
  if (given !== undefined) {
    const value = valueNamed(object, "idToken");
    const read = value && valueAt(application, value)?.getText();
    return read === "true" ? true : read === "false" ? false : undefined;
  }
  const document = propertyNamed(object, "wellKnown");
  if (document === undefined) return requestsIdToken(application, object);
  const value = valueNamed(object, "wellKnown");
  const text = value && valueAt(application, value)?.getText();
  if (text?.includes("openid-configuration") === true) return true;
  return value !== undefined && textAt(application, value) !== undefined ? false : undefined;
}

/** Without both members, the scope decided. */
function requestsIdToken(application: Application, object: ObjectLiteralExpression): boolean {
  const read = (given: Node | undefined, name: string) => {
    const value = given && valueAt(application, given);
    return Node.isObjectLiteralExpression(value) ? valueNamed(value, name) : value;
  };
  const scope = read(read(valueNamed(object, "authorization"), "params"), "scope");
  return scope !== undefined && (valueAt(application, scope) ?? scope).getText().includes("openid");
}

/** The text of the issuer; empty if the object has it. */
function issuerOf(application: Application, object: ObjectLiteralExpression): string | undefined {
  const given = valueNamed(object, "wellKnown");
  // Without discovery, keys and issuer are those that NextAuth used.
  if (given === undefined)
    return propertyNamed(object, "issuer") && propertyNamed(object, "jwks_endpoint") ? "" : undefined;
  if (propertyNamed(object, "issuer") !== undefined) return "";
  const written = unwrap(given);
  const text = textAt(application, given);
  if (text !== undefined) {
    const { quote } = styleOf(object.getSourceFile().getFullText());
    return text.endsWith(DOCUMENT) ? `${quote}${text.slice(0, -DOCUMENT.length)}${quote}` : undefined;
  }
  if (Node.isTemplateExpression(written)) {
    const source = written.getText();
    return source.endsWith(`${DOCUMENT}\``) ? `${source.slice(0, -DOCUMENT.length - 1)}\`` : undefined;
  }
  const isSum = Node.isBinaryExpression(written) && written.getOperatorToken().getKind() === SyntaxKind.PlusToken;
  return isSum && textAt(application, written.getRight()) === DOCUMENT ? written.getLeft().getText() : undefined;
}

/** Whether the profile may come from a function of the application. */
function hasOwnRequest(object: ObjectLiteralExpression): boolean {
  const property = propertyNamed(object, "userinfo");
  const value = valueNamed(object, "userinfo");
  const endpoint = objectIn(value);
  if (endpoint !== undefined)
    return endpoint.getProperties().some((one) => Node.isSpreadAssignment(one) || nameOf(one) === "request");
  const inner = value && unwrap(value);
  const isText =
    Node.isStringLiteral(inner) || Node.isNoSubstitutionTemplateLiteral(inner) || Node.isTemplateExpression(inner);
  return property !== undefined && !isText;
}

function setType(draft: Draft, object: ObjectLiteralExpression): void {
  const property = propertyNamed(object, "type");
  if (property === undefined) return;
  const file = object.getSourceFile();
  const { quote } = styleOf(file.getFullText());
  const value = Node.isPropertyAssignment(property) ? property.getInitializerOrThrow() : undefined;
  const isCast = isTypeScript(file) && value !== undefined && unwrap(value) !== value;
  draft.replace(property, `type: ${quote}oidc${quote}${isCast ? " as const" : ""}`);
}

/** Members of a provider. */
const MEMBERS = /^(?:id|type|clientId|clientSecret|idToken|profile|checks|authorization)$/;

/** An object that may be part of a provider: with another member of one, or with spreads. */
function nameDocument(draft: Draft, object: ObjectLiteralExpression): void {
  const document = propertyNamed(object, "wellKnown");
  const isPart = (one: ObjectLiteralElementLike) => Node.isSpreadAssignment(one) || MEMBERS.test(nameOf(one) ?? "");
  if (document === undefined || !object.getProperties().some(isPart)) return;
  draft.note("left", document, UNREAD, `${OPENID}; if it comes from the userinfo endpoint, ${OAUTH_2}`);
}

/** `provider.wellKnown = …`, and a member of a class. */
function nameLateDocuments(draft: Draft, file: SourceFile): void {
  const why = `${OPENID}; if it comes from the userinfo endpoint, ${OAUTH_2}`;
  for (const one of file.getDescendantsOfKind(SyntaxKind.PropertyDeclaration))
    if (one.getName() === "wellKnown") draft.note("left", one, UNREAD, why);
  for (const one of file.getDescendantsOfKind(SyntaxKind.BinaryExpression)) {
    const isAssigned =
      one.getOperatorToken().getText().endsWith("=") && /\bwellKnown["'\]]*$/.test(one.getLeft().getText());
    if (isAssigned && !/^[=!<>]=/.test(one.getOperatorToken().getText())) draft.note("left", one, UNREAD, why);
  }
}

/** The options of providers of a package, which read `wellKnown` themselves. */
function optionsOfPackages(application: Application, file: SourceFile): readonly ObjectLiteralExpression[] {
  const specifiers = moduleReferences(file).map(({ specifier }) => specifier);
  const calls = specifiers
    .filter((one) => /^(?:@cardea\/providers-|(?:next-auth|@auth\/core)\/providers\/)/.test(one))
    .flatMap((one) => findImport(file, [one], "default") ?? [])
    .flatMap(({ local }) => callsOf(file, local));
  return calls.flatMap((call) => call.getArguments().flatMap((given) => partsOf(application, given).literals));
}

/** `token: { request({ client }) {} }`. */
function nameClients(draft: Draft, file: SourceFile): void {
  for (const object of file.getDescendantsOfKind(SyntaxKind.ObjectLiteralExpression)) {
    for (const endpoint of ["token", "userinfo"]) {
      const inner = objectIn(valueNamed(object, endpoint));
      const request = inner && valueNamed(inner, "request");
      const written = request && unwrap(request);
      const isFunction =
        Node.isArrowFunction(written) || Node.isFunctionExpression(written) || Node.isMethodDeclaration(written);
      const [context] = isFunction ? written.getParameters() : [];
      if (request !== undefined && context !== undefined && readsClient(context.getNameNode()))
        draft.note("left", context, `\`client\` is not passed to \`${endpoint}.request\``, CLIENT);
    }
  }
}

const CLIENT = "request the endpoint with `fetch` of the same parameter (docs/writing-a-provider.md)";

function readsClient(name: Node): boolean {
  if (Node.isObjectBindingPattern(name))
    return name
      .getElements()
      .some(
        (one) =>
          one.getDotDotDotToken() !== undefined ||
          (one.getPropertyNameNode() ?? one.getNameNode()).getText() === "client",
      );
  return usesOfDeclared(name).some((use) => {
    const access = use.getParent();
    if (Node.isPropertyAccessExpression(access)) return access.getName() === "client";
    return !(Node.isVariableDeclaration(access) && !readsClient(access.getNameNode()));
  });
}
