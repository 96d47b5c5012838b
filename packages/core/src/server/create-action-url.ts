import { type Environment, readEnvironment } from "../config/env.ts";
import { resolvePublicOrigin } from "../context/create-context.ts";
import type { AuthConfig } from "../model/config.ts";
import type { AuthAction } from "../model/records.ts";

/**
 * For framework adapters: the URL of an endpoint as the browser sees it, from `AUTH_URL` or else from the headers of the
 * request. Use it to call `Auth()`; `Auth()` itself decides whether the host is trusted.
 *
 * @param protocol of the request, such as `https`, unless a proxy overrides it.
 * @param env the environment variables, such as `process.env`.
 * @throws InvalidHost if a header is malformed; TypeError if `AUTH_URL` is not a URL.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string | null | undefined,
  headers: Headers,
  env: Environment,
  config: Pick<AuthConfig, "basePath">,
): URL {
  const { url } = readEnvironment(env);
  const fixed = url === undefined ? undefined : new URL(url);
  const seen = new URL(`${(protocol ?? "https").replace(/:$/, "")}://localhost`);
  const origin = resolvePublicOrigin({ fixedOrigin: fixed?.origin, trustHost: true }, headers, seen.href);
  const path = trimSlashes(config.basePath ?? fixed?.pathname ?? "");
  return new URL([origin, path, action].filter((part) => part !== "").join("/"));
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, "");
}
