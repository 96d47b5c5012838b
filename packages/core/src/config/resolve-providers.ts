import type { AuthConfig } from "../model/config.ts";
import type { Provider } from "../model/provider.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type {
  GivenProvider,
  Problem,
  ProviderProblem,
  ProviderResolution,
  SignInMethod,
} from "../model/sign-in-method.ts";
import { type Environment, readProviderEnvironment, sharedVariableWarnings } from "./env.ts";
import { isPlainObject, mergeOptions } from "./merge-options.ts";
import { resolveOwnWay, wayOf } from "./resolve-own-way.ts";
import type { GivenExtension } from "./use-extensions.ts";

/** Ids become path segments and environment variables; names of endpoints would be ambiguous. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;

/** A provider with its settings from the environment: a factory is called, missing members of an object are filled in. */
export function withEnvironment(given: Provider, env: Environment): unknown {
  if (typeof given === "function") return callFactory(assumeFactory(given), env);
  if (!isPlainObject(given) || typeof given.id !== "string") return given;
  const { redirectProxyUrl: _ofAll, ...own } = readProviderEnvironment(env, given.id);
  const options = isPlainObject(given.options) ? given.options : {};
  const missing = Object.entries(own).filter(
    ([name]) => options[name] === undefined && Reflect.get(given, name) === undefined,
  );
  return { ...given, ...Object.fromEntries(missing) };
}

/** A provider object, and where it was configured. */
export interface ConfiguredProvider extends GivenProvider {
  /** Its place in the configuration, such as `providers[0]`. */
  readonly option: string;
  /** Its settings in the environment. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The members that its sign-in method knows. */
  readonly known: readonly string[];
}

/**
 * Reads an entry of `providers`: a factory is called, `options` override the defaults, and a missing client id, secret or issuer is read
 * from the environment.
 */
function readProvider(
  given: Provider,
  option: string,
  env: Environment,
  redirectProxyUrl: string | undefined,
): Problem | ConfiguredProvider {
  const value = typeof given === "function" ? callFactory(assumeFactory(given), env) : given;
  if (!isPlainObject(value)) return { option, message: "is not a provider object or a function that returns one" };
  const options = isPlainObject(value.options) ? value.options : {};
  const members = mergeOptions(value, options);
  const { id } = members;
  if (typeof id !== "string" || !PROVIDER_ID.test(id) || CORE_ACTIONS.includes(id)) {
    const message =
      "is missing or not allowed: use letters, digits, `.`, `_`, `~` and `-`, but not the name of an endpoint";
    return { option: `${option}.id`, message };
  }
  const settings = readProviderEnvironment(env, id);
  const { issuer, ...environment } = settings;
  const proxy = redirectProxyUrl === undefined ? {} : { redirectProxyUrl };
  // The application's value takes precedence over the environment, and the environment over the default of a provider's
  // package.
  const isDefault = members.issuer === undefined || (isPlainObject(value.options) && options.issuer === undefined);
  const home = issuer !== undefined && isDefault ? { issuer } : {};
  const complete = { ...environment, ...proxy, ...definedMembers(members), ...home };
  const known = wayOf(members)?.members ?? [];
  return { option, id, members, complete, settings, known, isProduction: env.NODE_ENV === "production" };
}

/**
 * A factory may build its URLs from its options, so it receives the settings from the environment, which its id identifies.
 */
function callFactory(factory: (options: object) => unknown, env: Environment): unknown {
  const value = factory({});
  if (!isPlainObject(value) || typeof value.id !== "string") return value;
  const { redirectProxyUrl: _ofAll, ...own } = readProviderEnvironment(env, value.id);
  return Object.keys(own).length === 0 ? value : factory(own);
}

