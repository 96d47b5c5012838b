import { Node } from "ts-morph";
import type { Application } from "../application.ts";
import { Draft } from "../draft.ts";
import { callsOf, findImport } from "../former-import.ts";
import { dropNames } from "./imports.ts";

/**
 * Client calls with a different result or name:
 *
 * 1. `getProviders()` resolves to an array. It is converted to the former shape, an object by id, at each call.
 * 2. `signIn("passkey")` of `next-auth/webauthn` is `signInWithPasskey()`, with `action: "register"` it is `registerPasskey()`.
 */
export function moveClientCalls({ project }: Application): Draft {
  const draft = new Draft();
  for (const file of project.getSourceFiles()) {
    const providers = findImport(file, ["next-auth/react", "@cardea/next/react"], "getProviders");
    for (const call of providers === undefined ? [] : callsOf(file, providers.local)) {
      if (call.getFirstAncestor((node) => node.getText().startsWith("Object.fromEntries")) !== undefined) continue;
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
