import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig, PagesOptions } from "../model/config.ts";
import { skipCSRFCheck } from "../model/config.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import type { ResolvedConfig, ResolvedCookies } from "../model/resolved-config.ts";
import type { Problem } from "../model/sign-in-method.ts";
import { parseRequestPath } from "../protocol/request-target.ts";
import { resolveCookies } from "./cookie-defaults.ts";
import { type Environment, type EnvironmentFacts, readEnvironment } from "./env.ts";
import type { Checks, Draft, Parts } from "./parts.ts";
import { findAddressProblems, findHostWarnings, parsePublicUrl, resolveBasePath } from "./resolve-address.ts";
import { resolveProviders } from "./resolve-providers.ts";
import { findSecretProblems, resolveSecrets } from "./resolve-secrets.ts";
import { resolveJwt, resolveSession } from "./resolve-session.ts";
import { useExtensions } from "./use-extensions.ts";

/** A resolved configuration, and warnings for the operator. */
export interface Resolution {
  readonly config: ResolvedConfig;
  /** `code: explanation`, each to be logged once. */
  readonly warnings: readonly string[];
}

/** What the framework and the application tell about a configuration. */
interface Deployment {
  /** Used if neither the configuration nor `AUTH_URL` contains one: `/auth`, in Next.js `/api/auth`. */
  readonly defaultBasePath: string;
  /** The application's path prefix, known to its framework; default: none. */
  readonly appPath?: string;
  /** The identity of the application; the same for every configuration of one application. */
  readonly application?: object;
}

/**
 * Applies defaults and environment, and validates everything. The given object is not changed, and copied where possible.
 *
 * @throws InvalidConfiguration listing every problem; if there is only one: MissingSecretError, MissingAdapter,
 *   MissingAdapterMethods, MissingAuthorize, UnsupportedStrategy, DuplicateConditionalUI, MissingWebAuthnAutocomplete.
 */
export function resolveConfig(
  given: AuthConfig,
  env: Environment,
  parts: Parts,
  { defaultBasePath, appPath = "", application = {} }: Deployment,
): Resolution {
  const facts = readEnvironment(env);
  const { checks = unchecked, methods: brought } = parts;
  const { draft, problems, warnings } = checks(given, env, (usable) => draftConfig(usable, env, facts, brought));
  requireNoProblem(problems, warnings);
  const { providers, methods, extensions, cookies } = draft;
  const url = parsePublicUrl(facts.url);
  const { warnings: pathWarnings, ...paths } = resolveBasePath(given, url?.pathname, defaultBasePath, appPath);
  const { secrets, warnings: secretWarnings } = resolveSecrets(given, facts, application);
  const jwt = resolveJwt(given, secrets);
  // Its methods are checked by the part `checks`; results are validated at each call.
  const adapter = given.adapter as Adapter | undefined;
  const store = given.store ?? adapter?.store;
  const config: ResolvedConfig = {
    application,
    ...paths,
    fixedOrigin: url === undefined || url === null ? undefined : url.origin,
    origins: given.origins ?? [],
    isProduction: facts.isProduction,
    trustHost: given.trustHost ?? facts.trustHost,
    encodedSlashes: given.encodedSlashes ?? "refuse",
    providers,
    methods,
    adapter,
    accounts: adapter && parts.accounts?.({ adapter, store }),
    store,
    extensions,
    secrets,
    session: resolveSession(given),
    jwt,
    useSecureCookies: given.useSecureCookies,
    cookies,
    callbacks: given.callbacks ?? {},
    events: given.events ?? {},
    pages: spellPages(given.pages ?? {}),
    theme: given.theme ?? {},
    texts: given.texts ?? {},
    logger: given.logger ?? {},
    debug: given.debug === true && given.logger === undefined,
    redacted: [...secrets, ...jwt.secrets, ...draft.secrets],
    redirectProxyOrigins: given.redirectProxyOrigins ?? [],
    redirectSchemes: given.redirectSchemes ?? [],
    csrfEnabled: given.skipCSRFCheck !== skipCSRFCheck,
  };
  return { config: Object.freeze(config), warnings: [...secretWarnings, ...pathWarnings, ...warnings] };
}

/** The path of a page in the spelling that the guard compares; browsers are redirected to it. */
function spellPath(path: string): string {
  const read = parseRequestPath(path);
  return read.kind === "refused" ? path : `${read.canonical}${/.\/$/.test(path) ? "/" : ""}`;
}

const PATH_OF_PAGE = /(?<=^(?:https?:\/\/[^/?#]*)?)\/[^?#]*/i;
const spellPages = (pages: PagesOptions): PagesOptions =>
  Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, page?.replace(PATH_OF_PAGE, spellPath)]));

/**
 * Reports all problems in one error.
 *
 * @param notes additional lines for the message that would otherwise be warnings, such as a misspelled option.
 * @throws the problem's own error if it is the only one, else InvalidConfiguration; does nothing without a problem.
 */
function requireNoProblem(problems: readonly Problem[], notes: readonly string[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const noted = notes.map((note) => `  - ${note}\n`).join("");
  if (first.error !== undefined && problems.length === 1) {
    throw first.error(`\`${first.option}\` ${first.message}.${noted && `\n${noted}`}`);
  }
  const lines = problems.map(({ option, message }) => `  - \`${option}\` ${message}\n`);
  const headline = `The configuration has ${problems.length === 1 ? "a problem" : "problems"}:`;
  throw new InvalidConfiguration(`${headline}\n${lines.join("")}${noted}`);
}

const unchecked: Checks = (given, _env, resolve) => {
  const draft = resolve(given);
  return { draft, problems: draft.problems, warnings: draft.warnings };
};

/** What does not depend on the checks. */
function draftConfig(usable: AuthConfig, env: Environment, facts: EnvironmentFacts, methods: Parts["methods"]): Draft {
  const address = findAddressProblems(env, facts, usable);
  const resolved = resolveProviders(usable, withoutProblems(env, address), methods);
  const { extensions, problems: extensionProblems, warnings: told } = useExtensions(usable, resolved.carried);
  const cookies = resolveBothCookies(usable);
  const problems = [
    ...resolved.problems,
    ...findSharedNames(cookies),
    ...address,
    ...findSecretProblems(usable, facts),
    ...extensionProblems,
  ];
  const warnings = [...resolved.warnings, ...findHostWarnings(usable, facts), ...told];
  return { ...resolved, extensions, cookies, problems, warnings };
}

/** On https and on http. */
function resolveBothCookies({ cookies = {} }: AuthConfig): ResolvedConfig["cookies"] {
  return { secure: resolveCookies(cookies, true), plain: resolveCookies(cookies, false) };
}

/** The environment without the variables that have a problem, so that each problem is reported once. */
function withoutProblems(env: Environment, problems: readonly Problem[]): Environment {
  return problems.length === 0
    ? env
    : Object.fromEntries(Object.entries(env).filter(([name]) => !problems.some(({ option }) => option === name)));
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
