import { hasCsrfToken, needsCsrfToken, type Route } from "../actions/index.ts";
import type { ActionContext } from "../model/context.ts";
import { MissingCSRF } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { checkRequestSource } from "../protocol/csrf-token.ts";

/** The configurations whose operator has been told about hidden origins. */
const told = new WeakSet<ResolvedConfig>();

/**
 * Guards an action that changes state.
 *
 * 1. Sent by a page of another site, as the browser says itself: refused whatever its token.
 * 2. Otherwise the body must hold the token of the sealed cookie, made under the session of the request.
 *
 * @throws MissingCSRF.
 */
export async function requireCsrf(route: Route, context: ActionContext): Promise<void> {
  if (!needsCsrfToken(route, context)) return;
  const { headers } = context.request;
  const facts = { origin: headers.get("origin"), secFetchSite: headers.get("sec-fetch-site") };
  const source = checkRequestSource(facts, context.origin);
  if (source === "cross-site") {
    throw new MissingCSRF("The form was sent by a page of another site.", "cross-site");
  }
  if (source === "unknown" && facts.origin !== null) warnOfHiddenOrigin(context);
  if (await hasCsrfToken(context)) return;
  throw new MissingCSRF(
    "`csrfToken` is missing from the body, or its cookie is gone: the form was open for too long.",
    "stale",
  );
}

function warnOfHiddenOrigin({ config, logger }: ActionContext): void {
  if (told.has(config)) return;
  told.add(config);
  logger.warn(
    "hidden-origin: a form came with `Origin: null` over plain http, where only its CSRF token can be checked. Serve the application over https, or set its `Referrer-Policy` to `same-origin` instead of `no-referrer`.",
  );
}
