import { decode, encode } from "../crypto/jwt.ts";
import { randomHex } from "../crypto/primitives.ts";
import type { AuthConfig } from "../model/config.ts";
import { skipCSRFCheck } from "../model/config.ts";
import { InvalidConfiguration, MissingSecretError } from "../model/errors.ts";
import type { ResolvedConfig, ResolvedCookies, ResolvedProvider } from "../model/resolved-config.ts";
import { DEFAULT_SESSION_MAX_AGE, DEFAULT_SESSION_UPDATE_AGE } from "../model/units.ts";
import { requireAdapterMethods, resolveStrategy } from "./check-adapter.ts";
import { resolveCookies } from "./cookie-defaults.ts";
import { type Environment, type EnvironmentFacts, readEnvironment } from "./env.ts";
import type { Problem } from "./resolution.ts";
import { resolveProvider } from "./resolve-provider.ts";
import { findPasskeyProblems, requireOneAutofill } from "./resolve-webauthn.ts";
import { findShapeProblems } from "./validate-config.ts";

/** A resolved configuration and what the operator should know about it. */
export interface Resolution {
  readonly config: ResolvedConfig;
  /** `code: explanation`, each to be logged once. */
  readonly warnings: readonly string[];
}

/** A secret shorter than the key it makes is easier to guess than the key. */
const MIN_SECRET_BYTES = 32;

/**
 * Fills in defaults and environment and checks everything. The given object is neither changed nor kept where a copy does.
 *
 * @param defaultBasePath used where neither the configuration nor `AUTH_URL` names one: `/auth`, in Next.js `/api/auth`.
 * @param fallbackSecret used outside production where no secret is configured; the same for every configuration of one application.
 * @param outerPath in front of every path of the application, as its framework was told; empty for none.
 * @throws InvalidConfiguration naming every problem at once; MissingAdapter, MissingAdapterMethods; MissingSecretError in
 *   production without a secret.
 */
export function resolveConfig(
  given: AuthConfig,
  env: Environment,
  defaultBasePath: string,
  fallbackSecret: string = randomHex(),
  outerPath = "",
): Resolution {
  const shape = findShapeProblems(given);
  if (shape.length > 0) throw invalid(shape);
  const facts = readEnvironment(env);
  const url = parsePublicUrl(facts.url);
  const { providers, problems, warnings } = resolveProviders(given, env);
  const cookies = {
    secure: resolveCookies(given.cookies ?? {}, true),
    plain: resolveCookies(given.cookies ?? {}, false),
  };
  problems.push(...findSharedNames(cookies.secure), ...findPasskeyProblems(given, providers.values()));
  if (url === null)
    problems.push({ option: "AUTH_URL", message: "must be an http(s) URL such as https://app.example.com" });
  if (problems.length > 0) throw invalid(problems);
  requireAdapterMethods(given, providers.values());
  requireOneAutofill(providers.values());
  const { basePath, warning } = resolveBasePath(given.basePath, url?.pathname, defaultBasePath, outerPath);
  const { secrets, warnings: secretWarnings } = resolveSecrets(given, facts, fallbackSecret);
  const jwt = resolveJwt(given, secrets);
  const config: ResolvedConfig = {
    basePath,
    fixedOrigin: url === undefined || url === null ? undefined : url.origin,
    trustHost: given.trustHost ?? facts.trustHost ?? true,
    providers,
    adapter: given.adapter,
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
    concealed: [...secrets, ...jwt.secrets, ...providerSecretsOf(providers)],
    redirectProxyOrigins: given.redirectProxyOrigins ?? [],
    csrfEnabled: given.skipCSRFCheck !== skipCSRFCheck,
  };
  const others = [warning, experimentalWarning(given)].filter((one) => one !== undefined);
  return { config: Object.freeze(config), warnings: [...warnings, ...secretWarnings, ...others] };
}

function invalid(problems: readonly Problem[]): InvalidConfiguration {
  const lines = problems.map(({ option, message }) => `  - \`${option}\` ${message}`);
  return new InvalidConfiguration(
    `The configuration has ${problems.length === 1 ? "a problem" : "problems"}:\n${lines.join("\n")}\n`,
  );
}

function resolveProviders(given: AuthConfig, env: Environment) {
  const providers = new Map<string, ResolvedProvider>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const [index, provider] of given.providers.entries()) {
    const resolution = resolveProvider(provider, index, env, given.redirectProxyUrl);
    if ("problem" in resolution) {
      problems.push(resolution.problem);
      continue;
    }
    const { id } = resolution.provider;
    if (providers.has(id))
      problems.push({ option: `providers[${index}].id`, message: `"${id}" is used by another provider` });
    providers.set(id, resolution.provider);
    warnings.push(...resolution.warnings);
  }
  return { providers, problems, warnings };
}

