import { createLateLogger, type LateLogger } from "../log/late-logger.ts";
import type { NamedValues } from "../log/redactor.ts";
import type { ActionContext, CookieJar, FlowContext } from "../model/context.ts";
import { InvalidHost, InvalidProvider, UntrustedHost } from "../model/errors.ts";
import type { ExtensionRunner } from "../model/extension-runner.ts";
import { loadOnce } from "../model/load-once.ts";
import { findRecent, keepRecent } from "../model/recent.ts";
import type { Account, Awaitable } from "../model/records.ts";
import type { ResolvedConfig, ResolvedCookies } from "../model/resolved-config.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";
import type { Cookie } from "../model/result.ts";
import type { LoadedMethod, SignInMethod } from "../model/sign-in-method.ts";
import { isLoopbackHost, parseUrl, requestScheme } from "../protocol/parse-url.ts";
import { parseCookieHeader, type ReceivedCookies, withoutPrefix } from "../protocol/received-cookies.ts";

/** A host name or address with an optional port (RFC 3986 §3.2.2), and nothing that a URL parser could read as more. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A host name has at most 253 characters (RFC 1035 §2.3.4), a port with its colon six. */
const MAX_HOST_LENGTH = 253 + ":65535".length;

/**
 * The origin that the browser sees (docs/behaviour.md#trusted-origin).
 *
 * 1. `AUTH_URL` if set, whatever the request contains.
 * 2. Otherwise, if the host is trusted, the first value of `X-Forwarded-Host` and `X-Forwarded-Proto`, then `Host`, then
 *    the URL of the request.
 * 3. Without a setting, see {@link requireLoopback}. Otherwise it is unknown.
 *
 * @param url of the request, as the server sees it.
 * @throws UntrustedHost (3), InvalidHost if a header is malformed.
 */
export function resolvePublicOrigin(
  config: Pick<ResolvedConfig, "fixedOrigin" | "trustHost">,
  headers: Pick<Headers, "get">,
  url: string,
): string {
  if (config.fixedOrigin !== undefined) return config.fixedOrigin;
  if (config.trustHost !== true) requireLoopback(config.trustHost, headers, url);
  const forwardedHost = firstValue(headers.get("x-forwarded-host"));
  const forwardedProto = firstValue(headers.get("x-forwarded-proto"));
  const host = forwardedHost ?? headers.get("host") ?? new URL(url).host;
  const given = forwardedProto ?? protocolOf(url);
  const protocol = origins.has(given) ? given : requestScheme(given, headers.get("upgrade"));
  const known = origins.get(protocol);
  const origin = known && findRecent(known, host, MAX_ORIGINS);
  if (origin !== undefined) return origin;
  const isHost = known !== undefined && isHostName(host);
  const parsed = isHost ? parseUrl(`${protocol}://${host}`) : null;
  if (known === undefined || parsed === null)
    throw new InvalidHost("The Host, X-Forwarded-Host or X-Forwarded-Proto header of the request is malformed.");
  return keepRecent(known, host, parsed.origin, MAX_ORIGINS);
}

