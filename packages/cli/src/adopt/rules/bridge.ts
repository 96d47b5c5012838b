import {
  Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
  type PropertyAssignment,
  type SourceFile,
} from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { findImport } from "../former-import.ts";
import { usesOf } from "../identifiers.ts";
import { makersIn } from "../instance-makers.ts";
import { afterLastMember, objectIn, propertyNamed, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/** The package that reads sessions of the former library. */
export const BRIDGE = "@cardea/bridge-authjs";

/**
 * Keeps every user signed in, or says that they would not be: adds `extensions: [bridge({ accept: […] })]` to each configuration.
 *
 * 1. Once per configuration, even if several instances share it. A configuration that already uses `bridge` is not
 *    changed.
 * 2. A custom cookie name moves into `accept`: the bridge reads that cookie, and Cardea uses a separate name.
 * 3. A configuration that is not an object literal is reported, with the line to add.
 * 4. `getToken()` does not use a configuration, so it is given the same bridge, in front of parameters that are not written there.
 */
export function addBridge(application: Application): Draft {
  const draft = new Draft();
  for (const file of application.project.getSourceFiles()) bridgeTokens(draft, application, file);
  const seen = new Set<ObjectLiteralExpression>();
  const calls = createAuthCalls(application);
  const { project } = application;
  if (calls.length === 0 && project.getSourceFiles().some((file) => makersIn(application, file).size > 0)) {
    const how = `add \`extensions: [bridge({ accept: ["${application.former}"] })]\` to the configuration, with \`bridge\` from ${BRIDGE}; otherwise all users are signed out`;
    draft.note("left", "/package.json", "no call of `createAuth()` was found, so the bridge was not added", how);
  }
  for (const call of calls) {
    const literals = configurationOf(application, call);
    const target = literals.at(-1);
    if (target === undefined) {
      draft.note(
        "left",
        call,
        "the bridge could not be added",
        `add \`extensions: [bridge({ accept: ["${application.former}"] })]\` to this configuration, with \`bridge\` from ${BRIDGE}`,
      );
      continue;
    }
    if (literals.some((literal) => seen.has(literal) || isBridged(literal))) continue;
    seen.add(target);
    if (application.former === "nextauth-v4") for (const literal of literals) nameTokenFormat(draft, literal);
    const cookie = literals.flatMap(cookieNameOf)[0];
    addTo(draft, application, target, cookie);
  }
  return draft;
}

/**
 * NextAuth v4 could encrypt sessions with a secret or functions of `jwt`. The bridge reads its own format only, and new
 * sessions go through the functions as well.
 */
function nameTokenFormat(draft: Draft, literal: ObjectLiteralExpression): void {
  const jwt = propertyNamed(literal, "jwt");
  const object = objectIn(valueNamed(literal, "jwt"));
  if (jwt === undefined) return;
  const members = object?.getProperties() ?? [jwt];
  for (const member of members) {
    const name = "getName" in member ? member.getName() : "";
    if (object !== undefined && !/^["']?(?:secret|encode|decode)["']?$/.test(name) && !Node.isSpreadAssignment(member))
      continue;
    draft.note(
      "left",
      member,
      `sessions of NextAuth v4 may not be readable because of \`${object === undefined || name === "" ? "jwt" : `jwt.${name}`}\``,
      "`jwt.secret` is not an option: use `secret`, with the former secret as a further one; the parameters of `encode` and `decode` have changed (docs/from-nextauth.md)",
    );
  }
}

const TOKENS = ["@cardea/next/jwt", "@cardea/core/jwt"];

/** A call with a custom cookie or secret is not changed; `nameLeftovers` reports it. */
function bridgeTokens(draft: Draft, { former }: Application, file: SourceFile): void {
  const { quote } = styleOf(file.getFullText());
  const member = `extensions: [bridge({ accept: [${quote}${former}${quote}] })]`;
  for (const use of tokenUses(file)) {
    const call = use.getParent();
    const [given] = Node.isCallExpression(call) && call.getExpression() === use ? call.getArguments() : [];
    if (given === undefined || !Node.isCallExpression(call)) {
      draft.note(
        "left",
        use,
        `\`getToken()\` may not read sessions of ${former}`,
        `add \`${member}\` to its parameters`,
      );
      continue;
    }
    const options = objectIn(given);
    if (options !== undefined && (isBridged(options) || /\b(?:cookieName|salt|decode)\b/.test(options.getText())))
      continue;
    if (options === undefined) {
      draft.insert(file, given.getStart(), `{ ${member}, ...`);
      draft.insert(file, given.getEnd(), " }");
    } else {
      const { at, text } = afterLastMember(options, member);
      draft.insert(file, at, text);
    }
    draft.import(file, BRIDGE, "bridge");
    draft.added.add(BRIDGE);
    draft.note("changed", call, `\`getToken()\` reads sessions of ${former}`);
  }
}

/** Uses of `getToken`, and of a member of that name of the whole module. */
function tokenUses(file: SourceFile): readonly Node[] {
  const token = findImport(file, TOKENS, "getToken");
  const spaces = file
    .getImportDeclarations()
    .filter((one) => TOKENS.includes(one.getModuleSpecifierValue()))
    .flatMap((one) => one.getNamespaceImport()?.getText() ?? []);
  const members = spaces.flatMap((space) =>
    usesOf(file, space).flatMap((use) => {
      const access = use.getParent();
      return Node.isPropertyAccessExpression(access) && access.getName() === "getToken" ? [access] : [];
    }),
  );
  return [...(token === undefined ? [] : usesOf(file, token.local)), ...members];
}

function isBridged(literal: ObjectLiteralExpression): boolean {
  return valueNamed(literal, "extensions")?.getText().includes("bridge(") === true;
}

function addTo(
  draft: Draft,
  { former }: Application,
  target: ObjectLiteralExpression,
  cookie: ObjectLiteralElementLike | undefined,
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
  if (isHere) removeName(draft, cookie);
  else
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
