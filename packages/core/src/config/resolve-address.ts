import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Problem } from "../model/sign-in-method.ts";
import { hasControlCharacter, isSecureUrl, parseUrl } from "../protocol/parse-url.ts";
import type { Environment, EnvironmentFacts } from "./env.ts";
import { findOriginProblems } from "./find-origin-problems.ts";

/** Checks the URLs in the environment, and the origins that are compared with one of them. Never throws. */
export function findAddressProblems(env: Environment, facts: EnvironmentFacts, given: AuthConfig): Problem[] {
  const problems: Problem[] = [];
  const control = [env.AUTH_URL, env.NEXTAUTH_URL].some((one) => one !== undefined && hasControlCharacter(one));
  const url = parsePublicUrl(facts.url);
  if (url === null || control) {
    problems.push({ option: "AUTH_URL", message: "must be an http(s) URL such as https://app.example.com" });
  } else if (url !== undefined && !isBasePath(url.pathname)) {
    const message = "must have a path of letters, digits, `.`, `_`, `~`, `-` and single `/`";
    problems.push({ option: "AUTH_URL", message });
  }
  const { AUTH_REDIRECT_PROXY_URL: proxy = "" } = env;
  if (proxy.trim() !== "" && !isProxyUrl(proxy)) {
    problems.push({ option: "AUTH_REDIRECT_PROXY_URL", message: "must be an https URL, or http on a loopback host" });
  }
  return [...problems, ...findOriginProblems(given, url)];
}

/** `AUTH_URL`; undefined if it is not set, null if it is not an http(s) URL. */
export function parsePublicUrl(url: string | undefined): URL | undefined | null {
  if (url === undefined) return undefined;
  const parsed = parseUrl(url);
  return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:") ? parsed : null;
}

/**
 * A path in `AUTH_URL` is the base path; an explicit `basePath` takes precedence. The path of the whole application, including
 * the prefix that a proxy removes, is prepended unless the base path starts with it. If `AUTH_URL` contains only the path of the
 * application, the default base path is used.
 */
export function resolveBasePath(
  { basePath: explicit, strippedPrefix: prefix = "" }: Pick<AuthConfig, "basePath" | "strippedPrefix">,
  pathname: string | undefined,
  fallback: string,
  frameworkPath: string,
): PathResolution {
  const strippedPrefix = prefix.replace(/\/+$/, "");
  const appPath = `${strippedPrefix}${frameworkPath}`;
  const whole = (path: string) => {
    const trimmed = path.replace(/\/+$/, "");
    return `${trimmed}/`.startsWith(`${appPath}/`) ? trimmed : `${appPath}${trimmed}`;
  };
  const inUrl = pathname === undefined || ["", appPath].includes(pathname.replace(/\/+$/, "")) ? undefined : pathname;
  const basePath = whole(explicit ?? inUrl ?? fallback);
  const conflict = inUrl !== undefined && basePath !== whole(inUrl);
  const warning = `env-url-basepath-mismatch: AUTH_URL has path ${inUrl} but \`basePath\` is ${explicit}; using \`basePath\`.`;
  const receivedPath = basePath.slice(strippedPrefix.length);
  return { basePath, strippedPrefix, receivedPath, warnings: conflict ? [warning] : [] };
}

/** Where the endpoints are: for browsers, and for requests as they arrive. */
type PathResolution = Pick<ResolvedConfig, "basePath" | "strippedPrefix" | "receivedPath"> & {
  readonly warnings: readonly string[];
};

/** A request's host must be configured or trusted; otherwise requests get status 500 (`UntrustedHost`). */
export function findHostWarnings(given: AuthConfig, facts: EnvironmentFacts): string[] {
  if (facts.isProduction && facts.url !== undefined && !isSecureUrl(facts.url))
    return ["insecure-url: AUTH_URL is not https, so sessions can be read on the network."];
  const trustHost = given.trustHost ?? facts.trustHost;
  if (trustHost === true || facts.url !== undefined) return [];
  const which = trustHost === false ? "every request" : "every request to a host other than localhost";
  const development = facts.isProduction ? "" : ", or NODE_ENV=development on a developer's machine";
  return [
    `untrusted-host: ${which} will fail with status 500 (UntrustedHost). Set AUTH_URL=https://app.example.com, with your public URL${development}. Behind a proxy that sets the Host header, AUTH_TRUST_HOST=true also works.`,
  ];
}

/** No segments that a URL parser would remove or join, because no request could match them. */
const BASE_PATH = /^(?=\/)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/;

/** Whether a path, from the configuration or from `AUTH_URL`, can be the base path: it has exactly one spelling. */
export function isBasePath(path: string): boolean {
  return BASE_PATH.test(path);
}

/** Authorization codes pass through the proxy, so its URL must be secure; URL parsers drop some control characters. */
export function isProxyUrl(url: string): boolean {
  return isSecureUrl(url) && !hasControlCharacter(url);
}
