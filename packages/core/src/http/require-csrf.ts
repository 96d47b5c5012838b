import { warnOnce } from "../log/warn-once.ts";
import type { ActionContext } from "../model/context.ts";
import { MissingCSRF } from "../model/errors.ts";
import { checkRequestSource } from "../protocol/csrf-token.ts";
import { isCsrfToken } from "../sign-in/csrf.ts";

/**
 * Protects an action that changes state, if its route requires the token.
 *
 * 1. If the browser reports that a page of another origin sent the request, it is rejected, even with a valid token.
 * 2. Otherwise the body must contain the token in the encrypted cookie, which was created in the session of the request.
 *
 * @param others further origins whose pages may use the action.
 * @throws MissingCSRF.
 */
export async function requireCsrf(context: ActionContext, others: readonly string[]): Promise<void> {
  const { headers } = context.request;
  const origin = headers.get("origin");
  const source = checkRequestSource(headers, context.origin, others);
  if (source === "cross-site") throw new MissingCSRF(foreignMessage(origin, context), source);
  if (source === "unknown" && origin !== null) warnOfHiddenOrigin(context);
  if (await isCsrfToken(context, context.request.body.get("csrfToken"))) return;
  const message =
    "`csrfToken` or its cookie is missing, invalid or expired. The form was open for too long, or cookies are blocked.";
  throw new MissingCSRF(message, "stale");
}

/** Names both origins: in development the usual reason is that the page and the server have different ones. */
function foreignMessage(origin: string | null, { origin: own, config, request }: ActionContext): string {
  const page =
    origin === null || origin === "null" ? "a page that hides its origin" : `a page of ${origin.slice(0, 300)}`;
  const listed = origin !== null && config.origins.includes(origin);
  const remedy = listed
    ? `${request.url.pathname} is not open to pages of \`origins\`.`
    : "If that page is yours, see docs/single-page-applications.md.";
  return `The form was sent by ${page}, but this application is at ${own}. ${remedy}`;
}

function warnOfHiddenOrigin(context: ActionContext): void {
  warnOnce(
    context,
    "hidden-origin: a form was sent with `Origin: null` over http, so only its CSRF token could be checked. Serve the application over https, or set its `Referrer-Policy` to `same-origin` instead of `no-referrer`.",
  );
}
