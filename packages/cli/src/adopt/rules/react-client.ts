import { Node } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport, topStatement } from "../former-import.ts";
import { dropNames } from "./imports.ts";

/**
 * Client calls with a different result or name:
 *
 * 1. `getProviders()` resolves to an array. It is converted to the former shape, an object by id, at each call. On a server, where it asked
 *    the application itself by HTTP, it fails: such a call is left and named.
 * 2. `signIn("passkey")` of `next-auth/webauthn` is `signInWithPasskey()`, with `action: "register"` it is `registerPasskey()`.
 */
export function moveClientCalls({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    const providers = findImport(file, ["next-auth/react", "@cardea/next/react"], "getProviders");
    for (const call of providers === undefined ? [] : callsOf(file, providers.local)) {
      if (call.getFirstAncestor((node) => node.getText().startsWith("Object.fromEntries")) !== undefined) continue;
      if (isOnServer(call)) {
        draft.note(
          "left",
          call,
          "`getProviders()` on a server",
          "list the `providers` of the configuration: it asks from a browser only",
        );
        continue;
      }
      const awaited = call.getParent();
      if (Node.isAwaitExpression(awaited))
        draft.replace(awaited, `Object.fromEntries((${awaited.getText()}).map((provider) => [provider.id, provider]))`);
      else
        draft.insert(
          file,
          call.getEnd(),
          ".then((list) => Object.fromEntries(list.map((provider) => [provider.id, provider])))",
        );
      draft.note("changed", call, "`getProviders()` now resolves to an array: converted to the former object by id");
    }
    const passkeys = findImport(file, ["next-auth/webauthn"], "signIn");
    for (const call of passkeys === undefined ? [] : callsOf(file, passkeys.local)) {
      const [, options] = call.getArguments();
      const name = /action:\s*["']register["']/.test(options?.getText() ?? "")
        ? "registerPasskey"
        : "signInWithPasskey";
      draft.replace(call, `${name}(${name === "registerPasskey" ? "" : (options?.getText() ?? "")})`);
      draft.import(file, "@cardea/next/react", name);
      draft.note("changed", call, `\`signIn("passkey")\` → \`${name}()\``);
    }
    if (passkeys?.declaration !== undefined) dropNames(draft, passkeys.declaration, ["signIn"]);
  }
  return draft;
}

/** Whether a call is in an async component, which only servers render, or in a function that prepares the props of a page. */
function isOnServer(call: Node): boolean {
  if (/^\s*(?:(?:\/\/.*|\/\*[\s\S]*?\*\/)\s*)*["']use client["']/.test(call.getSourceFile().getFullText()))
    return false;
  const text = topStatement(call).getText();
  if (/^export\b[^=({]*\bget(?:ServerSide|Static|Initial)Props\b/.test(text)) return true;
  if (/^export\s+default\s+async\b/.test(text)) return true;
  const [, name = /^(?:const|let|var)\s+(\w+)[^=]*=\s*async\b/.exec(text)?.[1]] =
    /^async\s+function\s+(\w+)/.exec(text) ?? [];
  return (
    name !== undefined && new RegExp(`\\bexport\\s+default\\s+${name}\\b`).test(call.getSourceFile().getFullText())
  );
}
