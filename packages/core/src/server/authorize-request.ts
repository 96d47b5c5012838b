import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { OWN_HEADERS, plainResponse } from "../http/plain-response.ts";
import { toError } from "../model/auth-error.ts";
import { CallbackRouteError, SessionUnavailable } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { RETRY_AFTER } from "../model/units.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { parseRequestPath, pathOfUrl, readableEscapes } from "../protocol/request-target.ts";
import { findOpenPage, isCircle, isPage, type PageRequest } from "./open-page.ts";
import { knownOriginOf, publicRequest, readSession, requestAt, type SessionAnswer } from "./read-session.ts";
import { rejection } from "./reject-request.ts";

/** Whether a request may continue. With `deny`, the response is complete except for the cookies. */
export type Authorization = Omit<SessionAnswer, "ask" | "ended"> &
  (
    | {
        readonly kind: "allow";
        /**
         * Set if the callback was not called, because the request is for an endpoint or for the application's page that
         * replaces it.
         */
        readonly open?: "action" | "page" | undefined;
        /**
         * Whether the same visitor or user may open another page, of which the framework shows a part with this one; absent without
         * the callback. Its path is that of a request for it.
         */
        readonly mayOpen?: (path: string) => Promise<boolean>;
        /**
         * What the callback received, if the path was sent in another spelling: a page for all paths may respond to that one. The framework
         * adapter has to route this path.
         */
        readonly respelled?: string | undefined;
      }
    | { readonly kind: "deny"; readonly response: Response }
  );

/** Facts about a request that only the framework adapter knows. */
export interface GuardOptions {
  /** Path prefix that the framework removed. */
  readonly strippedPath?: string;
  /** The path as the client sent it, without its query, if the request's URL has a different one. */
  readonly sent?: string;
  /** Whether the router has chosen a route already: visitors are redirected to the spelling that the callback received. */
  readonly isRouted?: boolean;
  /** Creates the framework's own request with another path, for `callbacks.authorized`. */
  readonly withPath?: (request: Request, path: string) => Request;
}

type KnownPath = Extract<ReturnType<typeof parseRequestPath>, { kind: "path" }>;

/** The requested page, and its URL. */
interface RequestedPage extends PageRequest {
  /** Its URL, as the browser sees it if the origin is known. */
  readonly url: URL;
}

/**
 * Reads the session of a request and calls `callbacks.authorized` to decide whether it may continue (docs/callbacks.md).
 *
 * 1. A path that a router could interpret differently is rejected with 400, before anything else.
 * 2. With the callback, a path with `%2F` is rejected as well, unless `encodedSlashes` is `"allow"`: routers disagree about
 *    it.
 * 3. Without the callback every request may continue. So may requests for endpoints and for the application's own pages that
 *    replace them, each compared exactly, in canonical spelling: otherwise the sign-in page would be redirected to itself.
 * 4. If a user with a session opens the application's own sign-in page, a redirect from the callback is followed, for example
 *    to their start page. Any other result shows the sign-in page, and so does a redirect to the page they were just denied.
 * 5. The callback receives the canonical path, and the origin that the browser sees. `true` lets the request continue. A `Response` is sent instead.
 * 6. Any other value denies access: browsers are redirected to the sign-in page, with `callbackUrl` as its only parameter;
 *    API clients get 401. So does a request that would be redirected to itself.
 *
 * @param request its `url` names the requested page.
 * @throws CallbackRouteError if the callback threw, so that a failure denies access; SessionUnavailable.
 */
export async function authorizeRequest(
  config: ResolvedConfig,
  request: Request,
  { strippedPath = "", sent, isRouted = false, withPath = withPathOf }: GuardOptions = {},
): Promise<Authorization> {
  const { pathname } = new URL(request.url);
  const path = parseRequestPath(sent ?? `${strippedPath}${pathOfUrl(request.url)}`);
  const canonicalPath = parseRequestPath(pathname);
  const { authorized } = config.callbacks;
  const isAmbiguous = authorized !== undefined && config.encodedSlashes !== "allow";
  if (path.kind === "refused" || canonicalPath.kind === "refused") return deny(rejection());
  if (isAmbiguous && (path.hasEncodedSlash || canonicalPath.hasEncodedSlash)) return deny(rejection());
  const { ask, ended, ...read } = await readSession(config, request, "renew");
  const { session } = read;
  if (authorized === undefined) return { kind: "allow", ...read };
  const page = readPage(config, request, path, canonicalPath);
  const shown = publicRequest(request, config);
  const judge = (at: Request) => callAuthorized(() => authorized({ request: at, auth: session }));
  const mayOpen = async (other: string) => {
    const at = parseRequestPath(other);
    if (at.kind === "refused" || !at.isPlain) return false;
    const exact = at.exact && `${config.strippedPrefix}${at.exact}`;
    const isOpen = findOpenPage(config, { ...page, method: "GET", exact, query: new URLSearchParams() });
    return isOpen !== undefined || (await judge(withPath(shown, at.canonical))) === true;
  };
  const open = findOpenPage(config, page);
  const isSignedIn = open === "page" && session !== null && page.method !== "POST" && isPage(config.pages.signIn, page);
  if (open !== undefined && !isSignedIn) return { kind: "allow", open, mayOpen, ...read };
  const asked = canonicalPath.canonical === pathname ? shown : withPath(shown, canonicalPath.canonical);
  const verdict = await judge(asked);
  if (verdict === true || (isSignedIn && !leadsAway(verdict, page, asked))) {
    // Where a router has decoded the path, applications that are mounted in it still receive the one that was sent.
    const isSame = path.isPlain || (!isRouted && canonicalPath.canonical === pathname);
    const respelled = isSame ? undefined : canonicalPath.canonical;
    if (respelled !== undefined && isRouted && session === null)
      return deny(page.origin === null ? rejection() : redirection(page.url.href, 308));
    return { kind: "allow", mayOpen, respelled, ...read };
  }
  const response =
    verdict instanceof Response ? unlessCircle(verdict, page, asked) : denial(config, request, page, { ask, ended });
  return { kind: "deny", response, ...read };
}

