import { type Environment, readEnvironment } from "../config/env.ts";
import { withEnvironment } from "../config/resolve-providers.ts";
import type { AuthConfig } from "../model/config.ts";
import type { Provider } from "../model/provider.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { DEFAULT_BASE_PATH } from "./config-resolver.ts";

/**
 * For framework adapters on runtimes whose variables are not in `process.env`: completes the configuration from the
 * environment. `createAuth()` and `Auth()` read `process.env` themselves.
 *
 * 1. `basePath`: the path of `AUTH_URL`, else `/auth`.
 * 2. `secret`: `AUTH_SECRET`, then `AUTH_SECRET_1` to `_3` as older secrets.
 * 3. `redirectProxyUrl` and `trustHost`, see docs/environment.md.
 * 4. `providers`: functions are called; ids, secrets and issuers come from `AUTH_{ID}_…`.
 *
 * @param env the environment variables.
 * @param config is changed in place.
 * @param _suppressWarnings accepted for adapters that pass it; has no effect.
 */
export function setEnvDefaults(env: Environment, config: AuthConfig, _suppressWarnings?: boolean): void {
  const facts = readEnvironment(env);
  config.basePath ??= pathOf(facts.url) ?? DEFAULT_BASE_PATH;
  if (config.secret === undefined || config.secret.length === 0) config.secret = facts.secrets;
  config.redirectProxyUrl ??= env.AUTH_REDIRECT_PROXY_URL;
  if (facts.trustHost !== "loopback") config.trustHost ??= facts.trustHost;
  // The result is validated later.
  config.providers = config.providers.map((provider) =>
    // A disabled entry stays disabled.
    provider ? (withEnvironment(provider, env) as Provider) : provider,
  );
}

/** The base path in `AUTH_URL`; an unparsable URL is rejected when the configuration is resolved. */
function pathOf(url: string | undefined): string | undefined {
  const path = url === undefined ? undefined : parseUrl(url)?.pathname.replace(/\/$/, "");
  return path === "" ? undefined : path;
}
