import { randomToken } from "./crypto/primitives.ts";
import type { AuthConfig } from "./model/config.ts";
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
export async function Auth<S = Session>(request: Request, config: AuthConfig<S>): Promise<Response> {
  const known = resolvers.get(config);
  if (known !== undefined) return respond(request, known);
  return respond(request, (given) => {
    const resolver = createConfigResolver(config, DEFAULT_BASE_PATH);
    resolvers.set(config, resolver);
    return resolver(given);
  });
}

/** Answers one request with whatever configuration the resolver has for it. Never throws. */
export async function respond(request: Request, resolve: ConfigResolver): Promise<Response> {
  try {
    return await handleRequest(request, await resolve(request), randomToken(16));
  } catch (thrown) {
    logError(toAuthError(thrown), createLogger({}, false, []).logger);
    return plainResponse(500, "There is a problem with the configuration of this server. Its log says which.");
  }
}
