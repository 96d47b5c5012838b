import { Node, type ObjectLiteralExpression } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { afterLastMember, objectIn, valueNamed } from "../object-literals.ts";

/** `session.user.id`, `session?.user?.id`, `data.user.id`. */
const READS_ID = /\b(?:session|data|auth|req\.auth)\??\.user\??\.id\b/;

/** Sets the id, or another object as the user. */
const SETS_ID = /\bid\b|\buser:\s*\w+[,\s}]|\.user\s*=\s*\w/;

/**
 * `session.user` has name, e-mail and image. Where the application reads `session.user.id`, and has no `callbacks.session` that
 * could add it, the callback is added: the user's id with sessions in a database, else the token's subject.
 */
export function keepSessionUserId(application: Application): Draft {
  const draft = new Draft();
  const reader = application.project.getSourceFiles().find((file) => READS_ID.test(file.getFullText()));
  if (reader === undefined) return draft;
  const instances = createAuthCalls(application).map((call) => configurationOf(application, call));
  const main =
    instances.find((literals) => literals.some((literal) => valueNamed(literal, "adapter") !== undefined)) ??
    instances[0];
  if (main === undefined) return draft;
  const callback = main.map(sessionCallback).find((value) => value !== undefined);
  const [target] = main;
  if (callback !== undefined || target === undefined) {
    if (callback !== undefined && !SETS_ID.test(callback.getText())) {
      draft.note(
        "left",
        callback,
        "`session.user.id` is read, and this callback does not set it",
        "add `session.user.id = token.sub`, or `user.id` with sessions in a database",
      );
    }
    return draft;
  }
  const isDatabase = main.some((literal) => valueNamed(literal, "adapter") !== undefined) && !main.some(isJwt);
  const source = isDatabase ? "user" : "token";
  const id = isDatabase ? "user.id" : 'token.sub ?? ""';
  const line = `session: ({ session, ${source} }) => ({ ...session, user: { ...session.user, id: ${id} } })`;
  const callbacks = main
    .map((literal) => objectIn(valueNamed(literal, "callbacks")))
    .find((value) => value !== undefined);
  const { at, text } =
    callbacks === undefined ? afterLastMember(target, `callbacks: { ${line} }`) : afterLastMember(callbacks, line);
  draft.insert((callbacks ?? target).getSourceFile(), at, text);
  draft.note(
    "changed",
    target,
    "`callbacks.session` adds `session.user.id`",
    `which ${reader.getFilePath().slice(1)} reads`,
  );
  return draft;
}

function sessionCallback(literal: ObjectLiteralExpression): Node | undefined {
  const callbacks = objectIn(valueNamed(literal, "callbacks"));
  const value = callbacks === undefined ? undefined : valueNamed(callbacks, "session");
  const isSpread =
    callbacks?.getProperties().some(Node.isSpreadAssignment) === true ||
    valueNamed(literal, "callbacks")?.getKindName() === "Identifier";
  return value ?? (isSpread ? (callbacks ?? literal) : undefined);
}

function isJwt(literal: ObjectLiteralExpression): boolean {
  return /strategy:\s*["']jwt["']/.test(valueNamed(literal, "session")?.getText() ?? "");
}
