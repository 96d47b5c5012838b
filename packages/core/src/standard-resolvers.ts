import type { RequestVariables } from "./config/reuse-resolution.ts";
import type { ConfigResolver, ConfigSource, ResolverOptions } from "./server/config-resolver.ts";
import * as resolver from "./server/config-resolver.ts";
import type { EventConfigSource, EventResolver } from "./server/event-operations.ts";
import * as events from "./server/event-operations.ts";
import { standardParts } from "./standard.ts";

/**
 * Creates the resolver of one application. A configuration object is resolved once, immediately, so that problems are
 * reported at startup; a function is called for each request, and its result is resolved if the content is new.
 *
 * @throws InvalidConfiguration, MissingSecretError (configuration objects).
 */
export function createConfigResolver<S, A, R>(
  source: ConfigSource<S, A, R>,
  defaultBasePath: string,
  options?: ResolverOptions,
): ConfigResolver {
  return resolver.createConfigResolver(source, standardParts, defaultBasePath, options);
}

/**
 * Like `createConfigResolver`, for configuration functions that receive an event.
 *
 * @param basePath as the browser sees it; default `/auth`.
 * @param environmentOf the variables that only an event has, such as the bindings of a worker.
 * @throws InvalidConfiguration, MissingSecretError (configuration objects).
 */
export function createEventResolver<E, S, A>(
  source: EventConfigSource<E, S, A>,
  basePath?: string,
  environmentOf?: (event: E) => RequestVariables | undefined,
): EventResolver<E> {
  return events.createEventResolver(source, standardParts, basePath, environmentOf);
}