/** Headers that proxies add: the request did not come from this machine, whatever its `Host` says. */
const FORWARDING = [
  ...[
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-forwarded-server",
    "forwarded",
  ],
  ...["x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "fly-client-ip", "via"],
];

/**
 * Without a setting, only a developer's own requests are trusted: to a loopback host, and not through a proxy.
 *
 * @throws UntrustedHost for any other request, and for all if the host is never trusted.
 */
function requireLoopback(trustHost: "loopback" | false, headers: Pick<Headers, "get">, url: string): void {
  const host = headers.get("host") ?? new URL(url).host;
  const isLoopback = isHostName(host) && isLoopbackHost(parseUrl(`http://${host}`)?.hostname ?? "");
  const proxy = FORWARDING.find((name) => headers.get(name) !== null);
  if (trustHost === "loopback" && isLoopback && proxy === undefined) return;
  const remedy =
    "Set AUTH_URL to the public URL of the application, or AUTH_TRUST_HOST=true if a proxy that you control sets the Host header.";
  if (!isLoopback || proxy === undefined) throw new UntrustedHost(`The host of the request is not trusted. ${remedy}`);
  const missing = ["X-Forwarded-Host", "X-Forwarded-Proto"].filter((name) => headers.get(name) === null);
  const lack = missing.length === 0 ? "" : ` The proxy does not send ${missing.join(" and ")}, which the latter needs.`;
  throw new UntrustedHost(
    `A proxy sent this request (it has the header ${proxy}), but its Host is this machine's, not the public one. ${remedy}${lack}`,
  );
}

const isHostName = (host: string): boolean => host.length <= MAX_HOST_LENGTH && HOST.test(host);

/** Origins by protocol and host, so that the one of an application is parsed once; a host that is refused is not among them. */
const origins: ReadonlyMap<string, Map<string, string>> = new Map([
  ["https", new Map()],
  ["http", new Map()],
]);

/** More than an application has names; reached only by requests with made-up hosts. */
const MAX_ORIGINS = 64;

/** Of a URL that a parser wrote the first characters say it. */
function protocolOf(url: string): string {
  if (url.startsWith("https://")) return "https";
  return url.startsWith("http://") ? "http" : new URL(url).protocol.replace(":", "");
}

function firstValue(header: string | null): string | null {
  return header?.split(",")[0]?.trim() ?? null;
}

/**
 * The names and attributes of the library's cookies on an origin: with prefix and `Secure` on https
 * (docs/behaviour.md#cookies).
 */
function cookiesFor(config: ResolvedConfig, origin: string): ResolvedCookies {
  const secure = config.useSecureCookies ?? origin.startsWith("https:");
  return secure ? config.cookies.secure : config.cookies.plain;
}

const loadEvents = loadOnce(() => import("../log/events.ts"));

/**
 * Creates the context of a request: its cookies as they were sent, a jar, the clock, and a logger that redacts its
 * secrets. Most requests log nothing and set no cookie: what the logger and the jar need is created on first use.
 */
export function createFlowContext(
  config: ResolvedConfig,
  origin: string,
  headers: Pick<Headers, "get">,
  cookie = headers.get("cookie"),
): FlowContext {
  const { received, repeated } = parseCookieHeader(cookie ?? "");
  const cookies = cookiesFor(config, origin);
  const sources: NamedValues[] = [];
  let logging: LateLogger | undefined;
  const log = (): LateLogger => {
    if (logging !== undefined) return logging;
    sources.push({ [Symbol.iterator]: () => credentialsIn(config, cookies, headers, { received, repeated }) });
    logging = createLateLogger(config.logger, config.debug, config.redacted, sources);
    return logging;
  };
  return {
    config,
    origin,
    baseUrl: `${origin}${config.basePath}`,
    cookies,
    received,
    repeated,
    jar: createCookieJar(),
    headers,
    tried: { opened: [], csrf: [] },
    state: { ownership: new Map() },
    logger: {
      error: (error) => log().logger.error(error),
      warn: (...line) => log().logger.warn(...line),
      debug: (message, metadata) => log().logger.debug(message, metadata),
    },
    step: config.debug ? (step, facts) => log().logger.debug(`step: ${step}`, facts) : undefined,
    redact: (value) => void sources.push([["token", value]]),
    redactNamed: (values) => void sources.push(values),
    written: () => logging?.written(),
    now: () => Math.floor(Date.now() / 1000),
    emit: async (event, message) => {
      if (config.events[event] === undefined) return;
      const { emitEvent } = await loadEvents();
      await emitEvent(config.events, log().logger, event, message);
    },
  };
}

/**
 * Creates the context of a request whose host is still to be validated.
 *
 * @throws UntrustedHost, InvalidHost.
 */
export function contextOfRequest(
  config: ResolvedConfig,
  { url, headers }: { readonly url: string; readonly headers: Pick<Headers, "get"> },
  cookie?: string | null,
): FlowContext {
  return createFlowContext(config, resolvePublicOrigin(config, headers, url), headers, cookie);
}

function createCookieJar(): CookieJar {
  let cookies: Map<string, Cookie> | undefined;
  return {
    set: (cookie) => {
      const { domain = "", path = "", partitioned = false } = cookie.options;
      const key = `${cookie.name};${domain};${path};${partitioned}`;
      cookies ??= new Map();
      // In the order in which they were set last.
      cookies.delete(key);
      cookies.set(key, cookie);
    },
    list: () => (cookies === undefined ? [] : [...cookies.values()].filter(({ isCurrent }) => isCurrent?.() ?? true)),
  };
}

/** Our own cookies and the header `Authorization`, by names of secrets. Other cookies of a browser are not known to be secret. */
function* credentialsIn(
  config: ResolvedConfig,
  cookies: ResolvedCookies,
  headers: Pick<Headers, "get">,
  { received, repeated }: ReceivedCookies,
): Generator<readonly [string, unknown]> {
  yield ["authorization", headers.get("authorization")?.replace(/^\S+ +/, "")];
  const isOurs = ownCookies(config, cookies);
  for (const [name, value] of received) {
    if (!isOurs(name) || name === cookies.callbackUrl.name) continue;
    for (const one of repeated.get(name) ?? [value]) yield ["cookie", one];
  }
}

/** Which names of cookies are ours: those of the configuration, of extensions, and of sessions that are read from before. */
export function ownCookies({ extensions, jwt }: ResolvedConfig, cookies: ResolvedCookies): (name: string) => boolean {
  const formats = extensions?.formats?.cleared(jwt.maxAge, Math.floor(Date.now() / 1000)) ?? [];
  const names = [...Object.values(cookies).map(({ name }) => name), ...formats];
  return (name) => withoutPrefix(name).startsWith("cardea.") || names.some((one) => name.startsWith(one));
}

/** The functions of {@link ExtensionRunner}, which may have to be loaded first. */
type Guard = {
  readonly [N in keyof ExtensionRunner]: (
    ...given: Parameters<ExtensionRunner[N]>
  ) => Awaitable<Awaited<ReturnType<ExtensionRunner[N]>>>;
};

/** Asks and notifies the extensions of a configuration; undefined where there are none. */
export function guardOf({ extensions }: ResolvedConfig): Guard | undefined {
  // Its type is that of what `config/resolve-extensions.ts` was told to load, which the model cannot name without a circle.
  return extensions?.guard as Guard | undefined;
}

/** All sign-in methods. */
export function methodsOf({ methods }: ResolvedConfig): readonly SignInMethod[] {
  // As in `methodOf`.
  return [...methods.values()] as SignInMethod[];
}

/** The sign-in method of a provider. */
export function methodOf<P extends ResolvedProvider>({ methods }: ResolvedConfig, { type }: P): SignInMethod<P> {
  // Its providers were resolved by it. The model cannot name its type in a configuration without a circle.
  return methods.get(type) as SignInMethod<P>;
}

/** What signs in with an account; undefined if the configuration has no method of its type, as server code may request a session for any. */
export async function loadMethodFor({ config }: FlowContext, { type }: Account): Promise<LoadedMethod | undefined> {
  return methodsOf(config)
    .find(({ types }) => types.includes(type))
    ?.load();
}

/** The provider in the path; undefined if it is not configured. */
export function providerOf(context: ActionContext): ResolvedProvider | undefined {
  return context.providerId === undefined ? undefined : context.config.providers.get(context.providerId);
}

/**
 * The provider in the path.
 *
 * @throws InvalidProvider if it is not configured; the path is not echoed.
 */
export function requireProvider(context: ActionContext): ResolvedProvider {
  const provider = providerOf(context);
  if (provider === undefined) throw new InvalidProvider("No provider with this id is configured.");
  return provider;
}
