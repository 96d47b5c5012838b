import { parseCookie } from "cookie";
import type { CookieJar, FlowContext } from "../model/context.ts";
import type { ResolvedConfig, ResolvedCookies } from "../model/resolved-config.ts";
import type { Cookie } from "../model/result.ts";
import { emitEvent } from "../observe/events.ts";
import { createLogger } from "../observe/logger.ts";

/** The names and attributes that our cookies have on an origin: with prefix and `Secure` where it is https (spec 5.7). */
function cookiesFor(config: ResolvedConfig, origin: string): ResolvedCookies {
  const secure = config.useSecureCookies ?? origin.startsWith("https:");
  return secure ? config.cookies.secure : config.cookies.plain;
}

/** Connects a request to the flows: its cookies as they were sent, an empty jar, the clock, and a logger that knows its secrets. */
export function createFlowContext(config: ResolvedConfig, origin: string, headers: Headers): FlowContext {
  const received = readCookies(headers.get("cookie"));
  const { logger, conceal } = createLogger(config.logger, config.debug, [...config.concealed, ...received.values()]);
  return {
    config,
    origin,
    baseUrl: `${origin}${config.basePath}`,
    cookies: cookiesFor(config, origin),
    received,
    jar: createCookieJar(),
    logger,
    conceal,
    now: () => Math.floor(Date.now() / 1000),
    emit: (event, message) => emitEvent(config.events, logger, event, message),
  };
}

/** Cookies as they were sent, without decoding: what we set needs none, and a bad escape is somebody else's (safety H060). */
function readCookies(header: string | null): ReadonlyMap<string, string> {
  const parsed = parseCookie(header ?? "", { decode: (value) => value });
  return new Map(Object.entries(parsed).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    set: (cookie) => {
      cookies.set(cookie.name, cookie);
    },
    list: () => [...cookies.values()],
  };
}
