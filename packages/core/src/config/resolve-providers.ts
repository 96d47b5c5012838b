import type { AuthConfig } from "../model/config.ts";
import type { Provider } from "../model/provider.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { GivenProvider, Problem, SignInMethod } from "../model/sign-in-method.ts";
import type { ProviderProblem } from "../model/sign-in-method-spec.ts";
import { type Environment, readProviderEnvironment, readRedirectProxy, sharedVariableWarnings } from "./env.ts";
import { isPlainObject, mergeOptions } from "./merge-options.ts";
import { broughtMethods, type GivenExtension, listedExtensions } from "./use-extensions.ts";

/** Ids become path segments and environment variables; names of endpoints would be ambiguous. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;

/** A provider with its settings from the environment: a factory is called, missing members of an object are filled in. */
export function withEnvironment(given: Provider, env: Environment): unknown {
  if (typeof given === "function") return callFactory(assumeFactory(given), env);
  if (!isPlainObject(given) || typeof given.id !== "string") return given;
  const own = readProviderEnvironment(env, given.id);
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
  return { option, id, members, complete, settings, isProduction: env.NODE_ENV === "production" };
}

/**
 * A factory may build its URLs from its options, so it receives the settings from the environment, which its id identifies.
 */
function callFactory(factory: (options: object) => unknown, env: Environment): unknown {
  const value = factory({});
  if (!isPlainObject(value) || typeof value.id !== "string") return value;
  const own = readProviderEnvironment(env, value.id);
  return Object.keys(own).length === 0 ? value : factory(own);
}

function definedMembers(members: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> {
  return mergeOptions({}, members);
}

function assumeFactory(given: (...options: never[]) => unknown): (options: object) => unknown {
  return given as (options: object) => unknown;
}

type Methods = ReadonlyMap<string, SignInMethod>;

/** The providers of a configuration, and all their problems. */
export interface ProvidersResolution {
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** Every provider object that has an id. */
  readonly configured: readonly ConfiguredProvider[];
  /** The sign-in methods by type, those of extensions included. */
  readonly methods: Methods;
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
  const redirectProxyUrl = given.redirectProxyUrl ?? readRedirectProxy(env);
  const entries = given.providers.flatMap((entry, index) =>
    isLeftOut(entry) ? [] : readProvider(entry, `providers[${index}]`, env, redirectProxyUrl),
  );
  const configured = entries.filter((entry) => "id" in entry);
  const owners = findOwners(methods, broughtMethods([...listedExtensions(given), ...configured.map(carriedBy)]));
  const results = entries.flatMap((entry) => ("id" in entry ? resolveEntry(entry, configured, owners.methods) : entry));
  const resolved = results.filter((result) => "provider" in result);
  const providers = new Map(resolved.map(({ provider }) => [provider.id, provider]));
  return {
    providers,
    methods: owners.methods,
    configured,
    problems: [
      ...results.flatMap((result) => ("option" in result ? result : [])),
      ...owners.problems,
      ...findSharedProblems(owners.methods, [...providers.values()]),
    ],
    warnings: [
      ...resolved.flatMap(({ warnings }) => warnings),
      ...sharedVariableWarnings(new Set(configured.map(({ id }) => id))),
    ],
    secrets: resolved.flatMap(({ secrets }) => secrets.filter((secret) => secret !== undefined)),
    carried: resolved.map(({ carried }) => carried),
  };
}

/** The sign-in methods by type. Each type belongs to one method: with two, the order of a list would decide how a user signs in. */
function findOwners(methods: readonly SignInMethod[], brought: ReturnType<typeof broughtMethods>) {
  const owners = new Map<string, { readonly method: SignInMethod; readonly by: string }>();
  for (const method of methods) for (const type of method.types) owners.set(type, { method, by: "core" });
  const problems = brought.flatMap(({ method, option }) =>
    method.types.flatMap((type): Problem[] => {
      const by = owners.get(type)?.by;
      if (by === undefined) owners.set(type, { method, by: `\`${option}\`` });
      const message = `brings a sign-in method for the type "${type}", for which ${by} already brings one`;
      return by === undefined ? [] : [{ option, message }];
    }),
  );
  return { methods: new Map([...owners].map(([type, { method }]) => [type, method])), problems };
}

function findSharedProblems(methods: Methods, providers: readonly ResolvedProvider[]): Problem[] {
  return [...new Set(methods.values())].flatMap((method) => {
    const own = providers.filter(({ type }) => methods.get(type) === method);
    const problems = own.length === 0 ? [] : (method.findProblems?.(own) ?? []);
    return problems.map((one) => toProblem(one, "providers", ""));
  });
}

function carriedBy({ option, members }: ConfiguredProvider): GivenExtension {
  return { option: `${option}.extension`, extension: members.extension };
}

/** An entry as it was read: its provider and what it carries, or its problems. */
function resolveEntry(entry: ConfiguredProvider, configured: readonly ConfiguredProvider[], methods: Methods) {
  const { id, option } = entry;
  const isRepeated = configured.find((one) => one.id === id) !== entry;
  const repeated = isRepeated ? [{ option: `${option}.id`, message: `"${id}" is used by another provider` }] : [];
  const resolution = methodFor(entry, methods)?.resolve(entry) ?? withoutMethod(entry, methods);
  if ("provider" in resolution) return [...repeated, { ...resolution, carried: carriedBy(entry) }];
  return [...repeated, ...resolution.problems.map((one) => toProblem(one, option, `of provider "${id}" `))];
}

function methodFor({ members }: ConfiguredProvider, methods: Methods): SignInMethod | undefined {
  return methods.get(String(members.type));
}

function withoutMethod({ members }: ConfiguredProvider, methods: Methods): { readonly problems: ProviderProblem[] } {
  if (members.type === "webauthn") {
    const message = "has no passkey sign-in: use Passkey() or WebAuthn() from @cardea/providers-webauthn";
    return { problems: [{ message }] };
  }
  const types = [...new Set([...methods.keys(), "webauthn"])].map((type) => `"${type}"`).join(", ");
  return { problems: [{ member: "type", message: `must be one of ${types}` }] };
}

function toProblem({ member, message, error }: ProviderProblem, option: string, of: string): Problem {
  return {
    option: member === undefined ? option : `${option}.${member}`,
    message: `${of}${message}`,
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
  "confirm-account",
  "confirm-address",
  "webauthn-options",
  "webauthn-script",
];
