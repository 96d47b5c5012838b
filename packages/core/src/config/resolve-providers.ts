import type { AuthConfig } from "../model/config.ts";
import { MissingAuthorize } from "../model/errors.ts";
import type { OAuthProvider } from "../model/oauth-provider.ts";
import type { CredentialsProvider, EmailProvider, Provider } from "../model/provider.ts";
import type { ResolvedCredentialsProvider, ResolvedProvider } from "../model/resolved-provider.ts";
import { type Environment, readProviderEnvironment, sharedVariableWarnings } from "./env.ts";
import { findControlCharacters } from "./find-control-character.ts";
import { isPlainObject, mergeOptions } from "./merge-options.ts";
import { findMisspelledMembers } from "./provider-members.ts";
import { type Problem, type ProviderResolution, problem } from "./resolution.ts";
import { resolveEmail } from "./resolve-email.ts";
import { resolveOAuthProvider } from "./resolve-oauth-provider.ts";
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

/**
 * Resolves a provider: a factory is called, `options` override the defaults, a missing client id, secret or issuer is read
 * from the environment, and hooks and endpoints are normalised.
 */
export function resolveProvider(
  given: Provider,
  index: number,
  env: Environment,
  redirectProxyUrl: string | undefined,
): ProviderResolution {
  const option = `providers[${index}]`;
  const value = typeof given === "function" ? callFactory(assumeFactory(given), env) : given;
  if (!isPlainObject(value)) return problem(option, "is not a provider object or a function that returns one");
  const options = isPlainObject(value.options) ? value.options : {};
  const merged = mergeOptions(value, options);
  const { id } = merged;
  if (typeof id !== "string" || !PROVIDER_ID.test(id) || CORE_ACTIONS.includes(id)) {
    return problem(
      `${option}.id`,
      "is missing or not allowed: use letters, digits, `.`, `_`, `~` and `-`, but not the name of an endpoint",
    );
  }
  const fromEnvironment = readProviderEnvironment(env, id);
  const { issuer, ...environment } = fromEnvironment;
  const proxy = redirectProxyUrl === undefined ? {} : { redirectProxyUrl };
  // The application's value takes precedence over the environment, and the environment over the default of a provider's
  // package.
  const isDefault = merged.issuer === undefined || (isPlainObject(value.options) && options.issuer === undefined);
  const home = issuer !== undefined && isDefault ? { issuer } : {};
  const whole = { ...environment, ...proxy, ...definedMembers(merged), ...home };
  const resolution = resolveType(whole, merged, option, env);
  const control = findControlCharacters({ ...fromEnvironment, ...whole }).map((member) => ({
    option: `${option}.${member}`,
    message: `of provider "${id}" has a control character`,
  }));
  const misspelled = findMisspelledMembers(merged, option, wayOf(merged)?.members);
  if ("problems" in resolution || control.length > 0) {
    const others = "problems" in resolution ? resolution.problems : [];
    const isNew = (one: Problem) => !control.some((other) => other.option === one.option);
    return { problems: [...control, ...others.filter(isNew)], notes: misspelled, id, type: merged.type };
  }
  const extension = merged.extension === undefined ? {} : { extension: merged.extension };
  return { ...resolution, ...extension, warnings: [...resolution.warnings, ...misspelled] };
}

/** Resolves a provider by its type. */
function resolveType(
  whole: Record<PropertyKey, unknown>,
  merged: Record<PropertyKey, unknown>,
  option: string,
  env: Environment,
): ProviderResolution {
  const isProduction = env.NODE_ENV === "production";
  switch (merged.type) {
    case "oauth":
    case "oidc":
      return resolveOAuthProvider(assumeOAuth(whole), option, isProduction);
    case "credentials":
      return resolveCredentials(assumeCredentials(merged), option);
    case "email":
      return resolveEmail(
        assumeEmail(whole.apiKey === undefined ? merged : { ...merged, apiKey: whole.apiKey }),
        option,
      );
    case "webauthn":
      return resolveOwnWay(merged, option);
    default: {
      const types = '"oidc", "oauth", "email", "credentials", "webauthn"';
      return problem(`${option}.type`, `of provider "${String(merged.id)}" must be one of ${types}`);
    }
  }
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

function resolveCredentials(provider: CredentialsProvider, option: string): ProviderResolution {
  const { id, name, authorize, credentials, style } = provider;
  if (typeof authorize !== "function") {
    const message = `of provider "${id}" must be a function that returns a user or null`;
    return problem(`${option}.authorize`, message, (text) => new MissingAuthorize(text));
  }
  const resolved: ResolvedCredentialsProvider = {
    kind: "credentials",
    type: "credentials",
    id,
    name: name ?? "Credentials",
    credentials: credentials ?? {},
    authorize: (fields, request) => provider.authorize(fields, request),
    extension: provider.extension,
    style: style ?? {},
  };
  return { provider: resolved, warnings: [] };
}

function definedMembers(members: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> {
  return mergeOptions({}, members);
}

function assumeOAuth(members: Record<PropertyKey, unknown>): OAuthProvider {
  return members as unknown as OAuthProvider;
}

function assumeEmail(members: Record<PropertyKey, unknown>): EmailProvider {
  return members as unknown as EmailProvider;
}

function assumeCredentials(members: Record<PropertyKey, unknown>): CredentialsProvider {
  return members as unknown as CredentialsProvider;
}

function assumeFactory(given: (...options: never[]) => unknown): (options: object) => unknown {
  return given as (options: object) => unknown;
}

/** The providers of a configuration, and all their problems. */
interface ProvidersResolution {
  readonly providers: ReadonlyMap<string, ResolvedProvider>;
  /** The kinds of all providers, including those with problems. */
  readonly kinds: ReadonlySet<ResolvedProvider["kind"]>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The extensions that provider objects carry. */
  readonly carried: readonly GivenExtension[];
}

const KINDS: Readonly<Record<string, ResolvedProvider["kind"]>> = {
  oauth: "oauth",
  oidc: "oauth",
  email: "email",
  credentials: "credentials",
  webauthn: "webauthn",
};

/** Resolves every enabled provider. */
export function resolveProviders(given: AuthConfig, env: Environment): ProvidersResolution {
  const providers = new Map<string, ResolvedProvider>();
  const kinds = new Set<ResolvedProvider["kind"]>();
  const ids: string[] = [];
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const carried: GivenExtension[] = [];
  for (const [index, provider] of given.providers.entries()) {
    // `condition && Provider`: disabled entries are ignored.
    if (isLeftOut(provider)) continue;
    const resolution = resolveProvider(provider, index, env, given.redirectProxyUrl);
    const { id, type } = "provider" in resolution ? resolution.provider : resolution;
    const kind = KINDS[String(type)];
    if (kind !== undefined) kinds.add(kind);
    if (id !== undefined && ids.includes(id))
      problems.push({ option: `providers[${index}].id`, message: `"${id}" is used by another provider` });
    if (id !== undefined) ids.push(id);
    if ("provider" in resolution) {
      providers.set(resolution.provider.id, resolution.provider);
      carried.push({ option: `providers[${index}].extension`, extension: resolution.extension });
    } else problems.push(...resolution.problems);
    warnings.push(...(("provider" in resolution ? resolution.warnings : resolution.notes) ?? []));
  }
  return { providers, kinds, problems, carried, warnings: [...warnings, ...sharedVariableWarnings(new Set(ids))] };
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
