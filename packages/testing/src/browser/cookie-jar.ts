/** The cookies of one browser, shared by its tabs. */
import { type CookieVerdict, checkSetCookie, domainMatches, pathMatches, type StoredCookie } from "./cookie-rules.ts";
import { isTrustworthy, registrableDomain } from "./site.ts";

/** Maximum number of cookies that Chromium stores for one registrable domain. */
const MAX_COOKIES_PER_DOMAIN = 180;
/** Number of cookies left after the maximum is exceeded: Chromium then drops the 30 least recently used ones. */
const COOKIES_AFTER_PURGE = 150;

/** The facts about a request that `SameSite` depends on. */
export interface CookieContext {
  /** Whether the requesting page is on the same site as the URL, or the user typed the URL. */
  readonly sameSite: boolean;
  /** Whether the response replaces the page in the tab, so that the address bar shows its URL. */
  readonly topLevel: boolean;
  /** HTTP method, upper-case. */
  readonly method: string;
}

/** A `Set-Cookie` line that the browser ignored. */
export interface RefusedCookie {
  /** Name of the cookie; empty if the line has none. */
  readonly name: string;
  /** The URL whose response contained it. */
  readonly url: string;
  /** An explanation for the reader of a failing test. */
  readonly reason: string;
}

/** The cookies of a browser, without expired ones. */
export interface BrowserCookies {
  /** Every `Set-Cookie` line ignored so far, oldest first. */
  readonly refused: readonly RefusedCookie[];
  /** All cookies, oldest first. */
  list(): readonly StoredCookie[];
  /** The first cookie with that exact name, on any host and path; `undefined` if there is none. */
  get(name: string): StoredCookie | undefined;
  /**
   * Stores a `Set-Cookie` line as if it came from `url` (default: the browser's own origin). Returns whether it was stored or
   * ignored; never throws because of the line.
   */
  set(line: string, url?: string | URL): CookieVerdict;
  /** Removes every cookie with that exact name; returns their number. */
  delete(name: string): number;
  /** Removes all cookies. */
  clear(): void;
  /** A copy of all cookies, for {@link BrowserCookies.restore}. */
  snapshot(): readonly StoredCookie[];
  /** Restores a snapshot; later changes are lost. */
  restore(snapshot: readonly StoredCookie[]): void;
}

interface Entry {
  readonly cookie: StoredCookie;
  /** Order of creation; kept when a cookie is replaced (RFC 6265bis §5.7 step 23). */
  readonly created: number;
  /** Order of last use, for eviction. */
  used: number;
}

function keyOf(cookie: StoredCookie): string {
  return JSON.stringify([cookie.name, cookie.domain, cookie.hostOnly, cookie.path]);
}

/** Whether a request includes a cookie (RFC 6265bis §5.8.3, with `SameSite` as in §5.2). */
function goesWith(cookie: StoredCookie, url: URL, context: CookieContext): boolean {
  const host = url.hostname;
  if (cookie.hostOnly ? host !== cookie.domain : !domainMatches(host, cookie.domain)) return false;
  if (!pathMatches(url.pathname, cookie.path)) return false;
  if (cookie.secure && !isTrustworthy(url)) return false;
  if (cookie.sameSite === "none" || context.sameSite) return true;
  return cookie.sameSite === "lax" && context.topLevel && ["GET", "HEAD"].includes(context.method);
}

/** Plain http may not shadow or replace a `Secure` cookie of that name (RFC 6265bis §5.7 step 16). */
function overlaysSecure(entries: Iterable<Entry>, cookie: StoredCookie, url: URL): boolean {
  if (cookie.secure || isTrustworthy(url)) return false;
  for (const { cookie: old } of entries) {
    const sameDomain = domainMatches(old.domain, cookie.domain) || domainMatches(cookie.domain, old.domain);
    if (old.secure && old.name === cookie.name && sameDomain && pathMatches(cookie.path, old.path)) return true;
  }
  return false;
}

/**
 * The cookie store of a browser; initially empty.
 *
 * `home` is the default URL of `set()`; `now` returns milliseconds since 1970.
 */
