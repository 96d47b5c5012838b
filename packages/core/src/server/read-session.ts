import { readEnvironment, runtimeEnvironment } from "../config/env.ts";
import { parsePublicUrl } from "../config/resolve-address.ts";
import { contextOfRequest, createFlowContext, resolvePublicOrigin } from "../context/create-context.ts";
import type { FlowContext } from "../model/context.ts";
import { AuthError } from "../model/errors.ts";
import type { Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Cookie } from "../model/result.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { ReadMode } from "../session/strategy.ts";

/** The parts of a request that reading a session needs; a framework adapter need not copy other headers. */
export interface SessionRequest {
  /** The URL as the server sees it; only its protocol and host are used. */
  readonly url: string;
  /** The headers of the request; only the cookies and the host headers are read. */
  readonly headers: Pick<Headers, "get">;
}

/** The parts of a request that an operation needs. */
export interface OperationRequest {
  /** The URL as the server sees it; the public origin is derived from it and the headers. */
  readonly url: string;
  /** The headers of the request. */
  readonly headers: Headers;
}

/** A result, and the cookies that the response must set. */
export interface WithCookies {
  /** The cookies to set. */
  readonly cookies: readonly Cookie[];
}

/** Result of reading a session. */
export interface SessionAnswer extends WithCookies {
  /** The session as `callbacks.session` shapes it; null if no one is signed in. */
  readonly session: Session | null;
  /** The name of the session cookie, if there is a session. */
  readonly sessionCookie?: string;
  /** The extension action to complete before a session is issued. */
  readonly ask?: string | undefined;
  /** Why an extension ended the session. */
  readonly ended?: string | undefined;
}

const NO_SESSION = { session: null, cookies: [] } as const;

/**
 * Reads the session of a request.
 *
 * @param mode `renew` if the response can set cookies, else `look`.
 * @returns the session, or null if there is none or the host is not trusted.
 * @throws SessionUnavailable if a callback or the database failed.
 */
export async function readSession(
  config: ResolvedConfig,
  request: SessionRequest,
  mode: ReadMode,
): Promise<SessionAnswer> {
  // Most visitors are not signed in. Without cookies, nothing else is read, unless the host still has to be checked.
  const isTrusted = config.trustHost === true || config.fixedOrigin !== undefined;
  const cookie = request.headers.get("cookie");
  if (isTrusted && cookie === null) return NO_SESSION;
  let context: FlowContext;
  try {
    context = contextOfRequest(config, request, cookie);
  } catch (thrown) {
    await logThrown(thrown, createFlowContext(config, "", request.headers));
    return NO_SESSION;
  }
  try {
    const read = await strategyOf(config).read(context, mode);
    await context.written();
    const cookies = mode === "look" ? [] : context.jar.list();
    const sessionCookie = context.cookies.sessionToken.name;
    if (read.kind === "session") return { session: read.session, cookies, sessionCookie };
    return { session: null, cookies, ...(read.kind === "asked" ? { ask: read.ask } : { ended: read.ended }) };
  } catch (thrown) {
    throw await logThrown(thrown, context);
  }
}

/** Logs an error and returns it as an AuthError. The code for that is loaded with the first error. */
export async function logThrown(thrown: unknown, { logger, written }: FlowContext): Promise<AuthError> {
  const { logError, toAuthError } = await import("../http/log-error.ts");
  const error = toAuthError(thrown);
  logError(error, logger);
  await written();
  return error;
}

/** The origin that the browser sees; null if the host is untrusted or malformed. */
export function knownOriginOf(config: OriginSettings, { headers, url }: SessionRequest): string | null {
  try {
    return resolvePublicOrigin(config, headers, url);
  } catch (error) {
    if (error instanceof AuthError) return null;
    throw error;
  }
}

/**
 * The URL of a request with the origin of core's own links. Requests that are created for application code have it; the path is the
 * received one (docs/deployment.md#what-your-code-receives).
 *
 * @param config absent for a configuration function. It is then presumed to trust the host: if it does not, the request is rejected
 *   afterwards.
 * @returns the URL as received if the origin is unknown.
 */
export function publicUrl(request: SessionRequest, config?: OriginSettings): string {
  const { origin, href } = new URL(request.url);
  const known = knownOriginOf(config ?? presumedSettings(), request);
  return known === null || known === origin ? request.url : `${known}${href.slice(origin.length)}`;
}

/** The request at its {@link publicUrl}. */
export function publicRequest(request: Request, config?: OriginSettings): Request {
  const url = publicUrl(request, config);
  return url === request.url ? request : requestAt(request, url);
}

/** The same request with another URL. Both have one body: the first reader consumes it. */
export function requestAt(request: Request, url: string): Request {
  const { method, headers, signal, bodyUsed } = request;
  // One by one: `new Request(url, request)` reads members that a server's own class may lack.
  // Cloudflare's runtime gives a clone of a GET an empty body, which a new one must not have.
  const hasBody = !bodyUsed && method !== "GET" && method !== "HEAD";
  const init = { method, headers, signal, body: hasBody ? request.body : null, duplex: "half" };
  return new Request(url, init);
}

type OriginSettings = Pick<ResolvedConfig, "fixedOrigin" | "trustHost">;

function presumedSettings(): OriginSettings {
  const fixed = parsePublicUrl(readEnvironment(runtimeEnvironment()).url);
  return { fixedOrigin: fixed?.origin, trustHost: true };
}

/** The return value of `callbacks.session` has its type; without the callback it is `Session`. */
export function assumeSession<S>(session: Session | null): S | null {
  return session as S | null;
}