function definedMembers(members: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> {
  return mergeOptions({}, members);
}

function assumeFactory(given: (...options: never[]) => unknown): (options: object) => unknown {
  return given as (options: object) => unknown;
}

/** The providers of a configuration, and all their problems. */
export interface ProvidersResolution {
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** Every provider object that has an id. */
  readonly configured: readonly ConfiguredProvider[];
  /** The kinds of all providers, including those with problems. */
  readonly kinds: ReadonlySet<ResolvedProvider["kind"]>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** Values that must never be logged. */
  readonly secrets: readonly string[];
  /** The extensions that provider objects carry. */
  readonly carried: readonly GivenExtension[];
}

/** Resolves every enabled provider by the sign-in method that has its type. */
export function resolveProviders(
  given: AuthConfig,
  env: Environment,
  methods: readonly SignInMethod[],
): ProvidersResolution {
  // `condition && Provider`: disabled entries are ignored.
  const entries = given.providers.map((entry, index) =>
    isLeftOut(entry) ? null : readProvider(entry, `providers[${index}]`, env, given.redirectProxyUrl),
  );
  const configured = entries.filter((entry) => entry !== null && "id" in entry);
  const results = entries.flatMap((entry) => (entry === null ? [] : resolveEntry(entry, configured, methods)));
  const resolved = results.filter((result) => "provider" in result);
  return {
    providers: new Map(resolved.map(({ provider }) => [provider.id, provider])),
    configured: configured.map((one) => ({ ...one, known: methodFor(one, methods)?.members ?? one.known })),
    kinds: new Set(configured.flatMap((one) => kindOf(one, methods) ?? [])),
    problems: results.flatMap((result) => ("option" in result ? result : [])),
    warnings: [
      ...resolved.flatMap(({ warnings }) => warnings),
      ...sharedVariableWarnings(new Set(configured.map(({ id }) => id))),
    ],
    secrets: resolved.flatMap(({ secrets }) => secrets.filter((secret) => secret !== undefined)),
    carried: resolved.flatMap(({ carried }) => carried),
  };
}

/** An entry as it was read: its provider and what it carries, or its problems. */
function resolveEntry(
  entry: Problem | ConfiguredProvider,
  configured: readonly ConfiguredProvider[],
  methods: readonly SignInMethod[],
) {
  if ("message" in entry) return [entry];
  const { id, option, members } = entry;
  const isRepeated = configured.find((one) => one.id === id) !== entry;
  const repeated = isRepeated ? [{ option: `${option}.id`, message: `"${id}" is used by another provider` }] : [];
  const resolution = resolve(entry, methods);
  if ("problems" in resolution) return [...repeated, ...resolution.problems.map((one) => describe(one, entry))];
  const carried = [{ option: `${option}.extension`, extension: members.extension }];
  return [...repeated, { ...resolution, carried }];
}

function methodFor({ members }: ConfiguredProvider, methods: readonly SignInMethod[]): SignInMethod | undefined {
  return methods.find(({ types }) => types.some((type) => type === members.type));
}

function kindOf(provider: ConfiguredProvider, methods: readonly SignInMethod[]): ResolvedProvider["kind"] | undefined {
  return provider.members.type === "webauthn" ? "webauthn" : methodFor(provider, methods)?.kind;
}

function resolve(provider: ConfiguredProvider, methods: readonly SignInMethod[]): ProviderResolution {
  if (provider.members.type === "webauthn") return resolveOwnWay(provider);
  const method = methodFor(provider, methods);
  if (method !== undefined) return method.resolve(provider);
  const types = [...methods.flatMap((one) => one.types), "webauthn"].map((type) => `"${type}"`).join(", ");
  return { problems: [{ member: "type", message: `must be one of ${types}` }] };
}

function describe({ member, message, error }: ProviderProblem, { option, id }: ConfiguredProvider): Problem {
  return {
    option: member === undefined ? option : `${option}.${member}`,
    message: `of provider "${id}" ${message}`,
    ...(error === undefined ? {} : { error }),
  };
}

function isLeftOut(provider: AuthConfig["providers"][number]): provider is false | null | undefined | "" {
  return provider === false || provider === null || provider === undefined || provider === "";
}

/** The actions of core. Ids of providers and actions of extensions must not repeat them. */
export const CORE_ACTIONS: readonly string[] = [
  "csrf",
  "providers",
  "session",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "confirm-address",
  "webauthn-options",
  "webauthn-script",
];
