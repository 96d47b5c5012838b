import { Node, type ObjectLiteralExpression, type PropertyAssignment, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { makersIn } from "../instance-makers.ts";
import { afterLastMember, objectIn, optionsOf, propertyNamed, valueNamed } from "../object-literals.ts";
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
 * 4. `getToken()` does not use a configuration, so it is given the same bridge.
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
    const cookie = literals.flatMap(cookieNameOf)[0];
    addTo(draft, application, target, cookie);
  }
  return draft;
}

/** A call with a custom cookie or secret is not changed; `nameLeftovers` reports it. */
function bridgeTokens(draft: Draft, { former }: Application, file: SourceFile): void {
  const token = findImport(file, ["@cardea/next/jwt", "@cardea/core/jwt"], "getToken");
  for (const call of token === undefined ? [] : callsOf(file, token.local)) {
    const options = optionsOf(call);
    if (options === undefined || isBridged(options) || /\b(?:cookieName|salt|decode)\b/.test(options.getText()))
      continue;
    const { quote } = styleOf(file.getFullText());
    const { at, text } = afterLastMember(options, `extensions: [bridge({ accept: [${quote}${former}${quote}] })]`);
    draft.insert(file, at, text);
    draft.import(file, BRIDGE, "bridge");
    draft.added.add(BRIDGE);
    draft.note("changed", call, `\`getToken()\` reads sessions of ${former}`);
  }
}

function isBridged(literal: ObjectLiteralExpression): boolean {
  return valueNamed(literal, "extensions")?.getText().includes("bridge(") === true;
}

function addTo(
  draft: Draft,
  { former }: Application,
  target: ObjectLiteralExpression,
  cookie: PropertyAssignment | undefined,
): void {
  const file = target.getSourceFile();
  const { quote } = styleOf(file.getFullText());
  const format = `${quote}${former}${quote}`;
  const isHere = cookie?.getSourceFile() === file;
  const accepted =
    cookie !== undefined && isHere
      ? `{ format: ${format}, cookie: ${cookie.getInitializerOrThrow().getText()} }`
      : format;
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
  draft.note("changed", target, `the bridge accepts sessions of ${former}, so users stay signed in`);
  if (cookie === undefined) return;
  if (isHere) removeName(draft, cookie);
  else
    draft.note(
      "left",
      cookie,
      "custom name of the session cookie",
      `move it into the bridge: \`{ format: "${former}", cookie: … }\``,
    );
}

/** `cookies: { sessionToken: { name } }`. */
function cookieNameOf(literal: ObjectLiteralExpression): readonly PropertyAssignment[] {
  const cookies = objectIn(valueNamed(literal, "cookies"));
  const token = cookies === undefined ? undefined : objectIn(valueNamed(cookies, "sessionToken"));
  const name = token === undefined ? undefined : propertyNamed(token, "name");
  return Node.isPropertyAssignment(name) ? [name] : [];
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