function experimentalWarning(given: AuthConfig): string | undefined {
  if (given.experimental?.enableWebAuthn !== true) return undefined;
  return "experimental-webauthn: passkeys are an experiment; they may change or be removed without notice.";
}

/**
 * One name for two purposes would let one value be read as the other (CVE-2023-48309). A large session takes the names
 * `<name>.0`, `<name>.1` and so on, too.
 */
function findSharedNames(cookies: ResolvedCookies): Problem[] {
  const { sessionToken } = cookies;
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [key, cookie] of Object.entries(cookies)) {
    const other = seen.get(cookie.name);
    if (other !== undefined)
      problems.push({ option: `cookies.${key}.name`, message: `is also the name of \`cookies.${other}\`` });
    seen.set(cookie.name, key);
    const suffix = cookie.name.startsWith(`${sessionToken.name}.`) && cookie.name.slice(sessionToken.name.length + 1);
    if (suffix && /^\d+$/.test(suffix))
      problems.push({ option: `cookies.${key}.name`, message: "is also the name of a part of `cookies.sessionToken`" });
  }
  return problems;
}

function parsePublicUrl(url: string | undefined): URL | undefined | null {
  if (url === undefined) return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed : null;
}

/**
 * A path in `AUTH_URL` is the base path; an explicit `basePath` wins over it (contract 14). The path of the whole application
 * is put in front of what does not begin with it; in `AUTH_URL` it alone says nothing of where the actions are.
 */
function resolveBasePath(explicit: string | undefined, pathname: string | undefined, fallback: string, outer: string) {
  const whole = (path: string) => {
    const trimmed = path.replace(/\/+$/, "");
    return `${trimmed}/`.startsWith(`${outer}/`) ? trimmed : `${outer}${trimmed}`;
  };
  const inUrl = pathname === undefined || ["", outer].includes(pathname.replace(/\/+$/, "")) ? undefined : pathname;
  const basePath = whole(explicit ?? inUrl ?? fallback);
  const conflict = inUrl !== undefined && basePath !== whole(inUrl);
  const warning = `env-url-basepath-mismatch: AUTH_URL has the path ${inUrl}, \`basePath\` is ${explicit}; \`basePath\` is used.`;
  return { basePath, warning: conflict ? warning : undefined };
}

function resolveSecrets(
  given: AuthConfig,
  facts: EnvironmentFacts,
  fallbackSecret: string,
): { secrets: string[]; warnings: string[] } {
  const own = toList(given.secret);
  const secrets = [...(own.length > 0 ? own : facts.secrets)];
  if (secrets.length === 0 && facts.isProduction) {
    throw new MissingSecretError(
      "Set AUTH_SECRET, or `secret`, to a random value of 32 bytes or more, such as `openssl rand -base64 32` prints.",
    );
  }
  if (secrets.length === 0) {
    const warning =
      "missing-secret: no AUTH_SECRET is set, so a random one is used: every session ends when this process does.";
    return { secrets: [fallbackSecret], warnings: [warning] };
  }
  const short = secrets.some((secret) => new TextEncoder().encode(secret).byteLength < MIN_SECRET_BYTES);
  return { secrets, warnings: short ? ["short-secret: a secret is shorter than 32 bytes and could be guessed."] : [] };
}

function toList(secret: AuthConfig["secret"]): string[] {
  const list: readonly (string | undefined)[] = typeof secret === "string" ? [secret] : (secret ?? []);
  return list.filter((candidate): candidate is string => candidate !== undefined && candidate.trim() !== "");
}

function resolveSession(given: AuthConfig): ResolvedConfig["session"] {
  const {
    maxAge = DEFAULT_SESSION_MAX_AGE,
    updateAge = DEFAULT_SESSION_UPDATE_AGE,
    generateSessionToken,
  } = given.session ?? {};
  return {
    strategy: resolveStrategy(given),
    maxAge,
    updateAge,
    generateSessionToken: generateSessionToken ?? randomHex,
  };
}

function resolveJwt(given: AuthConfig, secrets: readonly string[]): ResolvedConfig["jwt"] {
  const own = toList(given.jwt?.secret);
  return {
    secrets: own.length > 0 ? own : secrets,
    maxAge: given.jwt?.maxAge ?? given.session?.maxAge ?? DEFAULT_SESSION_MAX_AGE,
    encode: given.jwt?.encode ?? encode,
    decode: given.jwt?.decode ?? decode,
  };
}

function providerSecretsOf(providers: ReadonlyMap<string, ResolvedProvider>): string[] {
  const secrets = [...providers.values()].flatMap((provider) => {
    if (provider.kind === "oauth") return provider.clientSecret;
    return provider.kind === "email" ? [provider.secret, provider.source.apiKey] : undefined;
  });
  return secrets.filter((secret) => secret !== undefined);
}
