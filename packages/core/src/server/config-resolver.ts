import { withTimeout } from "../application/with-timeout.ts";
import { createApplications } from "../config/applications.ts";
import { type Environment, runtimeEnvironment } from "../config/env.ts";
import type { Parts } from "../config/parts.ts";
import { type Resolution, resolveConfig } from "../config/resolve-config.ts";
import { listSecrets } from "../config/resolve-secrets.ts";
import type { RequestVariables } from "../config/reuse-resolution.ts";
import { createLateLogger } from "../log/late-logger.ts";
import type { LoggerInstance } from "../model/callbacks.ts";
import type { AuthConfig } from "../model/config.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import { loadOnce } from "../model/load-once.ts";
import type { Awaitable, Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { publicRequest } from "./read-session.ts";

/** A configuration, or a function that returns one for a request; the request may be absent (docs/environment.md). */
export type ConfigSource<S = Session, A = S, R = Request> =
  | AuthConfig<S, A, R>
  | ((request?: R) => Awaitable<AuthConfig<S, A, R>>);

/**
 * Rejects a configuration whose `authorized` is written before `session` and would expect a different type: TypeScript
 * reads an object in the order in which it is written (see {@link Callbacks}).
 */
export type SessionFirst<S, A> = [Awaited<S>] extends [Awaited<A>]
  ? unknown
  : { readonly callbacks: { readonly authorized: "Write callbacks.session before callbacks.authorized" } };

/** Resolves a configuration for a request. */
export type ConfigResolver = (request?: Request) => Promise<ResolvedConfig> | ResolvedConfig;

/** What only some framework adapters know. */
export interface ResolverOptions {
  /** The application's path prefix, known to its framework. */
  readonly appPath?: string;
  /** Default: a new one. */
  readonly application?: Application;
  /** Creates the request that a configuration function receives; default: the same one, at its public URL. */
  readonly show?: (request: Request) => Request;
  /** Variables that only a request has, in addition to those of the runtime; called for configuration functions. */
  readonly environmentOf?: (request: Request) => RequestVariables | undefined;
}

/** Default base path outside Next.js (docs/behaviour.md#actions). */
export const DEFAULT_BASE_PATH = "/auth";

/** Time limit for a configuration function. */
const CONFIG_TIMEOUT_MS = 10_000;

/** State that all configurations of one application share. Each must read what the previous one wrote, and repeats no warning. */
export interface Application {
  /** The key for limits, caches, marks and the random secret. */
  readonly identity: object;
  /** Warnings that were already logged. */
  readonly warned: Set<string>;
}

/** A new application. */
function createApplication(): Application {
  return { identity: {}, warned: new Set() };
}

/** Creates the resolver of one application with some parts of core; see `createConfigResolver` in `standard-resolvers.ts`. */
export function createConfigResolver<S, A, R>(
  given: ConfigSource<S, A, R>,
  parts: Parts,
  defaultBasePath: string,
  { appPath = "", application = createApplication(), show = publicRequest, environmentOf }: ResolverOptions = {},
): ConfigResolver {
  requireRuntime();
  const { identity, warned } = application;
  const source = assumeConfigSource(given);
  const known = new WeakMap<object, ResolvedConfig>();
  const resolve = (config: AuthConfig, env: Environment): ResolvedConfig => {
    const surroundings = { defaultBasePath, appPath, application: identity };
    const resolution = resolveLogged(config, () => resolveConfig(config, env, parts, surroundings));
    logWarnings(resolution, warned);
    return resolution.config;
  };
  if (typeof source !== "function") {
    const config = resolve(source, runtimeEnvironment());
    return () => config;
  }
  const reusing = loadOnce(async () => (await import("../config/reuse-resolution.ts")).createReuse());
  return async (request) => {
    const config = await withTimeout(CONFIG_TIMEOUT_MS, source(request && show(request)));
    const own = request && environmentOf?.(request);
    // The variables of a request may be others while the configuration is the same.
    const cached = own === undefined ? known.get(config) : undefined;
    if (cached !== undefined) return cached;
    const reuse = await reusing();
    const resolved = reuse(config, own, (env) => resolve(config, env));
    if (own === undefined) known.set(config, resolved);
    return resolved;
  };
}

/**
 * Older versions lack what the first request needs, and would fail there with a name that no one knows.
 *
 * @throws InvalidConfiguration.
 */
function requireRuntime(): void {
  const version: unknown = Object(Object(Reflect.get(globalThis, "process")).versions).node;
  if (typeof version !== "string" || Number.parseInt(version, 10) >= 20) return;
  throw new InvalidConfiguration(`Node.js ${version} is not supported: use Node.js 20.19 or later.`);
}

/** By configuration error, the logger of the configuration that caused it. */
const loggers = new WeakMap<object, Partial<LoggerInstance>>();

/** The logger of the configuration that was rejected with this error; undefined for any other error. */
export function loggerOf(thrown: unknown): Partial<LoggerInstance> | undefined {
  return typeof thrown === "object" && thrown !== null ? loggers.get(thrown) : undefined;
}

function resolveLogged(config: unknown, resolve: () => Resolution): Resolution {
  try {
    return resolve();
  } catch (error) {
    if (typeof error === "object" && error !== null) loggers.set(error, usableLogger(config));
    throw error;
  }
}

/** The callable methods of a configuration's logger, whatever else is wrong with it. */
function usableLogger(config: unknown): Partial<LoggerInstance> {
  const given: unknown = typeof config === "object" && config !== null ? Reflect.get(config, "logger") : undefined;
  const logger = Object(given);
  const methods = (["error", "warn", "debug"] as const).filter((name) => typeof logger[name] === "function");
  return Object.fromEntries(methods.map((name) => [name, (...said: unknown[]) => logger[name](...said)]));
}

function logWarnings({ config, warnings }: Resolution, warned: Set<string>): void {
  if (warnings.length === 0) return;
  const { logger } = createLateLogger(config.logger, config.debug, config.redacted);
  for (const warning of warnings) {
    if (warned.has(warning)) continue;
    if (config.logger.warn !== undefined || mayContainSecret(warning, config)) logger.warn(warning);
    // At once: the process may exit before the logger is loaded.
    else if (!wasOnConsole(warning)) console.warn(`[cardea][warn] ${warning}`);
  }
  for (const warning of warnings) warned.add(warning);
}

/** Whether a line needs the logger, which removes secrets and line breaks. Most warnings consist of words and names of options. */
function mayContainSecret(line: string, { redacted }: ResolvedConfig): boolean {
  return /[^ -~]|=|:\/\//.test(line) || redacted.some((secret) => line.includes(secret));
}

/** If a framework loads a package once for each bundle, the copies of this module share one process and its console. */
const PRINTED = Symbol.for("cardea.printed-warnings");

/** Whether this process has logged the notice that passkeys are experimental; records that it has. */
function wasOnConsole(warning: string): boolean {
  if (!warning.startsWith("experimental-")) return false;
  const known: unknown = Reflect.get(globalThis, PRINTED);
  const printed: Set<unknown> = known instanceof Set ? known : new Set();
  Reflect.set(globalThis, PRINTED, printed);
  const was = printed.has(warning);
  printed.add(warning);
  return was;
}

/** Core passes sessions and requests through unchanged, whatever types the callbacks return and expect. */
function assumeConfigSource<S, A, R>(source: ConfigSource<S, A, R>): ConfigSource {
  return source as unknown as ConfigSource;
}

/** An application whose configuration may be created for each request, and its latest configuration. */
interface RenewedApplication {
  application: Application;
  last: object;
}

/** Of this process. Configurations without a secret are one application: they use the secret of the environment. */
const renewedOf = createApplications<RenewedApplication>(() => ({ application: createApplication(), last: {} }));

/**
 * The application of a configuration that is new to `Auth()`. A server may create its configuration for each request; limits and marks must
 * not start over each time.
 *
 * @param kept configurations that served more than one request, and so are not created per request. A different object with the
 *   same secret is then a separate application.
 */
export function applicationOf(config: AuthConfig, kept: WeakSet<object>): Application {
  const secrets = listSecrets(config?.secret);
  const renewed = renewedOf(secrets.length > 0 ? secrets : [""], config?.maxTenants);
  if (kept.has(renewed.last)) renewed.application = createApplication();
  renewed.last = config;
  return renewed.application;
}

/**
 * Fails in a browser, where a bundler may load server code: there, the missing secret would be reported instead, and must not be
 * added. Tests of server code may have a `document` too, but run in Node.
 *
 * @param instead what code in a browser can use.
 * @throws InvalidConfiguration.
 */
export function requireServer(instead: string): void {
  const { document, process }: { readonly document?: unknown; readonly process?: unknown } = Object(globalThis);
  if (document === undefined || Object(Object(process).versions).node !== undefined) return;
  throw new InvalidConfiguration(
    `createAuth() runs on servers only, and a module that calls it was loaded in a browser. ${instead}`,
  );
}
