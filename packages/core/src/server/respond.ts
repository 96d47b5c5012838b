import type { Parts } from "../config/parts.ts";
import { handleRequest } from "../http/handle-request.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { LoggerInstance } from "../model/callbacks.ts";
import { type AuthConfig, raw } from "../model/config.ts";
import type { Awaitable } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { ResponseInternal } from "../model/result.ts";
import { pathOfUrl } from "../protocol/request-target.ts";
import {
  applicationOf,
  type ConfigResolver,
  createConfigResolver,
  DEFAULT_BASE_PATH,
  loggerOf,
} from "./config-resolver.ts";
import { rejectHost, rejectPath } from "./reject-request.ts";

const resolvers = new WeakMap<object, ConfigResolver>();

/**
 * Configurations that served more than one request, and so are not created per request. A different object with the same
 * secret is then a separate application.
 */
const kept = new WeakSet<object>();

/** The resolver of a configuration that another request came with before. */
function knownResolver(config: AuthConfig): ConfigResolver | undefined {
  const known = resolvers.get(config);
  if (known !== undefined) kept.add(config);
  return known;
}

/** Handles one request with some parts of core; see `Auth` in `standard.ts`. */
export async function handleWith(
  parts: Parts,
  request: Request,
  config: AuthConfig,
): Promise<Response | ResponseInternal> {
  const known = knownResolver(config);
  const resolve: ConfigResolver = (given) => {
    // Of several first requests at the same time, one resolves it.
    const create = () =>
      createConfigResolver(config, parts, DEFAULT_BASE_PATH, { application: applicationOf(config, kept) });
    const resolver = knownResolver(config) ?? create();
    resolvers.set(config, resolver);
    return resolver(given);
  };
  // Used by third-party framework adapters only, so it is loaded on demand.
  if (config?.raw === raw)
    return (await import("./respond-raw.ts")).respondRaw(request, await (known ?? resolve)(request));
  return respond(request, known ?? resolve);
}

/**
 * Handles one request with the configuration that the resolver returns for it. Never throws.
 *
 * @param logger used if there is no configuration with a logger.
 * @param strippedPath path prefix that the framework removed.
 */
export async function respond<R extends IncomingRequest>(
  request: R,
  resolve: (request: R) => Awaitable<ResolvedConfig>,
  logger: Partial<LoggerInstance> = {},
  strippedPath = "",
): Promise<Response> {
  const refused = rejectPath(`${strippedPath}${pathOfUrl(request.url)}`) ?? rejectHost(request.headers.get("host"));
  if (refused !== null) return refused;
  try {
    return await handleRequest(request, await resolve(request), strippedPath);
  } catch (thrown) {
    const { answerBroken } = await import("../http/answer-failure.ts");
    return answerBroken(thrown, request, loggerOf(thrown) ?? logger);
  }
}