/**
 * The response if the session could not be read: 503 with `Retry-After`, and access is denied (docs/behaviour.md#sign-in).
 * For the `catch` of {@link authorizeRequest}, in callers that send responses themselves; rethrows everything else.
 */
export function denyUnavailable(thrown: unknown): Authorization {
  if (!(thrown instanceof SessionUnavailable)) throw thrown;
  const message = "Your session is temporarily unavailable. Please try again in a moment.";
  return deny(plainResponse(503, message, { "retry-after": RETRY_AFTER }));
}

function readPage(config: ResolvedConfig, request: Request, sent: KnownPath, routed: KnownPath): RequestedPage {
  const { search } = new URL(request.url);
  const origin = knownOriginOf(config, request);
  const toUrlPath = (path: string) => `${config.strippedPrefix}${path}`;
  return {
    method: request.method,
    // If something rewrote the path, the page that responds is not the requested one.
    exact: sent.canonical.endsWith(routed.canonical) ? sent.exact && toUrlPath(sent.exact) : undefined,
    // All of it: what is not judged here would be read by the application.
    query: new URLSearchParams(readableEscapes(search)),
    origin,
    url: new URL(`${toUrlPath(sent.exact ?? sent.canonical)}${search}`, origin ?? request.url),
  };
}

/** Denies access to a request whose session was not read. */
export function deny(response: Response): Authorization {
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

/** The same request with another path. Its body is shared, so that reading one leaves the other readable. */
function withPathOf(request: Request, path: string): Request {
  const url = new URL(request.url);
  url.pathname = path;
  return requestAt(request.bodyUsed ? request : request.clone(), url.href);
}

/** If an extension requires a step first, the redirect goes to its action instead of the sign-in page. */
function denial(
  config: ResolvedConfig,
  request: Request,
  { url, ...page }: RequestedPage,
  { ask, ended }: Pick<SessionAnswer, "ask" | "ended">,
): Response {
  if (page.origin === null || !isNavigation(request)) return unauthorized();
  const signInPage = config.pages.signIn ?? `${config.basePath}/signin`;
  const signIn = new URL(ask === undefined ? signInPage : `${config.basePath}/${ask}`, page.origin);
  const isHere = isPage(signIn.href, { ...page, exact: url.pathname });
  signIn.searchParams.set("callbackUrl", `${url.pathname}${url.search}`);
  if (ended !== undefined) signIn.searchParams.set("error", "SessionEnded");
  if (ended !== undefined && ended !== "ended") signIn.searchParams.set("code", ended);
  return isHere ? unauthorized() : redirection(signIn.href);
}

const redirection = (location: string, status = 302): Response =>
  new Response(null, { status, headers: { ...OWN_HEADERS, location } });

const unauthorized = (): Response => new Response(null, { status: 401, headers: OWN_HEADERS });

/** The result of `callbacks.authorized`, or 401 if it would redirect the browser to the same page repeatedly. */
function unlessCircle(response: Response, { url }: RequestedPage, asked: Request): Response {
  const location = locationOf(response);
  if (location === null) return response;
  return isCircle(location, url, [url.origin, new URL(asked.url).origin]) ? unauthorized() : response;
}

/** Whether a result redirects from the sign-in page to another page, other than the one that was just denied. */
function leadsAway(verdict: unknown, { url, query }: RequestedPage, asked: Request): boolean {
  const location = verdict instanceof Response ? locationOf(verdict) : null;
  const denied = parseUrl(query.get("callbackUrl") ?? "", url);
  const origins = [url.origin, new URL(asked.url).origin];
  return location !== null && ![url, denied ?? url].some((page) => isCircle(location, page, origins));
}

function locationOf({ status, headers }: Response): string | null {
  return status >= 300 && status < 400 ? headers.get("location") : null;
}

/** Browsers declare the purpose of a request (Fetch Metadata); of other clients only a GET can be redirected. */
function isNavigation(request: Request): boolean {
  const mode = request.headers.get("sec-fetch-mode");
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && (mode === null || mode === "navigate");
}
