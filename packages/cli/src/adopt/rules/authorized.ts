import { Node, type Statement } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { objectIn, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/**
 * A `callbacks.authorized` that returns nothing used to allow the request, and now denies it. If the end of the
 * function is reachable, `return true` is added to keep the former behaviour.
 */
export function completeAuthorized(application: Application): Draft {
  const draft = new Draft();
  const seen = new Set<Node>();
  for (const call of createAuthCalls(application)) {
    for (const literal of configurationOf(application, call)) {
      const callbacks = objectIn(valueNamed(literal, "callbacks"));
      const authorized = callbacks === undefined ? undefined : valueNamed(callbacks, "authorized");
      const body =
        Node.isArrowFunction(authorized) ||
        Node.isMethodDeclaration(authorized) ||
        Node.isFunctionExpression(authorized)
          ? authorized.getBody()
          : undefined;
      if (!Node.isBlock(body) || seen.has(body)) continue;
      seen.add(body);
      const last = body.getStatements().at(-1);
      if (last === undefined || endsHere(last)) continue;
      const { eol, semicolon } = styleOf(body.getSourceFile().getFullText());
      const source = body.getSourceFile().getFullText();
      const blanks = source.slice(source.lastIndexOf("\n", last.getStart()) + 1, last.getStart());
      draft.insert(
        body.getSourceFile(),
        last.getEnd(),
        `${eol}${/^\s*$/.test(blanks) ? blanks : " "}return true${semicolon}`,
      );
      draft.note(
        "changed",
        last,
        "added `return true` at the end of `authorized`",
        "a function that returns nothing used to allow the request and now denies it; check that allowing it is intended",
      );
    }
  }
  return draft;
}

/** Whether control flow never continues after a statement. */
function endsHere(statement: Statement | Node): boolean {
  if (Node.isReturnStatement(statement) || Node.isThrowStatement(statement)) return true;
  if (Node.isBlock(statement)) {
    const last = statement.getStatements().at(-1);
    return last !== undefined && endsHere(last);
  }
  if (Node.isIfStatement(statement)) {
    const otherwise = statement.getElseStatement();
    return otherwise !== undefined && endsHere(statement.getThenStatement()) && endsHere(otherwise);
  }
  if (Node.isTryStatement(statement)) {
    const caught = statement.getCatchClause()?.getBlock();
    return endsHere(statement.getTryBlock()) && (caught === undefined || endsHere(caught));
  }
  return false;
}
