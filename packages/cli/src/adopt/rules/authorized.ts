import { Node, type Statement } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { objectIn, valueNamed } from "../object-literals.ts";
import { styleOf } from "../source-style.ts";

/**
 * `callbacks.authorized` that returns nothing let a request go on, and denies it now. Where the end of the function can be reached,
 * `return true` is added: the application lets in whom it let in before.
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
        "`authorized` ends with `return true`",
        "returning nothing let the request go on, and denies it now: check that this is meant",
      );
    }
  }
  return draft;
}

/** Whether no path leads past a statement. */
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
