import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { csrfTokenForForm } from "../flows/csrf.ts";
import { resolveRedirect } from "../flows/redirect.ts";
import type { ActionContext } from "../model/context.ts";
import type { ActionRequest, ActionSpec, Extension } from "../model/extension.ts";
import type { AuthResult } from "../model/result.ts";
import { clearSessionCookies } from "../session/session-cookie.ts";
import type { Bound } from "./bind.ts";
import { findSession, renewSession } from "./request-session.ts";

/** Headers that carry who a browser is signed in as. */
const CREDENTIALS = ["cookie", "authorization"];

/**
 * Runs an action of an extension. A POST without a CSRF token is for programs: it gets no cookies and sets none.
 *
 * @throws what the action throws.
 */
export async function runAction(
  bound: Bound,
  given: ActionContext,
  extension: Extension,
  spec: ActionSpec,
): Promise<AuthResult> {
  const isForProgram = given.request.method === "POST" && spec.csrf === "none";
  const context = isForProgram ? withoutCookies(given) : given;
  const request = toRequest(bound, context, extension);
  const answer = await withTimeout(APPLICATION_TIMEOUT_MS, spec.run(request, bound.toolsOf(context, extension)));
  switch (answer.kind) {
    case "page":
      return {
        kind: "page",
        status: answer.status,
        page: { kind: "extension", title: answer.title, main: answer.main },
      };
    case "redirect":
      return { kind: "redirect", url: new URL(answer.url, context.origin).href };
    case "json":
    case "empty":
      return answer;
  }
}

/** What is set in this context goes nowhere. */
function withoutCookies(context: ActionContext): ActionContext {
  const headers = {
    get: (name: string) => (CREDENTIALS.includes(name.toLowerCase()) ? null : context.headers.get(name)),
  };
  const jar = { set: () => undefined, list: () => [] };
  return { ...context, headers, jar, received: new Map(), repeated: new Map() };
}

function toRequest(bound: Bound, context: ActionContext, extension: Extension): ActionRequest {
  const { request, query, providerId: segment } = context;
  return {
    method: request.method === "POST" ? "POST" : "GET",
    segment,
    query,
    body: request.body,
    wantsJson: wantsJson(context.headers),
    session: () => findSession(bound, context, extension.id),
    csrfToken: () => csrfTokenForForm(context),
    redirectTo: (url) => resolveRedirect(context, url),
    clearSession: () => clearSessionCookies(context),
    renewSession: (facts) => renewSession(context, facts),
  };
}

function wantsJson(headers: ActionContext["headers"]): boolean {
  return headers.get("x-auth-return-redirect") !== null || headers.get("accept")?.includes("text/html") !== true;
}
