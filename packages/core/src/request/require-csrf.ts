import { hasCsrfToken, needsCsrfToken, type Route } from "../actions/index.ts";
import type { ActionContext } from "../model/context.ts";
import { MissingCSRF } from "../model/errors.ts";
import { judgeRequestSource } from "../protocol/csrf-token.ts";

/**
 * Guards an action that changes state (contract 3, spec 5.5).
 *
 * 1. Sent by a page of another site, as the browser says itself: refused whatever its token (safety H005).
 * 2. Otherwise the body must hold the token of the sealed cookie.
 *
 * @throws MissingCSRF.
 */
export async function requireCsrf(route: Route, context: ActionContext): Promise<void> {
  if (!needsCsrfToken(route, context)) return;
  const { headers } = context.request;
  const facts = { origin: headers.get("origin"), secFetchSite: headers.get("sec-fetch-site") };
  if (judgeRequestSource(facts, context.origin) === "cross-site") {
    throw new MissingCSRF("The form was sent by a page of another site.", "cross-site");
  }
  if (await hasCsrfToken(context)) return;
  throw new MissingCSRF(
    "`csrfToken` is missing from the body, or its cookie is gone: the form was open for too long.",
    "stale",
  );
}
