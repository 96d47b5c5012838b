import { matchAction } from "../actions/routes.ts";
import type { FlowContext } from "../model/context.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { resolveRedirect } from "../sign-in/redirect.ts";

/**
 * Where `signIn()` and `signOut()` of server code lead afterwards (docs/behaviour.md#redirects): to `redirectTo`, otherwise to the page that
 * sent the request.
 *
 * @param redirectTo what the caller gave, perhaps out of a form; anything but text counts as absent.
 * @returns the validated URL; null if neither names one.
 */
export async function findDestination(context: FlowContext, redirectTo: unknown): Promise<string | null> {
  const target = typeof redirectTo === "string" ? redirectTo : currentPage(context);
  return target === null ? null : resolveRedirect(context, target);
}

/** The page that sent the request; null if it is unknown, or one of the library's own, which is not a destination. */
function currentPage({ origin, config, headers }: FlowContext): string | null {
  const referer = headers.get("referer");
  const page = parseUrl(referer ?? "");
  if (page === null) return null;
  const isOwn = matchAction("GET", page.pathname, config.basePath, config.extensions).kind !== "not-found";
  return page.origin === origin && isOwn ? null : referer;
}

/** The destination among the fields of a form: `redirectTo`, or its name at the endpoints. */
export function destinationIn(fields: ReadonlyMap<string, unknown>): unknown {
  return fields.get("redirectTo") ?? fields.get("callbackUrl");
}
