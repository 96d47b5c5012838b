import { Node, type ObjectLiteralExpression } from "ts-morph";
import type { Application } from "../application.ts";
import { configurationOf, createAuthCalls } from "../configuration.ts";
import { Draft } from "../draft.ts";
import { afterLastMember, objectIn, propertyNamed, valueNamed } from "../object-literals.ts";

const LIFETIMES = ["maxAge", "updateAge"];

/** Numbers and arithmetic, which mean the same in every file. */
const ARITHMETIC = /^[\d_.\s*+()]+$/;

/**
 * `withAuth` of NextAuth v4 only read sessions. An instance for middleware also renews them, so that it needs the
 * lifetime of the application's sessions: with the default, seven days would become thirty.
 *
 * 1. `maxAge` and `updateAge` of `session` are repeated in instances without providers, if they are written as numbers.
 * 2. Anything else is reported.
 */
export function shareSessionLifetime(application: Application): Draft {
  const draft = new Draft();
  if (application.former !== "nextauth-v4") return draft;
  const sessions = createAuthCalls(application).map((call) => {
    const literals = configurationOf(application, call);
    const providers = literals.map((literal) => valueNamed(literal, "providers"));
    const isEmpty = providers.some((list) => Node.isArrayLiteralExpression(list) && list.getElements().length === 0);
    return { isEmpty, session: literals.map((literal) => objectIn(valueNamed(literal, "session"))).find(Boolean) };
  });
  const own = sessions.find(({ isEmpty, session }) => !isEmpty && session !== undefined)?.session;
  if (own === undefined) return draft;
  for (const { isEmpty, session } of sessions) if (isEmpty && session !== undefined) share(draft, own, session);
  return draft;
}

function share(draft: Draft, own: ObjectLiteralExpression, target: ObjectLiteralExpression): void {
  const names = LIFETIMES.filter((name) => propertyNamed(own, name) && !propertyNamed(target, name));
  const members = names.map((name) => ({ name, text: valueNamed(own, name)?.getText() ?? "" }));
  const known = members.filter(({ text }) => ARITHMETIC.test(text));
  for (const { name } of members.filter((member) => !known.includes(member))) {
    draft.note("left", target, "middleware renews sessions", `repeat \`session.${name}\` of the application here`);
  }
  if (known.length === 0) return;
  const { at, text } = afterLastMember(target, known.map((member) => `${member.name}: ${member.text}`).join(", "));
  draft.insert(target.getSourceFile(), at, text);
  draft.note("changed", target, "sessions that middleware renews keep the application's lifetime");
}
