import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { resolveRedirect } from "../flows/redirect.ts";
import type { ActionContext } from "../model/context.ts";
import type { Factor } from "../model/session-facts.ts";
import { type Bound, ownsAction } from "./bind.ts";
import { findSession } from "./request-session.ts";

/**
 * Asks every extension whether the session of a request, checked without caches, may change its user's sign-in methods. The first
 * challenge wins. An undocumented answer, or an ended session, redirects to the sign-in page.
 *
 * @param id Id of the extension that makes the change.
 * @returns null if the change is allowed; otherwise the URL where the user gives a proof first.
 * @throws errors of extensions; SessionUnavailable.
 */
export async function askChange(
  bound: Bound,
  context: ActionContext,
  id: string,
  to: string,
  given: readonly Factor[],
): Promise<string | null> {
  const callbackUrl = await resolveRedirect(context, to);
  const signIn = `${context.baseUrl}/signin?${new URLSearchParams({ callbackUrl })}`;
  const session = await findSession(bound, context, id, true);
  if (session === null) return signIn;
  for (const extension of bound.list) {
    if (extension.mayChange === undefined) continue;
    const tools = bound.toolsOf(context, extension);
    const asked = extension.mayChange(session, given, { callbackUrl }, tools);
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, asked);
    if (answer === true) continue;
    const ask: unknown = Object(answer).ask;
    const isOwn = typeof ask === "string" && ownsAction(extension, ask.split("?", 1)[0] ?? "");
    return isOwn ? `${context.baseUrl}/${ask}` : signIn;
  }
  return null;
}
