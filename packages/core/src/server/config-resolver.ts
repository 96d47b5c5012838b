import type { Environment } from "./config/env.ts";
import { type Resolution, resolveConfig } from "./config/resolve-config.ts";
import { randomHex } from "./crypto/primitives.ts";
import type { AuthConfig } from "./model/config.ts";
import type { Awaitable, Session } from "./model/records.ts";
import type { ResolvedConfig } from "./model/resolved-config.ts";
import { createLogger } from "./observe/logger.ts";
import { within } from "./session/within.ts";

/** A configuration, or a function that makes one for a request; the request is absent where there is none (spec 1). */
export type ConfigSource<S = Session, A = S, R = Request> =
  | AuthConfig<S, A, R>
  | ((request?: R) => Awaitable<AuthConfig<S, A, R>>);

/**
 * Refuses a configuration whose `authorized` stands before `session` and would read what `session` does not make: TypeScript
 * reads an object in the order in which it is written (decisions/016).
 */
export type SessionFirst<S, A> = [Awaited<S>] extends [Awaited<A>]
  ? unknown
  : { readonly callbacks: { readonly authorized: "Write callbacks.session before callbacks.authorized" } };

/** Resolves a configuration for a request. */
export type ConfigResolver = (request?: Request) => Awaitable<ResolvedConfig>;

/** How long a configuration function may take. */
const CONFIG_TIMEOUT_MS = 10_000;

/**
 * Makes the resolver of one application. A configuration object is resolved once and at once, so that what is wrong with it
 * is said at start-up; a function is called for each request, and what it returns is resolved once per object.
 *
 * @param outerPath in front of every path of the application, as the framework was told; empty for none.
 * @throws InvalidConfiguration, MissingSecretError (configuration objects).
 */
export function createConfigResolver<S, A, R>(
  given: ConfigSource<S, A, R>,
  defaultBasePath: string,
  outerPath = "",
): ConfigResolver {
  const source = parseErased(given);
  const warned = new Set<string>();
  const known = new WeakMap<object, ResolvedConfig>();
  // One for all: a configuration function makes a new object for each request, and each must read what the last one wrote.
  const fallbackSecret = randomHex();
  const resolveOnce = (config: AuthConfig): ResolvedConfig => {
    const cached = known.get(config);
    if (cached !== undefined) return cached;
    const resolution = resolveConfig(config, environment(), defaultBasePath, fallbackSecret, outerPath);
    warnOnce(resolution, warned);
    known.set(config, resolution.config);
    return resolution.config;
  };
  if (typeof source !== "function") {
    const config = resolveOnce(source);
    return () => config;
  }
  return async (request) => resolveOnce(await within(CONFIG_TIMEOUT_MS, source(request)));
}

function warnOnce({ config, warnings }: Resolution, warned: Set<string>): void {
  const { logger } = createLogger(config.logger, config.debug, config.concealed);
  for (const warning of warnings) if (!warned.has(warning)) logger.warn(warning);
  for (const warning of warnings) warned.add(warning);
}

/** The engine hands on sessions and requests as they are, whatever the callbacks made of the ones and need of the others. */
function parseErased<S, A, R>(source: ConfigSource<S, A, R>): ConfigSource {
  return source as unknown as ConfigSource;
}

/** The environment of the runtime, where it has one. */
function environment(): Environment {
  const runtime: unknown = Reflect.get(globalThis, "process");
  return parseEnvironment(runtime);
}

function parseEnvironment(runtime: unknown): Environment {
  // Where nothing says that this is no production, it is taken for one: a secret is needed, and hosts are not trusted.
  return (runtime as { readonly env?: Environment } | undefined)?.env ?? { NODE_ENV: "production" };
}
