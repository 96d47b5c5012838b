import { matchAction, originsOf } from "../actions/routes.ts";
import { createFlowContext } from "../context/create-context.ts";
import { warnOnce } from "../log/warn-once.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { IncomingRequest } from "./incoming-request.ts";

/**
 * Opens endpoints to the pages of the option `origins` (Fetch §3.2, CORS): loaded only with that option. Whether such a page may
 * change anything is decided where its form is checked, by origin and token (`require-csrf.ts`).
 *
 * 1. Endpoints that are not shared are answered as always.
 * 2. A preflight from a listed origin is answered here. It changes nothing, so its cookies are not read.
 * 3. Other responses of shared endpoints say that they depend on `Origin`, and a listed origin may read them.
 *
 * @param path of the request, with the prefix that the framework removed.
 * @param respond answers the request.
 */
export async function shareWithOrigins(
  { method, headers }: IncomingRequest,
  path: string,
  config: ResolvedConfig,
  respond: () => Promise<Response>,
): Promise<Response> {
  const asked = method === "OPTIONS" ? headers.get("access-control-request-method") : null;
  const match = matchAction(asked ?? method, path, config.receivedPath, config.extensions);
  const origins = match.kind === "route" ? originsOf(match.route, config, match.providerId) : [];
  if (origins.length === 0) return respond();
  const origin = headers.get("origin");
  const isListed = origin !== null && origins.includes(origin);
  const response = isListed && asked !== null ? preflight(asked) : await respond();
  response.headers.append("vary", "Origin");
  if (!isListed) return warnOfOther(origin, headers, config).then(() => response);
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-allow-credentials", "true");
  response.headers.set("access-control-expose-headers", "retry-after, x-auth-session-ended");
  return response;
}

function preflight(method: string): Response {
  const headers = {
    "access-control-allow-methods": method,
    "access-control-allow-headers": "content-type, x-auth-return-redirect",
    "access-control-max-age": "600",
    "cache-control": "no-store",
  };
  return new Response(null, { status: 204, headers });
}

/** Once: any page of the web can cause it. */
async function warnOfOther(origin: string | null, headers: Headers, config: ResolvedConfig): Promise<void> {
  if (origin === null || origin === config.fixedOrigin) return;
  const { logger, written } = createFlowContext(config, config.fixedOrigin ?? "", headers);
  warnOnce(
    { config, logger },
    `unlisted-origin: a page of ${origin.slice(0, 300)} requested an endpoint of ${config.fixedOrigin}, and may not read the response, because \`origins\` does not contain its origin (docs/single-page-applications.md#two-origins-of-one-site).`,
  );
  await written();
}
