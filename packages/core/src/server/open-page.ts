import type { ResolvedConfig } from "../model/resolved-config.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { parseRequestPath } from "../protocol/request-path.ts";
import { matchAction } from "../request/match-action.ts";

/** A request for a page, as its guard sees it. */
export interface PageRequest {
  readonly method: string;
  /** As {@link parseRequestPath} has it: undefined where no page may be compared with it. */
  readonly exact: string | undefined;
  readonly query: URLSearchParams;
  /** The origin that the browser sees; null where it is not known. */
  readonly origin: string | null;
}

/** The application's own pages in place of built-in ones that are open to visitors. */
const OPEN_PAGES = ["signIn", "signOut", "error", "verifyRequest"] as const;

/** A page is shown, and its own form is sent to it. */
const PAGE_METHODS = ["GET", "HEAD", "POST"];

/**
 * What opens a page to visitors without a session, so that a guard does not redirect the sign-in page to itself: exactly a
 * route of the action table, or exactly one of the application's own pages on its own origin. Never by prefix, and never
 * what has more than one spelling.
 */
export function findOpenPage(config: ResolvedConfig, page: PageRequest): "action" | "page" | undefined {
  if (page.exact === undefined) return undefined;
  if (matchAction(page.method, page.exact, config.basePath).kind === "route") return "action";
  if (!PAGE_METHODS.includes(page.method)) return undefined;
  return OPEN_PAGES.some((name) => isPage(config.pages[name], page)) ? "page" : undefined;
}

/** Whether the request is for this page of the configuration: its path, with the query parameters that it names. */
export function isPage(page: string | undefined, { exact, query, origin }: PageRequest): boolean {
  if (page === undefined || exact === undefined) return false;
  // A path is a page of this application wherever that is; a URL only on the origin that it names.
  const url = new URL(page, origin ?? "http://localhost");
  if (!page.startsWith("/") && url.origin !== origin) return false;
  if (withoutSlash(url.pathname) !== withoutSlash(exact)) return false;
  return [...url.searchParams].every(([name, value]) => query.getAll(name).includes(value));
}

/** Frameworks add or remove one trailing slash by redirecting; both spellings are the same page. */
const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, "");

/** Whether a redirect leads to where the request is: the same path, and the same query but for the way back. */
export function isCircle(location: string, current: URL, origins: readonly string[]): boolean {
  const target = parseUrl(location, current);
  if (target === null || !origins.includes(target.origin) || !isSamePath(target, current)) return false;
  return querySignature(target, current) === querySignature(current, current);
}

function isSamePath(one: URL, other: URL): boolean {
  const [left, right] = [one, other].map(({ pathname }) => parseRequestPath(pathname));
  return left?.kind === "path" && right?.kind === "path" && left.canonical === right.canonical;
}

/** The parameters that do not lead back to the page itself, in a form to compare. */
function querySignature({ searchParams }: URL, current: URL): string {
  const returnsToPage = (value: string) => {
    const url = /^(?:\/|https?:)/i.test(value) ? parseUrl(value, current) : null;
    return url !== null && isSamePath(url, current);
  };
  return new URLSearchParams([...searchParams].filter(([, value]) => !returnsToPage(value))).toString();
}
