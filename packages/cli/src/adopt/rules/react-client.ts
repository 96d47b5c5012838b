import { Node, type SourceFile } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { exportsOf, usesOfExport } from "../export-uses.ts";
import { callsOf, findImport, topStatement } from "../former-import.ts";
import { usesOfDeclared } from "../identifiers.ts";
import { dropNames } from "./imports.ts";

/**
 * Client calls with a different result or name:
 *
 * 1. `getProviders()` resolves to an array. It is converted to the former shape, an object by id, at each call. On a server, where it asked
 *    the application itself by HTTP, it fails: such a call is left and named, and so is a use that is not a call.
 * 2. `signIn("passkey")` of `next-auth/webauthn` is `signInWithPasskey()`, with `action: "register"` it is `registerPasskey()`; another
 *    provider is an option.
 */
export function moveClientCalls(application: Application): Draft {
  const draft = new Draft();
  const uses = usesOfExport(application, { from: ["next-auth/react", "@cardea/next/react"], names: ["getProviders"] });
  for (const use of uses) moveProviders(draft, application, use);
  for (const file of application.project.getSourceFiles()) {
    const passkeys = findImport(file, ["next-auth/webauthn"], "signIn");
    for (const call of passkeys === undefined ? [] : callsOf(file, passkeys.local)) {
      const [provider, options] = call.getArguments();
      if (/\baction\b(?!\s*:\s*["'](?:register|authenticate)["'])/.test(options?.getText() ?? "")) {
        draft.note(
          "left",
          call,
          "`action` of a passkey call is not a text",
          "call `registerPasskey()` or `signInWithPasskey()`",
        );
        continue;
      }
      const isRegistering = /action:\s*["']register["']/.test(options?.getText() ?? "");
      const name = isRegistering ? "registerPasskey" : "signInWithPasskey";
      draft.replace(call, `${name}(${passkeyOptions(provider, options)})`);
      draft.import(file, "@cardea/next/react", name);
      draft.note("changed", call, `\`signIn("passkey")\` → \`${name}()\``);
    }
    if (passkeys?.declaration !== undefined) dropNames(draft, passkeys.declaration, ["signIn"]);
  }
  return draft;
}

/** The provider, unless it is the default, and the options without the action, which the name of the function says. */
function passkeyOptions(provider: Node | undefined, options: Node | undefined): string {
  const isDefault = provider === undefined || /^["'`]passkey["'`]$/.test(provider.getText());
  const own = isDefault ? [] : [`provider: ${provider.getText()}`];
  if (options === undefined) return own.length === 0 ? "" : `{ ${own[0]} }`;
  if (!Node.isObjectLiteralExpression(options))
    return isDefault ? options.getText() : `{ ${own[0]}, ...${options.getText()} }`;
  const members = options.getProperties().filter((one) => !/^["']?action["']?\s*:/.test(one.getText()));
  const all = [...own, ...members.map((one) => one.getText())];
  return all.length === 0 ? "" : `{ ${all.join(", ")} }`;
}

function moveProviders(draft: Draft, application: Application, use: Node): void {
  const call = use.getParentOrThrow();
  if (Node.isTypeQuery(call) || Node.isExportAssignment(call)) return;
  if (!Node.isCallExpression(call) || call.getExpression() !== use) {
    draft.note("left", use, "`getProviders` is passed on", "it resolves to an array, no longer to an object by id");
    return;
  }
  if (call.getFirstAncestor((node) => node.getText().startsWith("Object.fromEntries")) !== undefined) return;
  if (isOnServer(application, call)) {
    const how = "list the `providers` of the configuration: it asks from a browser only";
    draft.note("left", call, "`getProviders()` on a server", how);
    return;
  }
  const awaited = call.getParent();
  const convert = ".then((list) => Object.fromEntries(list.map((provider) => [provider.id, provider])))";
  if (Node.isAwaitExpression(awaited))
    draft.replace(awaited, `Object.fromEntries((${awaited.getText()}).map((provider) => [provider.id, provider]))`);
  else draft.insert(call.getSourceFile(), call.getEnd(), convert);
  draft.note("changed", call, "`getProviders()` now resolves to an array: converted to the former object by id");
}

/** A longer chain of functions is a cycle. */
const MAX_CALLS = 6;

/** Files of routes, of middleware, and of code for servers alone. */
const SERVER_FILE = /\/(?:route|middleware|proxy|instrumentation)\.\w+$|\/pages\/api\//;
const SERVER_ONLY = /^\s*["']use server["']|\bimport\s*["']server-only["']/m;

/**
 * Whether a call is in an async component, which only servers render, in a function that prepares the props of a page, in a file for
 * servers alone, or in a function that such code uses.
 */
function isOnServer(application: Application, call: Node, depth = 0): boolean {
  const file = call.getSourceFile();
  const source = file.getFullText();
  if (depth > MAX_CALLS || /^\s*(?:(?:\/\/.*|\/\*[\s\S]*?\*\/)\s*)*["']use client["']/.test(source)) return false;
  if (SERVER_FILE.test(file.getFilePath()) || SERVER_ONLY.test(source)) return true;
  const statement = topStatement(call);
  const text = statement.getText();
  if (/^export\b[^=({]*\bget(?:ServerSide|Static|Initial)Props\b/.test(text)) return true;
  if (/^export\s+default\s+async\b/.test(text)) return true;
  const name = nameOfFunction(statement);
  const exported = name && namesOf(file, statement, name.getText());
  const isComponent = exported?.includes("default") || /^[A-Z]/.test(name?.getText() ?? "");
  if (isComponent && ASYNC.test(text)) return true;
  const uses =
    name === undefined
      ? []
      : [...usesOfDeclared(name), ...usesOfExport(application, { from: file, names: exported ?? [] })];
  return uses.some((use) => topStatement(use) !== statement && isOnServer(application, use, depth + 1));
}

/** An async function, or a constant that is one. */
const ASYNC = /^(?:export\s+)?(?:async\b|(?:const|let|var)\s+\w+[^=]*=\s*async\b)/;

/** The name of a function, or of the only constant, that a statement declares. */
function nameOfFunction(statement: Node): Node | undefined {
  if (Node.isFunctionDeclaration(statement)) return statement.getNameNode();
  const [declaration, ...others] = Node.isVariableStatement(statement) ? statement.getDeclarations() : [];
  return others.length === 0 ? declaration?.getNameNode() : undefined;
}

function namesOf(file: SourceFile, statement: Node, name: string): readonly string[] {
  const own = /^export\s+default\b/.test(statement.getText()) ? "default" : name;
  return [...(/^export\b/.test(statement.getText()) ? [own] : []), ...exportsOf(file, name)];
}
