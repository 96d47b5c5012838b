import { matchAction } from "../actions/routes.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { isLoopbackHost, parseUrl } from "../protocol/parse-url.ts";
import { parseRequestPath, readableEscapes } from "../protocol/request-target.ts";

/** A page request. */
export interface PageRequest {
  readonly method: string;
  /** See {@link parseRequestPath}: undefined if the path must not be compared. */
  readonly exact: string | undefined;
  readonly query: URLSearchParams;
  /** The origin that the browser sees; null if it is unknown. */
  readonly origin: string | null;
}

/** The application's own pages that replace built-in ones and are open to visitors. */
const OPEN_PAGES = ["signIn", "signOut", "error", "verifyRequest"] as const;

/** Methods for showing a page and for submitting its own form. */
const PAGE_METHODS = ["GET", "HEAD", "POST"];

/**
 * Decides whether a page is open to visitors without a session, so that the sign-in page is not redirected to itself. Open are
 * the routes of the endpoint table, and the application's own pages on its own origin. Paths are compared exactly, never by
 * prefix, and a path with more than one spelling is open in its canonical one. No route has an escape.
 */
export function findOpenPage(config: ResolvedConfig, page: PageRequest): "action" | "page" | undefined {
  if (page.exact === undefined) return undefined;
  const { method, exact } = page;
  // A preflight has no cookies, and asks for another method.
  const methods = method === "OPTIONS" && config.origins.length > 0 ? ["GET", "POST"] : [method];
  const isRoute = (one: string) => matchAction(one, exact, config.basePath, config.extensions).kind === "route";
  if (!exact.includes("%") && methods.some(isRoute)) return "action";
  if (!PAGE_METHODS.includes(page.method)) return undefined;
  const isOpen = OPEN_PAGES.some((name) => isOwn(config, config.pages[name]) && isPage(config.pages[name], page));
  return isOpen ? "page" : undefined;
}

/**
 * A URL is compared only with a configured origin, because visitors control the headers of a request. A loopback URL is
 * accepted as well: it belongs to development, where no origin is configured.
 */
function isOwn({ fixedOrigin }: ResolvedConfig, page: string | undefined): boolean {
  if (fixedOrigin !== undefined || page?.startsWith("/")) return true;
  const url = parseUrl(page ?? "");
  return url !== null && isLoopbackHost(url.hostname);
}

/**
 * Whether the request is for this page of the configuration: its path, with the query parameters that it contains. A parameter that is
 * sent again with another value is not that of the page: the application may read either. Nor is a query that parsers read
 * differently.
 */
export function isPage(page: string | undefined, { exact, query, origin }: PageRequest): boolean {
  if (page === undefined || exact === undefined) return false;
  // A path is a page of this application on any origin; a URL only on its own origin.
  const url = new URL(page, origin ?? "http://localhost");
  if (!page.startsWith("/") && url.origin !== origin) return false;
  if (withoutSlash(url.pathname) !== withoutSlash(exact)) return false;
  const { searchParams, search } = url;
  if (search !== "" && !isReadAlike(query, searchParams)) return false;
  return [...searchParams].every(
    ([name, value]) =>
      query.getAll(name).includes(value) && query.getAll(name).length === searchParams.getAll(name).length,
  );
}

/** Parsers ignore parameters from a number on, the first 1,000 at Node.js; no page is linked with as many. */
const MAX_PARAMETERS = 200;

/** A name that no parser takes for that of another parameter, as some do with `page[]`, `=page` and `x;page`. A slash names an action of a form. */
const PLAIN_NAME = /^[\w/-]+$/;

/** Whether all parsers find the same values of the configured parameters in a query. */
function isReadAlike(query: URLSearchParams, configured: URLSearchParams): boolean {
  const names = [...query.keys()];
  return names.length <= MAX_PARAMETERS && names.every((name) => PLAIN_NAME.test(name) || configured.has(name));
}

/** Frameworks add or remove one trailing slash by redirecting; both spellings are the same page. */
const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, "");

/** Whether a redirect leads to the current URL: the same path and query, ignoring parameters that lead back. */
export function isCircle(location: string, current: URL, origins: readonly string[]): boolean {
  const target = parseUrl(location, current);
  if (target === null || !origins.includes(target.origin) || !isSamePath(target, current)) return false;
  return querySignature(target, current) === querySignature(current, current);
}

function isSamePath(one: URL, other: URL): boolean {
  const [left, right] = [one, other].map(({ pathname }) => parseRequestPath(pathname));
  return left?.kind === "path" && right?.kind === "path" && left.canonical === right.canonical;
}

/** The parameters that do not lead back to the page itself, in a comparable form. */
function querySignature({ search }: URL, current: URL): string {
  const returnsToPage = (value: string) => {
    const url = /^(?:\/|https?:)/i.test(value) ? parseUrl(value, current) : null;
    return url !== null && isSamePath(url, current);
  };
  return new URLSearchParams(
    [...new URLSearchParams(readableEscapes(search))].filter(([, value]) => !returnsToPage(value)),
  ).toString();
}
