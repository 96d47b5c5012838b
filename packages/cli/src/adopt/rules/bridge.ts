import {
  type CallExpression,
  Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
  type PropertyAssignment,
} from "ts-morph";
import type { Application } from "../application.ts";
import { callBy, configurationOf, createAuthCalls, isOneConfiguration } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { usesOfExport } from "../export-uses.ts";
import { handlerUses, makersIn } from "../instance-makers.ts";
import { afterLastMember, objectIn, propertyNamed, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/** The package that reads sessions of the former library. */
export const BRIDGE = "@cardea/bridge-authjs";

/**
 * Keeps every user signed in, or says that they would not be: adds `extensions: [bridge({ accept: […] })]` to each configuration.
 *
 * 1. Once per configuration, even if several instances share it. A configuration that already uses `bridge` is not
 *    changed.
 * 2. A custom cookie name moves into `accept`: the bridge reads that cookie, and Cardea uses its default name; with several
 *    configurations a name of its own, because the name may be all that separates their sessions.
 * 3. A configuration that is not an object literal is reported, with the line to add. So is a function that gets one where it is not
 *    called.
 * 4. `getToken()` does not use a configuration, so it is given the same bridge, in front of parameters that are not written there.
 */
export function addBridge(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<ObjectLiteralExpression>();
  const calls = createAuthCalls(application);
  const isOne = isOneConfiguration(application, calls);
  nameWithout(draft, application, calls);
  for (const call of calls) {
    const literals = configurationOf(application, call);
    const target = targetOf(literals);
    if (target === undefined) continue;
    if (seen.has(target) || literals.some(isBridged)) continue;
    seen.add(target);
    for (const literal of literals) nameTokenFormat(draft, application, literal);
    const cookie = literals.flatMap(cookieNameOf)[0];
    addTo(draft, application, target, cookie, isOne);
  }
  return draft;
}

/** Reports configurations that are not found or cannot be read. The package is installed for the edit. */
function nameWithout(draft: Draft, application: Application, calls: readonly CallExpression[]): void {
  const line = `add \`extensions: [bridge({ accept: ["${application.former}"] })]\` to`;
  const how = `${line} the configuration, with \`bridge\` from ${BRIDGE}; otherwise all users are signed out`;
  if (calls.length === 0 && makersIn(application).length > 0) {
    draft.note("left", "/package.json", "no call of `createAuth()` was found, so the bridge was not added", how);
    draft.added.add(BRIDGE);
  }
  for (const use of handlerUses(application)) {
    const parent = use.getParent();
    if (callBy(use) !== undefined || Node.isTypeQuery(parent) || Node.isExportAssignment(parent)) continue;
    draft.note("left", use, "no call of `Auth()` was found, so the bridge was not added", how);
    draft.added.add(BRIDGE);
  }
  for (const call of calls) {
    if (targetOf(configurationOf(application, call)) !== undefined) continue;
    const here = `${line} this configuration, with \`bridge\` from ${BRIDGE}`;
    draft.note("left", call, "the bridge could not be added", here);
    draft.added.add(BRIDGE);
  }
}

/** What `addBridge()` left, in an application that was moved before. */
export function nameUnbridged(draft: Draft, application: Application): void {
  const calls = createAuthCalls(application);
  const all = calls.map((call) => configurationOf(application, call));
  const read = all.flat();
  const isElsewhere = usesOfExport(application, { from: [BRIDGE], names: ["bridge"] }).some(
    (use) => !use.getAncestors().some((one) => read.some((literal) => literal === one) || isTokenCall(one)),
  );
  if (!isElsewhere) nameWithout(draft, application, calls);
  for (const literals of all.filter((one) => one.some(isBridged))) {
    for (const literal of literals) nameTokenFormat(draft, application, literal);
    const accepted = literals.map((literal) => valueNamed(literal, "extensions")?.getText() ?? "").join();
    const cookie = literals.flatMap(cookieNameOf)[0];
    if (cookie !== undefined && !/\bcookie\b/.test(accepted)) nameHiddenCookie(draft, application, cookie);
    const given = Node.isPropertyAssignment(cookie) ? cookie.getInitializer()?.getText() : undefined;
    if (cookie !== undefined && given !== undefined && accepted.includes(`cookie: ${given}`))
      draft.note("left", cookie, SAME_COOKIE, OTHER_COOKIE);
  }
}

/** `getToken({ extensions: [bridge(…)] })`. */
function isTokenCall(node: Node): boolean {
  return Node.isCallExpression(node) && /\bgetToken$/.test(node.getExpression().getText());
}

/** The literal that gets the bridge: the one with the cookies, whose name it accepts, or the innermost, which several calls may share. */
function targetOf(literals: readonly ObjectLiteralExpression[]): ObjectLiteralExpression | undefined {
  const isAlways = (literal: ObjectLiteralExpression) =>
    literal.getFirstAncestor(Node.isConditionalExpression) === undefined;
  const always = literals.filter(isAlways);
  return always.find((literal) => propertyNamed(literal, "cookies")) ?? always.at(-1) ?? literals[0];
}

/**
 * Sessions may be made by functions of `jwt`, and in NextAuth v4 with a secret of it. The bridge reads the standard format only, and new
 * sessions go through the functions as well.
 */
function nameTokenFormat(draft: Draft, { former }: Application, literal: ObjectLiteralExpression): void {
  const jwt = propertyNamed(literal, "jwt");
  const object = objectIn(valueNamed(literal, "jwt"));
  if (jwt === undefined) return;
  const members = object?.getProperties() ?? [jwt];
  for (const member of members) {
    const name = "getName" in member ? member.getName() : "";
    const isFormat =
      former === "nextauth-v4" ? /^["']?(?:secret|encode|decode)["']?$/ : /^["']?(?:encode|decode)["']?$/;
    if (object !== undefined && !isFormat.test(name) && !Node.isSpreadAssignment(member)) continue;
    draft.note(
      "left",
      member,
      `sessions of ${former === "nextauth-v4" ? "NextAuth v4" : "Auth.js v5"} may not be readable because of \`${object === undefined || name === "" ? "jwt" : `jwt.${name}`}\``,
      former === "nextauth-v4"
        ? "`jwt.secret` is not an option: use `secret`, with the former secret as a further one; the parameters of `encode` and `decode` have changed (docs/from-nextauth.md)"
        : "the bridge reads tokens that Auth.js itself made; users whose sessions your function made sign in again",
    );
  }
}

/** Whether a configuration, or the parameters of `getToken()`, use the bridge. */
export function isBridged(literal: ObjectLiteralExpression): boolean {
  return valueNamed(literal, "extensions")?.getText().includes("bridge(") === true;
}

function addTo(
  draft: Draft,
  { former }: Application,
  target: ObjectLiteralExpression,
  cookie: ObjectLiteralElementLike | undefined,
  isOne: boolean,
): void {
  const file = target.getSourceFile();
  const { quote } = styleOf(file.getFullText());
  const format = `${quote}${former}${quote}`;
  const isHere =
    Node.isPropertyAssignment(cookie) && /^["']?name["']?$/.test(cookie.getName()) && cookie.getSourceFile() === file;
  const accepted = isHere ? `{ format: ${format}, cookie: ${cookie.getInitializerOrThrow().getText()} }` : format;
  const given = valueNamed(target, "extensions");
  if (Node.isArrayLiteralExpression(given)) {
    const lead = given.getElements().length > 0 ? ", " : "";
    draft.insert(file, given.getEnd() - 1, `${lead}bridge({ accept: [${accepted}] })`);
  } else {
    const { at, text } = afterLastMember(target, `extensions: [bridge({ accept: [${accepted}] })]`);
    draft.insert(file, at, text);
  }
  draft.import(file, BRIDGE, "bridge");
  draft.added.add(BRIDGE);
  const isKept = cookie === undefined || isHere;
  draft.note("changed", target, `the bridge accepts sessions of ${former}${isKept ? ", so users stay signed in" : ""}`);
  if (cookie === undefined) return;
  if (isHere && !isOne) renameCookie(draft, cookie);
  else if (isHere) removeName(draft, cookie);
  else nameHiddenCookie(draft, { former }, cookie);
}

function nameHiddenCookie(draft: Draft, { former }: Pick<Application, "former">, cookie: Node): void {
  draft.note(
    "left",
    cookie,
    "the session cookie may have a custom name, with which users are signed out",
    `move the name into the bridge: \`{ format: "${former}", cookie: … }\``,
  );
}

/** The name of `cookies: { sessionToken: { name } }`, or the member that may contain it. */
function cookieNameOf(literal: ObjectLiteralExpression): readonly ObjectLiteralElementLike[] {
  const path = ["cookies", "sessionToken", "name"];
  let object: ObjectLiteralExpression | undefined = literal;
  for (const name of path) {
    const member: ObjectLiteralElementLike | undefined = propertyNamed(object, name);
    // Spreads of the configuration itself are read by `configurationOf()`.
    if (member === undefined) return object === literal ? [] : object.getProperties().filter(Node.isSpreadAssignment);
    if (name === "name") return [member];
    object = objectIn(valueNamed(object, name));
    if (object === undefined) return [member];
  }
  return [];
}

const SAME_COOKIE = "the sessions of several configurations may differ by the name of their cookie alone";
const OTHER_COOKIE = "choose another name here: the bridge accepts the former cookie by this one";

/** The prefix stays, because browsers enforce it. */
function renameCookie(draft: Draft, cookie: PropertyAssignment): void {
  const given = cookie.getInitializerOrThrow();
  const name = Node.isStringLiteral(given) ? given.getLiteralValue() : undefined;
  const renamed = name?.replace(/^((?:__(?:Secure|Host)-)?)(?:(?:next-auth|authjs)\.)?/, "$1cardea.");
  if (renamed === undefined) {
    draft.note("left", cookie, SAME_COOKIE, OTHER_COOKIE);
    return;
  }
  const { quote } = styleOf(cookie.getSourceFile().getFullText());
  draft.replace(given, `${quote}${renamed}${quote}`);
  draft.note(
    "changed",
    cookie,
    "the custom cookie name moved into the bridge, and Cardea uses a name of its own",
    SAME_COOKIE,
  );
}

function removeName(draft: Draft, cookie: PropertyAssignment): void {
  const source = cookie.getSourceFile().getFullText();
  const after = /^\s*,?[ \t]*(?:\r?\n[ \t]*)?/.exec(source.slice(cookie.getEnd()))?.[0].length ?? 0;
  draft.edits.push({
    path: cookie.getSourceFile().getFilePath(),
    start: cookie.getStart(),
    end: cookie.getEnd() + after,
    text: "",
  });
  draft.note(
    "changed",
    cookie,
    "the custom cookie name moved into the bridge",
    "Cardea uses a separate cookie name, so that either library can be removed",
  );
}
