import type { Environment } from "../config/env.ts";
import { sessionLifetime } from "../config/resolve-session.ts";
import type { AuthConfig } from "../model/config.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { Store } from "../model/store.ts";
import { parseUrl } from "../protocol/parse-url.ts";

/** Warnings about a valid configuration. Never throws. */
export function findStartupWarnings(
  given: AuthConfig,
  providers: readonly ResolvedProvider[],
  origin: string | undefined,
): string[] {
  return [
    ...experimentalWarnings(given),
    ...cookieWarnings(given),
    ...renewalWarnings(given),
    ...logoWarnings(given, providers, origin),
    ...pageWarnings(given, origin),
    ...subjectWarnings(given, providers),
  ];
}

/** Variables of platforms that run several or short-lived processes for one application. */
const SERVERLESS = ["VERCEL", "CF_PAGES", "AWS_LAMBDA_FUNCTION_NAME", "NETLIFY", "K_SERVICE", "FUNCTION_TARGET"];
/** Set in the worker processes of Node's `cluster` and of pm2. */
const ONE_OF_SEVERAL = ["NODE_UNIQUE_ID", "NODE_APP_INSTANCE"];

/**
 * Warns if a store in memory is used by several processes: each would count limits separately, and a session that ended in one
 * would stay valid in the others. Never throws.
 */
export function findStoreWarnings(store: Store | undefined, env: Environment): string[] {
  if (store?.scope !== "process") return [];
  const sign = [...SERVERLESS, ...ONE_OF_SEVERAL].find((name) => env[name] !== undefined && env[name] !== "");
  if (sign === undefined && env.NODE_ENV !== "production") return [];
  const reason = sign === undefined ? "in production" : `although ${sign} indicates several processes`;
  return [
    `memory-store: the store is in the memory of this process, which is not suitable ${reason}. Use a store that all processes share, such as @cardea/store-redis, or declare a single process with \`memoryStore({ instances: 1 })\`.`,
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

/** A session that ends before it is due for renewal ends however often it is used. */
function renewalWarnings(given: AuthConfig): string[] {
  const { updateAge } = given.session ?? {};
  const lifetime = sessionLifetime(given);
  if (updateAge === undefined || updateAge < lifetime) return [];
  return [
    `no-renewal: \`session.updateAge\` is ${updateAge} seconds, but a session ends after ${lifetime}. No session is renewed: users are signed out while they use the application. Set a smaller \`session.updateAge\`, or remove it.`,
  ];
}

/** Without a database the id of `authorize` is the subject of the session. It has no prefix: both may check the same users. */
function subjectWarnings({ adapter }: AuthConfig, providers: readonly ResolvedProvider[]): string[] {
  const ids = providers.filter(({ kind }) => kind === "credentials").map(({ id }) => `"${id}"`);
  if (adapter || ids.length < 2) return [];
  return [
    `shared-subjects: without a database, users of the providers ${ids.join(" and ")} with the same id are the same user. If they are different users, return ids with different prefixes from \`authorize\`.`,
  ];
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
 * A page given as an absolute URL is open to visitors only if it is on the configured origin. If the host came from request
 * headers, a visitor could send that host and reach the same path in this application.
 */
function pageWarnings({ pages = {} }: AuthConfig, origin: string | undefined) {
  const absolute = Object.entries(pages).filter(([, page]) => typeof page === "string" && !page.startsWith("/"));
  if (absolute.length === 0 || origin !== undefined) return [];
  const names = absolute.map(([name]) => `\`pages.${name}\``).join(", ");
  return [
    `absolute-page: ${names} contains a host, but this application's host is known only from request headers, so the guard blocks the page. Set AUTH_URL, or use a path if the page is part of this application.`,
  ];
}

/** Without a configured origin, any absolute URL counts as another host here; the pages compare it with each request's host. */
function isOnOtherHost(logo: string, origin: string | undefined): boolean {
  if (!/^(?:https?:|[\\/]{2})/i.test(logo.trim())) return false;
  const base = origin ?? "https://host.invalid";
  return parseUrl(logo, base)?.host !== new URL(base).host;
}
