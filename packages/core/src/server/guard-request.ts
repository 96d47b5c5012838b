import { carriedMethod } from "../http/node-request.ts";
import type { Awaitable } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { pathOfUrl } from "../protocol/request-target.ts";
import { type Authorization, authorizeRequest, deny, denyUnavailable } from "./authorize-request.ts";
import { methodRejection, rejectHost, rejection, rejectPath } from "./reject-request.ts";

/** A request as a guard sees it, with its path as sent and as the framework's router matches it. */
export interface GuardedRequest {
  /** The URL as the server sees it; only its origin and query are used. */
  readonly url: string;
  /** The method as the router matches it. */
  readonly method: string;
  /** The headers of the request. */
  readonly headers: Headers;
  /** The path as the client sent it, without its query; default: that of the URL. */
  readonly sent?: string | undefined;
  /** The path that the router matches, decoded or not; default: the sent one. */
  readonly routed?: string | undefined;
}

/**
 * Decides whether a request may continue, for guards of framework adapters (docs/callbacks.md#authorized).
 *
 * 1. A path that a router could interpret differently is rejected with 400, before the configuration or a callback sees the
 *    request. Both spellings are checked: the one that was sent and the router's. So is a request with several hosts.
 * 2. A method that a `Request` cannot have is rejected with 405. With a substitute method, `callbacks.authorized` would decide
 *    about a different request.
 * 3. `callbacks.authorized` receives a request without a body, with the path that the router matches.
 * 4. What the callback opens to visitors is open in one spelling: visitors are redirected to the path that the callback received. The
 *    router has found a route for the path that was sent, which may be another one, such as a page for all paths.
 * 5. If the session cannot be read, the response is 503.
 *
 * @param resolve called once the path has been checked.
 * @throws CallbackRouteError if the callback threw; whatever `resolve` throws.
 */
export async function guardRequest(
  resolve: () => Awaitable<ResolvedConfig>,
  { url, method: given, headers, sent = pathOfUrl(url), routed = sent }: GuardedRequest,
): Promise<Authorization> {
  if (rejectPath(sent) !== null || rejectPath(routed) !== null) return deny(rejection());
  const refused = rejectHost(headers.get("host"));
  if (refused !== null) return deny(refused);
  const method = carriedMethod(given);
  if (method === null) return deny(methodRejection());
  const target = new URL(url);
  target.pathname = routed;
  // A request target in absolute form may contain credentials (RFC 9112 §3.2.2); the URL of a `Request` may not (Fetch §5.4).
  target.username = target.password = "";
  const told = new Request(target, { method, headers });
  return authorizeRequest(await resolve(), told, { sent, isRouted: true }).catch(denyUnavailable);
}