export class CookieJar implements BrowserCookies {
  readonly refused: RefusedCookie[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #home: URL;
  readonly #now: () => number;
  #tick = 0;

  constructor(home: URL, now: () => number) {
    this.#home = home;
    this.#now = now;
  }

  list(): readonly StoredCookie[] {
    return this.#alive().map(({ cookie }) => cookie);
  }

  get(name: string): StoredCookie | undefined {
    return this.list().find((cookie) => cookie.name === name);
  }

  set(line: string, url: string | URL = this.#home): CookieVerdict {
    return this.#take(line, new URL(url, this.#home), { sameSite: true, topLevel: true, method: "GET" });
  }

  delete(name: string): number {
    const found = this.list().filter((cookie) => cookie.name === name);
    for (const cookie of found) this.#entries.delete(keyOf(cookie));
    return found.length;
  }

  clear(): void {
    this.#entries.clear();
  }

  snapshot(): readonly StoredCookie[] {
    return this.list();
  }

  restore(snapshot: readonly StoredCookie[]): void {
    this.clear();
    for (const cookie of snapshot) this.#keep(cookie);
  }

  /** The `Cookie` header for a request, or `undefined` if it has no cookies. */
  headerFor(url: URL, context: CookieContext): string | undefined {
    const found = this.#alive().filter(({ cookie }) => goesWith(cookie, url, context));
    // Longer paths first, then the older cookie (RFC 6265bis §5.8.3 step 2).
    found.sort((a, b) => b.cookie.path.length - a.cookie.path.length || a.created - b.created);
    for (const entry of found) entry.used = this.#next();
    const pairs = found.map(({ cookie: { name, value } }) => (name === "" ? value : `${name}=${value}`));
    return pairs.length === 0 ? undefined : pairs.join("; ");
  }

  /** Processes every `Set-Cookie` line of a response. */
  receive(lines: readonly string[], url: URL, context: CookieContext): void {
    for (const line of lines) this.#take(line, url, context);
  }

  #next(): number {
    this.#tick += 1;
    return this.#tick;
  }

  #alive(): Entry[] {
    const now = this.#now();
    for (const [key, { cookie }] of this.#entries) {
      if (cookie.expires !== undefined && cookie.expires <= now) this.#entries.delete(key);
    }
    return [...this.#entries.values()].sort((a, b) => a.created - b.created);
  }

  #take(line: string, url: URL, context: CookieContext): CookieVerdict {
    const checked = checkSetCookie(line, url, this.#now());
    const verdict = checked.ok ? this.#judgeContext(checked.cookie, url, context) : checked;
    if (verdict.ok) this.#keep(verdict.cookie);
    else this.refused.push({ name: verdict.name, url: url.href, reason: verdict.reason });
    return verdict;
  }

  /** Checks a cookie against its context: the request, and the stored cookies. */
  #judgeContext(cookie: StoredCookie, url: URL, context: CookieContext): CookieVerdict {
    const refuse = (reason: string): CookieVerdict => ({ ok: false, name: cookie.name, reason });
    if (!context.sameSite && !context.topLevel && cookie.sameSite !== "none") {
      return refuse(`SameSite=${cookie.sameSite} from a cross-site subrequest`);
    }
    if (overlaysSecure(this.#alive(), cookie, url)) return refuse("http must not replace a Secure cookie");
    return { ok: true, cookie };
  }

  #keep(cookie: StoredCookie): void {
    const key = keyOf(cookie);
    const used = this.#next();
    this.#entries.set(key, { cookie, created: this.#entries.get(key)?.created ?? used, used });
    this.#purge(registrableDomain(cookie.domain));
  }

  #purge(site: string): void {
    const ofSite = this.#alive().filter(({ cookie }) => registrableDomain(cookie.domain) === site);
    if (ofSite.length <= MAX_COOKIES_PER_DOMAIN) return;
    ofSite.sort((a, b) => Number(a.cookie.secure) - Number(b.cookie.secure) || a.used - b.used);
    for (const { cookie } of ofSite.slice(0, -COOKIES_AFTER_PURGE)) this.#entries.delete(keyOf(cookie));
  }
}
