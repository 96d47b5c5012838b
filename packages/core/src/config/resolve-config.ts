import { randomHex } from "../crypto/random-hex.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import { skipCSRFCheck } from "../model/config.ts";
import type { ResolvedConfig, ResolvedCookies } from "../model/resolved-config.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import {
  DEFAULT_SESSION_MAX_AGE,
  DEFAULT_SESSION_UPDATE_AGE,
  DEFAULT_TOKEN_CACHE,
  MAX_LIFETIME,
} from "../model/units.ts";
import { findAdapterProblems, resolveStrategy } from "./check-adapter.ts";
import { resolveCookies } from "./cookie-defaults.ts";
import { type Environment, readEnvironment } from "./env.ts";
import { findUnknownOptions } from "./find-unknown-options.ts";
import { OPTIONS } from "./options.ts";
import { type Problem, requireNoProblem } from "./resolution.ts";
import { findAddressProblems, findHostWarnings, parsePublicUrl, resolveBasePath } from "./resolve-address.ts";
import { findOwnWayProblems } from "./resolve-own-way.ts";
import { resolveProviders } from "./resolve-providers.ts";
import { findSecretProblems, listSecrets, resolveSecrets } from "./resolve-secrets.ts";
import { findStartupWarnings, findStoreWarnings } from "./startup-warnings.ts";
import { useExtensions } from "./use-extensions.ts";
import { checkShape } from "./validate-config.ts";

/** A resolved configuration, and warnings for the operator. */
export interface Resolution {
  readonly config: ResolvedConfig;
  /** `code: explanation`, each to be logged once. */
  readonly warnings: readonly string[];
}

/**
 * Applies defaults and environment, and validates everything. The given object is not changed, and copied where possible.
 *
 * @param defaultBasePath used if neither the configuration nor `AUTH_URL` contains one: `/auth`, in Next.js `/api/auth`.
 * @param appPath the application's path prefix, known to its framework; empty for none.
 * @param application the identity of the application; the same for every configuration of one application.
 * @throws InvalidConfiguration listing every problem; if there is only one: MissingSecretError, MissingAdapter,
 *   MissingAdapterMethods, MissingAuthorize, UnsupportedStrategy, DuplicateConditionalUI, MissingWebAuthnAutocomplete.
 */
export function resolveConfig(
  given: AuthConfig,
  env: Environment,
  defaultBasePath: string,
  appPath = "",
  application: object = {},
): Resolution {
  const { problems: shape, usable } = checkShape(given);
  const facts = readEnvironment(env);
  const address = findAddressProblems(env, facts, usable);
  const { providers, kinds, problems, warnings, carried } = resolveProviders(usable, withoutProblems(env, address));
  const { extensions, problems: extensionProblems, warnings: told } = useExtensions(usable, carried);
  const cookies = resolveBothCookies(usable);
  const further = [
    ...problems,
    ...findSharedNames(cookies),
    ...findOwnWayProblems(usable, providers.values(), kinds),
    ...address,
    ...findAdapterProblems(usable, kinds),
    ...findCodeProblems(usable, providers.values()),
    ...findSecretProblems(usable, facts),
    ...extensionProblems,
  ];
  const unknown = findUnknownOptions(given, OPTIONS);
  const host = findHostWarnings(usable, facts);
  requireNoProblem([...shape, ...withoutConsequences(further, shape)], [...unknown, ...warnings, ...host]);
  const url = parsePublicUrl(facts.url);
  const { warnings: pathWarnings, ...paths } = resolveBasePath(given, url?.pathname, defaultBasePath, appPath);
  const { secrets, warnings: secretWarnings } = resolveSecrets(given, facts, application);
  const jwt = resolveJwt(given, secrets);
  const config: ResolvedConfig = {
    application,
    ...paths,
    fixedOrigin: url === undefined || url === null ? undefined : url.origin,
    origins: given.origins ?? [],
    isProduction: facts.isProduction,
    trustHost: given.trustHost ?? facts.trustHost,
    encodedSlashes: given.encodedSlashes ?? "refuse",
    providers,
    // The required methods were checked above; results are validated at each call.
    adapter: given.adapter as Adapter | undefined,
    // Its methods were checked above.
    store: given.store ?? (given.adapter as Adapter | undefined)?.store,
    extensions,
    secrets,
    session: resolveSession(given),
    jwt,
    useSecureCookies: given.useSecureCookies,
    cookies,
    callbacks: given.callbacks ?? {},
    events: given.events ?? {},
    pages: given.pages ?? {},
    theme: given.theme ?? {},
    texts: given.texts ?? {},
    logger: given.logger ?? {},
    debug: given.debug === true && given.logger === undefined,
    redacted: [...secrets, ...jwt.secrets, ...providerSecretsOf(providers)],
    redirectProxyOrigins: given.redirectProxyOrigins ?? [],
    redirectSchemes: given.redirectSchemes ?? [],
    csrfEnabled: given.skipCSRFCheck !== skipCSRFCheck,
  };
  const others = findStartupWarnings(given, [...providers.values()], config.fixedOrigin);
  const store = findStoreWarnings(config.store, env, facts.isProduction);
  const all = [...warnings, ...secretWarnings, ...unknown, ...host, ...pathWarnings, ...store, ...others, ...told];
  return { config: Object.freeze(config), warnings: all };
}

