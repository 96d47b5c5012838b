import { randomToken } from "../crypto/primitives.ts";
import { type AuthConfig, type LoggerInstance, raw } from "../model/config.ts";
import type { Session } from "../model/records.ts";
import type { ResponseInternal } from "../model/result.ts";
import { createLogger } from "../observe/logger.ts";
import { pathOfUrl } from "../protocol/request-path.ts";
import { handleRequest } from "../request/handle-request.ts";
import { brokenResponse } from "../response/broken-response.ts";
import { logError, toAuthError } from "../response/error-response.ts";
import { type ConfigResolver, createConfigResolver, loggerOf } from "./config-resolver.ts";
import { refusePath } from "./refuse-path.ts";

/** Base path outside Next.js (docs/behaviour.md#actions). */
export const DEFAULT_BASE_PATH = "/auth";

const resolvers = new WeakMap<object, ConfigResolver>();

/** For framework adapters: with `raw` set, the parts of the response, or a rejection with AuthError. */
export function Auth<S = Session, A = S>(
  request: Request,
  config: AuthConfig<S, A> & { readonly raw: typeof raw },
): Promise<ResponseInternal>;
/**
 * Answers one request to the actions below the base path. Never throws for anything a client sent; a configuration that is
 * invalid is logged and answered with 500, and nobody is let in (docs/behaviour.md#startup).
 *
 * @param config resolved once per object: keep it in a constant.
 */
export function Auth<S = Session, A = S>(request: Request, config: Omit<AuthConfig<S, A>, "raw">): Promise<Response>;
export async function Auth(request: Request, config: AuthConfig): Promise<Response | ResponseInternal> {
  const known = resolvers.get(config);
  const resolve: ConfigResolver = (given) => {
    const resolver = createConfigResolver(config, DEFAULT_BASE_PATH);
    resolvers.set(config, resolver);
    return resolver(given);
  };
  // Framework adapters by other authors; nothing else pays for it.
  if (config?.raw === raw)
    return (await import("./respond-raw.ts")).respondRaw(request, await (known ?? resolve)(request));
  return respond(request, known ?? resolve);
}

/**
 * Answers one request with whatever configuration the resolver has for it. Never throws.
 *
 * @param logger is told when there is no configuration to ask for one.
 * @param strippedPath what the framework took off the front of the request's path.
 */
export async function respond(
  request: Request,
  resolve: ConfigResolver,
  logger: Partial<LoggerInstance> = {},
  strippedPath = "",
): Promise<Response> {
  const refused = refusePath(`${strippedPath}${pathOfUrl(request.url)}`);
  if (refused !== null) return refused;
  try {
    return await handleRequest(request, await resolve(request), () => randomToken(16), strippedPath);
  } catch (thrown) {
    logError(toAuthError(thrown), createLogger(loggerOf(thrown) ?? logger, false, []).logger);
    return brokenResponse(request, () => randomToken(16));
  }
}
