import type { ObjectLiteralExpression } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";

/** Names each configuration whose users would have to sign in again, once where several instances share one. Changes nothing. */
export function nameFormerSessions(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<ObjectLiteralExpression>();
  for (const call of createAuthCalls(application)) {
    const literals = configurationOf(application, call);
    if (literals.some((literal) => seen.has(literal))) continue;
    for (const literal of literals) seen.add(literal);
    draft.note(
      "look",
      literals.at(-1) ?? call,
      "users sign in again, unless this configuration accepts their former sessions",
      "docs/from-authjs.md#sessions-that-go-on has the code that does",
    );
  }
  return draft;
}
