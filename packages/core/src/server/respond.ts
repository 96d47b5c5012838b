import { randomToken } from "./crypto/primitives.ts";
import type { AuthConfig, LoggerInstance } from "./model/config.ts";
import type { Session } from "./model/records.ts";
import { createLogger } from "./observe/logger.ts";
import { handleRequest } from "./request/handle-request.ts";
import { logError, toAuthError } from "./response/error-response.ts";
import { plainResponse } from "./response/plain-response.ts";
import { type ConfigResolver, createConfigResolver } from "./runtime-config.ts";

/** Base path outside Next.js (spec 4.1). */
export const DEFAULT_BASE_PATH = "/auth";

const resolvers = new WeakMap<object, ConfigResolver>();

/**
 * Answers one request to the actions below the base path. Never throws for anything a client sent; a configuration that is
 * invalid is logged and answered with 500, and nobody is let in (contract 2).
 *
 * @param config resolved once per object: keep it in a constant.
 */
export async function Auth<S = Session, A = S>(request: Request, config: AuthConfig<S, A>): Promise<Response> {
  const known = resolvers.get(config);
  if (known !== undefined) return respond(request, known);
  const resolve: ConfigResolver = (given) => {
    const resolver = createConfigResolver(config, DEFAULT_BASE_PATH);
    resolvers.set(config, resolver);
    return resolver(given);
  };
  return respond(request, resolve, usableLogger(config));
}

/**
 * Answers one request with whatever configuration the resolver has for it. Never throws.
 *
 * @param logger is told when there is no configuration to ask for one.
 * @param takenOff what the framework took off the front of the request's path.
 */
export async function respond(
  request: Request,
  resolve: ConfigResolver,
  logger: Partial<LoggerInstance> = {},
  takenOff = "",
): Promise<Response> {
  try {
    return await handleRequest(request, await resolve(request), randomToken(16), takenOff);
  } catch (thrown) {
    logError(toAuthError(thrown), createLogger(logger, false, []).logger);
    return plainResponse(500, "There is a problem with the configuration of this server. Its log says which.");
  }
}

/** The methods of a configuration's logger that can be called, whatever else is wrong with it. */
function usableLogger(config: unknown): Partial<LoggerInstance> {
  const given: unknown = typeof config === "object" && config !== null ? Reflect.get(config, "logger") : undefined;
  const logger = Object(given);
  const methods = (["error", "warn", "debug"] as const).filter((name) => typeof logger[name] === "function");
  return Object.fromEntries(methods.map((name) => [name, (...said: unknown[]) => logger[name](...said)]));
}
