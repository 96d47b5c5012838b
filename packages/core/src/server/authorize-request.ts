import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { AuthError, CallbackRouteError, SessionUnavailable } from "../model/errors.ts";
import type { Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { parseRequestPath, pathOfUrl } from "../protocol/request-path.ts";
import { unavailableResponse } from "../response/plain-response.ts";
import { findOpenPage, isCircle, isPage, type PageRequest } from "./open-page.ts";
import { type OperationRequest, publicOriginOf, readSession, type WithCookies } from "./read-session.ts";
import { refusal } from "./refuse-path.ts";

/** Whether a request may go on. With `deny` the response is the whole answer, but for the cookies. */
export type Authorization = WithCookies & { readonly session: Session | null } & (
    | {
        readonly kind: "allow";
        /** Where it goes on without being asked about: as one of the actions, or as a page of the application in their place. */
        readonly open?: "action" | "page" | undefined;
      }
    | { readonly kind: "deny"; readonly response: Response }
  );

/** What a binding knows of a request beyond the Fetch API's object. */
export interface GuardOptions {
  /** What the framework took off the front of the path. */
  readonly strippedPath?: string;
  /** The path as the client sent it, where the URL of the request is not that; without its query. */
  readonly sent?: string;
  /** Makes the framework's own request with another path, for `callbacks.authorized`. */
  readonly withPath?: (request: Request, path: string) => Request;
}

/** The page that was asked for, and where it is. */
interface Page extends PageRequest {
  /** Its address, as the browser sees it where the origin is known. */
  readonly url: URL;
}

/**
 * Reads the session of a request and asks `callbacks.authorized` whether it may go on (docs/callbacks.md).
 *
 * 1. A path that could mean one thing here and another to a router is refused with 400, before anything else is asked.
 * 2. With the callback, a path with `%2F` is refused as well, unless `encodedSlashes` is `"allow"`: routers disagree on what it is.
 * 3. Without the callback every request may go on. So may the actions and the application's own pages in their place, each
 *    compared exactly: otherwise the guard would redirect the sign-in page to itself.
 * 4. The callback is told the canonical path. `true` lets the request go on. A `Response` is the answer instead.
 * 5. Anything else denies: browsers are redirected to the sign-in page, with the way back as its only parameter;
 *    programs get 401. So does a request that would be redirected to itself.
 *
 * @param request its `url` names the page that was asked for.
 * @throws CallbackRouteError when the callback threw, so that a failure denies; SessionUnavailable.
 */
export async function authorizeRequest(
  config: ResolvedConfig,
  request: Request,
  { strippedPath = "", sent, withPath = withPathOf }: GuardOptions = {},
): Promise<Authorization> {
  const { pathname, search, searchParams: query } = new URL(request.url);
  const path = parseRequestPath(sent ?? `${strippedPath}${pathOfUrl(request.url)}`);
  const canonicalPath = parseRequestPath(pathname);
  const { authorized } = config.callbacks;
  const isAmbiguous = authorized !== undefined && config.encodedSlashes !== "allow";
  if (path.kind === "refused" || canonicalPath.kind === "refused") return deny(refusal());
  if (isAmbiguous && (path.hasEncodedSlash || canonicalPath.hasEncodedSlash)) return deny(refusal());
  const { session, cookies } = await readSession(config, request, "renew");
  if (authorized === undefined) return { kind: "allow", session, cookies };
  const origin = trustedOrigin(config, request);
  const slash = path.exact?.endsWith("/") === true && path.canonical !== "/" ? "/" : "";
  const url = new URL(`${path.canonical}${slash}${search}`, origin ?? request.url);
  // Where something rewrote the path on its way, the page that answers is not the one that was asked for.
  const exact = path.canonical.endsWith(canonicalPath.canonical) ? path.exact : undefined;
  const page: Page = { method: request.method, exact, query, origin, url };
  const open = findOpenPage(config, page);
  if (open !== undefined) return { kind: "allow", open, session, cookies };
  const asked = canonicalPath.canonical === pathname ? request : withPath(request, canonicalPath.canonical);
  const verdict: unknown = await callAuthorized(() => authorized({ request: asked, auth: session }));
  if (verdict === true) return { kind: "allow", session, cookies };
  const response = verdict instanceof Response ? unlessCircle(verdict, page, asked) : denial(config, request, page);
  return { kind: "deny", response, session, cookies };
}

/**
 * What a request gets whose session could not be read: 503 with `Retry-After`, and it does not go on (docs/behaviour.md#sign-in). For the
 * `catch` of {@link authorizeRequest}, where the caller answers requests itself; throws everything else on.
 */
export function denyUnavailable(thrown: unknown): Authorization {
  if (thrown instanceof SessionUnavailable) return deny(unavailableResponse());
  throw thrown;
}

function deny(response: Response): Authorization {
  return { kind: "deny", response, session: null, cookies: [] };
}

async function callAuthorized(call: () => unknown): Promise<unknown> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    throw new CallbackRouteError("callbacks.authorized threw.", {
      cause: { err: toError(error), callback: "authorized" },
    });
  }
}

/** The same request for another path. Its body is shared, so that reading the one leaves the other readable. */
function withPathOf(request: Request, path: string): Request {
  const url = new URL(request.url);
  url.pathname = path;
  return new Request(url, request.bodyUsed ? { method: request.method, headers: request.headers } : request.clone());
}

function denial(config: ResolvedConfig, request: Request, { url, ...page }: Page): Response {
  if (page.origin === null || !isNavigation(request)) return unauthorized();
  const signIn = new URL(config.pages.signIn ?? `${config.basePath}/signin`, page.origin);
  const isHere = isPage(signIn.href, { ...page, exact: url.pathname });
  signIn.searchParams.set("callbackUrl", `${url.pathname}${url.search}`);
  return isHere ? unauthorized() : new Response(null, { status: 302, headers: { ...PRIVATE, location: signIn.href } });
}

const PRIVATE = { "cache-control": "private, no-cache, no-store" };

const unauthorized = (): Response => new Response(null, { status: 401, headers: PRIVATE });

/** What `callbacks.authorized` answered; 401 where that would lead the browser to the same page again and again. */
function unlessCircle(response: Response, { url }: Page, asked: Request): Response {
  const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
  if (location === null) return response;
  return isCircle(location, url, [url.origin, new URL(asked.url).origin]) ? unauthorized() : response;
}

/** null for a host that may not be trusted: that was logged when the session was read. */
function trustedOrigin(config: ResolvedConfig, request: OperationRequest): string | null {
  try {
    return publicOriginOf(config, request);
  } catch (error) {
    if (error instanceof AuthError) return null;
    throw error;
  }
}

/** Browsers say what a request is for (Fetch Metadata); of others only a GET can be led elsewhere. */
function isNavigation(request: Request): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (mode === null || mode === "navigate");
}
