import type { AuthConfig } from "../model/config.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import type { Store } from "../model/store.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import type { Environment } from "./env.ts";

/** Warnings about a valid configuration. Never throws. */
export function findStartupWarnings(
  given: AuthConfig,
  providers: readonly ResolvedProvider[],
  origin: string | undefined,
): string[] {
  return [
    ...experimentalWarnings(given),
    ...cookieWarnings(given),
    ...logoWarnings(given, providers, origin),
    ...pageWarnings(given, origin),
  ];
}

/** Where several processes, or processes that come and go, answer the requests of one application. */
const SERVERLESS = ["VERCEL", "CF_PAGES", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY", "K_SERVICE", "FUNCTION_TARGET"];
/** Set in the worker processes of Node's `cluster` and of pm2. */
const ONE_OF_SEVERAL = ["NODE_UNIQUE_ID", "NODE_APP_INSTANCE"];

/**
 * A store that only this process sees does not hold where there are several: limits count once for each, and what was ended in one
 * goes on in the others. Never throws.
 */
export function findStoreWarnings(store: Store | undefined, env: Environment, isProduction: boolean): string[] {
  if (store?.scope !== "process") return [];
  const sign = [...SERVERLESS, ...ONE_OF_SEVERAL].find((name) => env[name] !== undefined && env[name] !== "");
  if (sign === undefined && !isProduction) return [];
  const reason = sign === undefined ? "in production" : `where ${sign} says that there are several processes`;
  return [
    `memory-store: the store is in the memory of this process, which does not hold ${reason}: use a store that all processes share, such as @cardea/store-redis; \`memoryStore({ instances: 1 })\` says that there is never more than one.`,
  ];
}

function experimentalWarnings(given: AuthConfig): string[] {
  if (given.experimental?.enableWebAuthn !== true) return [];
  return ["experimental-webauthn: passkeys are experimental; they may change or be removed without notice."];
}

/** Auth.js keeps a pending sign-in in three cookies; here it is one (docs/cookies.md). */
function cookieWarnings({ cookies }: AuthConfig): string[] {
  const unused = (["pkceCodeVerifier", "nonce"] as const).filter((key) => cookies?.[key]?.name !== undefined);
  return unused.map(
    (key) =>
      `unused-cookie-name: \`cookies.${key}.name\` is not used: a pending sign-in is one cookie, named by \`cookies.state\`.`,
  );
}

/** The pages allow images of the application's own origin only, so that no other site learns who signs in. */
function logoWarnings({ theme }: AuthConfig, providers: readonly ResolvedProvider[], origin: string | undefined) {
  const isForeign = (logo: unknown) => typeof logo === "string" && isOnOtherHost(logo, origin);
  const names = [
    ...(isForeign(theme?.logo) ? ["`theme.logo`"] : []),
    ...providers.filter(({ style }) => isForeign(style.logo)).map(({ id }) => `provider "${id}"`),
  ];
  if (names.length === 0) return [];
  return [
    `foreign-logo: the logo of ${names.join(", ")} is on another host and is never shown. Use a path of the application or a \`data:\` URL.`,
  ];
}

/**
 * A guard lets a page with its own host through only on a configured origin. If the host of a request is taken from its
 * headers, anyone could name that host, and would be let through to the same path here.
 */
function pageWarnings({ pages = {} }: AuthConfig, origin: string | undefined) {
  const absolute = Object.entries(pages).filter(([, page]) => typeof page === "string" && !page.startsWith("/"));
  if (absolute.length === 0 || origin !== undefined) return [];
  const names = absolute.map(([name]) => `\`pages.${name}\``).join(", ");
  return [
    `absolute-page: ${names} names a host, and this application's own host is known from request headers alone, so the guard does not let visitors through to it: set AUTH_URL, or use a path where the page is part of this application.`,
  ];
}

/** Without a configured origin, no absolute URL is known to be ours; the pages decide by the host of each request. */
function isOnOtherHost(logo: string, origin: string | undefined): boolean {
  if (!/^(?:https?:|[\\/]{2})/i.test(logo.trim())) return false;
  const base = origin ?? "https://host.invalid";
  return parseUrl(logo, base)?.host !== new URL(base).host;
}
