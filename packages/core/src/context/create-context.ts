import type { CookieJar, FlowContext } from "../model/context.ts";
import { loadOnce } from "../model/load-once.ts";
import type { ResolvedConfig, ResolvedCookies } from "../model/resolved-config.ts";
import type { Cookie } from "../model/result.ts";
import type { SecretFinder } from "../model/secret-finder.ts";
import { createLateLogger, type LateLogger } from "../observe/late-logger.ts";
import { parseCookieHeader } from "../protocol/received-cookies.ts";

/**
 * The names and attributes of the library's cookies on an origin: with prefix and `Secure` on https
 * (docs/behaviour.md#cookies).
 */
function cookiesFor(config: ResolvedConfig, origin: string): ResolvedCookies {
  const secure = config.useSecureCookies ?? origin.startsWith("https:");
  return secure ? config.cookies.secure : config.cookies.plain;
}

const loadEvents = loadOnce(() => import("../observe/events.ts"));

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
  const secrets: ((find: SecretFinder) => Iterable<string>)[] = [
    ({ secretCookies }: SecretFinder) => secretCookies(cookies, received, repeated),
  ];
  let logging: LateLogger | undefined;
  const log = (): LateLogger => {
    if (logging !== undefined) return logging;
    logging = createLateLogger(config.logger, config.debug, config.redacted);
    for (const values of secrets) logging.redactLater(values);
    return logging;
  };
  const redactLater: FlowContext["redactLater"] = (values) => {
    if (logging === undefined) secrets.push(values);
    else logging.redactLater(values);
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
    tried: { opened: [], foreign: 0, csrf: [] },
    logger: {
      error: (error) => log().logger.error(error),
      warn: (code) => log().logger.warn(code),
      debug: (message, metadata) => log().logger.debug(message, metadata),
    },
    redact: (value) => redactLater(() => (value === undefined ? [] : [value])),
    redactLater,
    written: () => logging?.written(),
    now: () => Math.floor(Date.now() / 1000),
    emit: async (event, message) => {
      if (config.events[event] === undefined) return;
      const { emitEvent } = await loadEvents();
      await emitEvent(config.events, log().logger, event, message);
    },
  };
}

function createCookieJar(): CookieJar {
  let cookies: Map<string, Cookie> | undefined;
  return {
    set: (cookie) => {
      cookies ??= new Map();
      cookies.set(cookie.name, cookie);
    },
    list: () => (cookies === undefined ? [] : [...cookies.values()]),
  };
}
