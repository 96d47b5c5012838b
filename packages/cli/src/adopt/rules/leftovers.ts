import { Node, type ObjectLiteralExpression, SyntaxKind } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls, valueNamedBy } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { usesOfExport } from "../export-uses.ts";
import { nameOf, objectIn, valueNamed } from "../object-literals.ts";

/** A complete cookie name, or the common prefix of the names. */
const COOKIE =
  /(?:next-auth|authjs)\.(?:session-token|csrf-token|callback-url)|^(?:__(?:Host|Secure)-)?(?:next-auth|authjs)\.$/;

/** A cookie's name may be the rest of a template, behind its prefix. */
const TEXTS = [
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
] as const;

const MOVE_NAME =
  "remove it here, and move it into the bridge: `{ format: …, cookie: … }`, which keeps users signed in";

/** `sessionToken: { name: … }`, the option of a configuration. */
function isConfigured(literal: Node): boolean {
  return literal.getAncestors().some((node) => Node.isPropertyAssignment(node) && node.getName() === "sessionToken");
}

/**
 * Reports code that works in most applications but needs review:
 *
 * 1. Code that reads the former cookie by name, and options that set it: new sessions use another name.
 * 2. `callbacks.redirect` that names a scheme other than http(s), which needs an option.
 * 3. `getSession({ req })`, `getSession(context)` and `getCsrfToken(context)` from the browser package on a server.
 */
export function nameLeftovers(application: Application): Draft {
  const { project } = application;
  const draft = new Draft();
  for (const call of createAuthCalls(application))
    for (const literal of configurationOf(application, call)) nameRedirectSchemes(draft, application, literal);
  for (const file of project.getSourceFiles()) {
    const isPossible = /(?:next-auth|authjs)\./.test(file.getFullText());
    for (const literal of !isPossible ? [] : TEXTS.flatMap((kind) => file.getDescendantsOfKind(kind))) {
      if (
        !COOKIE.test(literal.getLiteralText()) ||
        literal.getFirstAncestor((node) => /^\{\s*format:/.test(node.getText())) !== undefined
      )
        continue;
      if (isConfigured(literal))
        draft.note("left", literal, "a configuration has the name of a former cookie", MOVE_NAME);
      else
        draft.note(
          "left",
          literal,
          "name of a former cookie",
          "call `auth()` instead of reading the cookie; its name is now `cardea.session-token`, with the prefix `__Host-` on https",
        );
    }
  }
  for (const [given] of clientCalls(application, "getSession")) {
    if (given === undefined || isForBrowser(given)) continue;
    const how = "call `auth(req, res)`, or `auth(context)` in `getServerSideProps`";
    draft.note("left", given, "`getSession()` of the browser with the request of a server", how);
  }
  for (const [given] of clientCalls(application, "getCsrfToken")) {
    const how = "call `getCsrfToken()` in the browser, or call `signIn()` in a server action, which needs no token";
    if (given !== undefined) draft.note("left", given, "`getCsrfToken(context)` on a server", how);
  }
  return draft;
}

/** The arguments of each call of a function of the browser package. */
function clientCalls(application: Application, name: string): readonly (readonly Node[])[] {
  return usesOfExport(application, { from: ["@cardea/next/react"], names: [name] }).flatMap((use) => {
    const call = use.getParent();
    return Node.isCallExpression(call) && call.getExpression() === use ? [call.getArguments()] : [];
  });
}

/** Whether the parameters of `getSession()` are those for browsers; any other ones, such as a context, may have the request of a server. */
function isForBrowser(given: Node): boolean {
  const members = objectIn(given)?.getProperties().map(nameOf);
  return members?.every((name) => name !== undefined && /^(?:event|triggerEvent|broadcast)$/.test(name)) === true;
}

/** The scheme at the start of a text: `myapp://x`, `myapp:`. */
const SCHEME = /^(?!https?:)([a-z][a-z\d+.-]*):/;

function nameRedirectSchemes(draft: Draft, application: Application, literal: ObjectLiteralExpression): void {
  const callbacks = objectIn(valueNamed(literal, "callbacks"));
  const given = callbacks && valueNamed(callbacks, "redirect");
  const redirect = Node.isIdentifier(given) ? valueNamedBy(application, given.getSourceFile(), given.getText()) : given;
  for (const text of redirect === undefined ? [] : TEXTS.flatMap((kind) => redirect.getDescendantsOfKind(kind))) {
    const scheme = SCHEME.exec(text.getLiteralText())?.[1];
    if (scheme === undefined) continue;
    const what = `\`callbacks.redirect\` names the scheme \`${scheme}\``;
    draft.note(
      "left",
      text,
      what,
      `add \`redirectSchemes: ["${scheme}"]\` to the configuration; otherwise the base URL is used`,
    );
  }
}
