import type { Awaitable } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { pathOfUrl } from "../protocol/request-path.ts";
import { type Authorization, authorizeRequest, denyUnavailable } from "./authorize-request.ts";
import { refusal, refusePath } from "./refuse-path.ts";

/** A request as a guard sees it: its path as it was sent, and as the framework's router matches it. */
export interface GuardedRequest {
  /** The URL as the server sees it; of it, the origin and the query. */
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

/** A token (RFC 9110 §5.6.2), except methods that a `Request` cannot have (Fetch §2.2.1). */
const CARRIED = /^(?!(?:CONNECT|TRACE|TRACK)$)[!#$%&'*+.^_`|~0-9A-Z-]+$/i;

const NOT_CARRIED = { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS", "cache-control": "no-store" };

/**
 * Decides whether a request may continue, for guards of framework adapters (docs/callbacks.md#authorized).
 *
 * 1. A path that a router could interpret differently is rejected with 400, in the spelling that was sent and in that of the
 *    router, before the configuration or a callback sees the request.
 * 2. A method that a `Request` cannot have is rejected with 405: with another, `callbacks.authorized` would decide about a
 *    different request.
 * 3. `callbacks.authorized` receives a request without a body, with the path that the router matches.
 * 4. If the session cannot be read, the response is 503.
 *
 * @param resolve called once the path has been checked.
 * @throws CallbackRouteError if the callback threw; whatever `resolve` throws.
 */
export async function guardRequest(
  resolve: () => Awaitable<ResolvedConfig>,
  { url, method, headers, sent = pathOfUrl(url), routed = sent }: GuardedRequest,
): Promise<Authorization> {
  if (refusePath(sent) !== null || refusePath(routed) !== null) return deny(refusal());
  if (!CARRIED.test(method)) return deny(new Response(null, { status: 405, headers: NOT_CARRIED }));
  const target = new URL(url);
  target.pathname = routed;
  // An absolute form of a target may name a user (RFC 9112 §3.2.2), and a `Request` may not (Fetch §5.4).
  target.username = target.password = "";
  const told = new Request(target, { method: method.toUpperCase(), headers });
  return authorizeRequest(await resolve(), told, { sent }).catch(denyUnavailable);
}

function deny(response: Response): Authorization {
  return { kind: "deny", response, session: null, cookies: [] };
}