/** On https and on http. */
function resolveBothCookies({ cookies = {} }: AuthConfig): ResolvedConfig["cookies"] {
  return { secure: resolveCookies(cookies, true), plain: resolveCookies(cookies, false) };
}

/** Attempts at codes are counted in the store. Without one, every process, or even every request, would start counting at 0. */
function findCodeProblems({ store, adapter }: AuthConfig, providers: Iterable<ResolvedProvider>): Problem[] {
  const sender = [...providers].find((one) => one.kind === "email" && one.code);
  if (sender === undefined || store !== undefined || (adapter as Adapter | undefined)?.store !== undefined) return [];
  return [
    {
      option: "store",
      message: `is missing: \`code: true\` of provider "${sender.id}" requires it (docs/stores.md)`,
    },
  ];
}

/** The environment without the variables that have a problem, so that each problem is reported once. */
function withoutProblems(env: Environment, problems: readonly Problem[]): Environment {
  return problems.length === 0
    ? env
    : Object.fromEntries(Object.entries(env).filter(([name]) => !problems.some(({ option }) => option === name)));
}

/** Options with a wrong type were removed, so a later check may find them missing. That is not a second problem. */
function withoutConsequences(problems: readonly Problem[], shape: readonly Problem[]): Problem[] {
  const within = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
  return problems.filter(({ option }) => !shape.some((one) => one.option === "config" || within(option, one.option)));
}

/**
 * With one name for two purposes, one value could be read as the other (CVE-2023-48309). A large session also uses the
 * names `<name>.0`, `<name>.1` and so on.
 */
function findSharedNames({ secure, plain }: ResolvedConfig["cookies"]): Problem[] {
  const problems = findShared(secure);
  // On http the names have no prefix.
  return problems.length > 0 ? problems : findShared(plain);
}

function findShared(cookies: ResolvedCookies): Problem[] {
  const { sessionToken } = cookies;
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [key, cookie] of Object.entries(cookies)) {
    const other = seen.get(cookie.name);
    if (other !== undefined)
      problems.push({ option: `cookies.${key}.name`, message: `is also used by \`cookies.${other}\`` });
    seen.set(cookie.name, key);
    const suffix = cookie.name.startsWith(`${sessionToken.name}.`) && cookie.name.slice(sessionToken.name.length + 1);
    if (suffix && /^\d+$/.test(suffix))
      problems.push({
        option: `cookies.${key}.name`,
        message: "is also used for a part of a large `cookies.sessionToken`",
      });
  }
  return problems;
}

function resolveSession(given: AuthConfig): ResolvedConfig["session"] {
  const {
    maxAge = DEFAULT_SESSION_MAX_AGE,
    updateAge = DEFAULT_SESSION_UPDATE_AGE,
    absolute,
    generateSessionToken,
  } = given.session ?? {};
  return {
    strategy: resolveStrategy(given),
    maxAge: Math.min(maxAge, MAX_LIFETIME),
    updateAge,
    absolute,
    generateSessionToken: generateSessionToken ?? (() => randomHex()),
  };
}

function resolveJwt(given: AuthConfig, secrets: readonly string[]): ResolvedConfig["jwt"] {
  const own = listSecrets(given.jwt?.secret);
  return {
    secrets: own.length > 0 ? own : secrets,
    maxAge: Math.min(given.jwt?.maxAge ?? given.session?.maxAge ?? DEFAULT_SESSION_MAX_AGE, MAX_LIFETIME),
    encode: given.jwt?.encode,
    decode: given.jwt?.decode,
    tokenCache: given.jwt?.tokenCache ?? DEFAULT_TOKEN_CACHE,
  };
}

function providerSecretsOf(providers: ReadonlyMap<string, ResolvedProvider>): string[] {
  const secrets = [...providers.values()].flatMap((provider) => {
    if (provider.kind === "oauth") return provider.clientSecret;
    if (provider.kind === "webauthn") return provider.secrets;
    return provider.kind === "email" ? [provider.secret, provider.source.apiKey] : undefined;
  });
  return secrets.filter((secret) => secret !== undefined);
}
