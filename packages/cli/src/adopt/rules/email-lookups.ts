import { type Node, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { objectIn, valueNamed } from "../object-literals.ts";

/** Function names and query forms that find a user by e-mail address. */
const BY_EMAIL =
  /ByEmail\b|find(?:Unique|First|One)?(?:OrThrow)?\(\s*\{(?:\s*where\s*:\s*\{)?\s*["']?email\b|\beq\(\s*\w+\.email\b|\.where\(\s*["']email["']/i;

/**
 * Reports each lookup of a user by e-mail address in `callbacks.jwt` and `callbacks.session`. An address can later
 * belong to another user; `token.sub` and the account cannot. Changes nothing.
 */
export function nameEmailLookups(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<string>();
  for (const call of createAuthCalls(application)) {
    for (const literal of configurationOf(application, call)) {
      const callbacks = objectIn(valueNamed(literal, "callbacks"));
      for (const name of ["jwt", "session"]) {
        const callback = callbacks === undefined ? undefined : valueNamed(callbacks, name);
        for (const found of callback?.getDescendantsOfKind(SyntaxKind.CallExpression) ?? []) {
          const key = `${found.getSourceFile().getFilePath()}:${found.getStart()}`;
          const isInnermost = !found
            .getArguments()
            .some((argument) =>
              argument.getDescendantsOfKind(SyntaxKind.CallExpression).some((inner) => BY_EMAIL.test(inner.getText())),
            );
          if (seen.has(key) || !isInnermost || !BY_EMAIL.test(textOfCall(found))) continue;
          seen.add(key);
          draft.note(
            "look",
            found,
            `\`callbacks.${name}\` looks up a user by e-mail address`,
            "look up the user by `token.sub` or by account, because an address can later belong to another user",
          );
        }
      }
    }
  }
  return draft;
}

/** The call itself, without chained calls. */
function textOfCall(call: Node): string {
  return call.getText().slice(0, 400);
}
