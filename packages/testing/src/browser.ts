import { type BrowserCookies, createCookieJar } from "./browser/cookie-jar.ts";
import type { Initiator } from "./browser/fetch-metadata.ts";
import { type Errand, type FetchHandler, type Follow, type Network, runErrand, type Visit } from "./browser/network.ts";
import { prepareSubmission, type SubmitOptions } from "./browser/submission.ts";

/** Where browsers start when a page says nothing (Referrer Policy §3). */
const DEFAULT_REFERRER_POLICY = "strict-origin-when-cross-origin";
const REFERRER_POLICIES: ReadonlySet<string> = new Set([
  "no-referrer",
  "no-referrer-when-downgrade",
  "same-origin",
  "origin",
  "strict-origin",
  "origin-when-cross-origin",
  DEFAULT_REFERRER_POLICY,
  "unsafe-url",
]);

/** How to build a browser. */
export interface BrowserOptions {
  /** Where the handler is found, and what relative URLs start from. Default `https://app.example.com`. */
  readonly origin?: string;
  /** The clock cookies expire by: milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Who answers for other origins, e.g. `{ "https://op.example.com": provider.handler }` or `{ [op.url]: fetch }`. */
  readonly routes?: Readonly<Record<string, FetchHandler>>;
  /** Which redirects navigations and submissions follow when the call does not say. Default `none`. */
  readonly follow?: Follow;
}

/** Form fields: by name, or in order with repetitions. */
export type FormInput =
  | URLSearchParams
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

/** How to go to a URL. */
export interface NavigateOptions {
  /** Upper-case. Default `POST` with a form, else `GET`. */
  readonly method?: string;
  /** Sent as a form would: urlencoded body, or the query of a GET. */
  readonly form?: FormInput | undefined;
  /** Added last: they replace even what the browser sets itself. */
  readonly headers?: HeadersInit;
  /**
   * The page, as URL or origin, that holds the link or form: what decides same-site or cross-site. `none`: the person
   * typed the address (default for GET). `null`: a page without an origin. Default for other methods: the current page.
   */
  readonly initiator?: string | URL;
  readonly follow?: Follow;
}

/** What `fetch` on a page takes: the usual `RequestInit`, and which redirects to follow (default: all that have a handler). */
export interface PageFetchInit extends RequestInit {
  readonly follow?: Follow;
}

/** One tab of a browser. Tabs share cookies, not their current page. */
export interface Browser {
  /** The URL of the current page. */
  readonly url: string;
  /** The cookies of all tabs. */
  readonly cookies: BrowserCookies;
  /** Another tab on the same cookies, at the browser's origin. */
  tab(): Browser;
  /**
   * Goes to a URL (relative to the current page), as a link, a form or the address bar does.
   * Rejects when no handler answers for the origin, after 20 redirects, and with whatever the handler throws.
   */
  navigate(url: string | URL, options?: NavigateOptions): Promise<Visit>;
  /**
   * What a script on the current page gets from `fetch()`: the page's origin in `Origin` for writes, `Sec-Fetch-Mode:
   * cors`, cookies by `credentials` (default `same-origin`). CORS itself is not enforced. Rejects as `navigate` does.
   */
  fetch(url: string | URL, init?: PageFetchInit): Promise<Visit>;
  /**
   * Sends a form of a page: a response of this browser (its URL and referrer policy count), or HTML shown at the current
   * URL. The response's body may have been read only through `clone()`. Rejects with `NoSuchForm` when no single form
   * fits, and as `navigate` does.
   */
  submit(
    page: Response | string,
    options?: SubmitOptions & Pick<NavigateOptions, "headers" | "follow">,
  ): Promise<Visit>;
}

interface Page {
  readonly url: URL;
  readonly referrerPolicy: string;
}

function readReferrerPolicy(headers: Headers): string {
  const named = (headers.get("referrer-policy") ?? "").split(",").map((policy) => policy.trim().toLowerCase());
  // The last one the browser knows counts (Referrer Policy §8.1).
  return named.filter((policy) => REFERRER_POLICIES.has(policy)).at(-1) ?? DEFAULT_REFERRER_POLICY;
}

function toSearchParams(form: FormInput): URLSearchParams {
  if (form instanceof URLSearchParams) return form;
  const fields: [string, string][] = [];
  for (const [name, value] of Array.isArray(form) ? form : Object.entries(form)) fields.push([name, value]);
  return new URLSearchParams(fields);
}

function resolveInitiator(
  initiator: string | URL | undefined,
  method: string,
  page: Page,
  isBlank: boolean,
  url: URL,
): Initiator {
  if (initiator === "none" || initiator === "null")
    return { origin: initiator, referrerPolicy: DEFAULT_REFERRER_POLICY };
  if (initiator !== undefined) return { origin: new URL(initiator), referrerPolicy: DEFAULT_REFERRER_POLICY };
  if (method === "GET" || method === "HEAD") return { origin: "none", referrerPolicy: DEFAULT_REFERRER_POLICY };
  // Nothing was ever opened in this tab: the form can only have come from the site it goes to.
  return isBlank
    ? { origin: url, referrerPolicy: DEFAULT_REFERRER_POLICY }
    : { origin: page.url, referrerPolicy: page.referrerPolicy };
}

function withFormType(headers: HeadersInit | undefined, body: unknown): Headers {
  const all = new Headers(headers);
  if (typeof body === "string" && !all.has("content-type"))
    all.set("content-type", "application/x-www-form-urlencoded");
  return all;
}

function openTab(network: Network, home: URL, defaultFollow: Follow): Browser {
  let page: Page = { url: home, referrerPolicy: DEFAULT_REFERRER_POLICY };
  let isBlank = true;

  async function go(errand: Omit<Errand, "kind" | "withCookies">): Promise<Visit> {
    const visit = await runErrand(network, { ...errand, kind: "navigate", withCookies: () => true });
    if (visit.status !== 204 && visit.status !== 205) {
      page = { url: new URL(visit.url), referrerPolicy: readReferrerPolicy(visit.headers) };
      isBlank = false;
    }
    return visit;
  }

  return {
    get url() {
      return page.url.href;
    },
    cookies: network.jar,
    tab: () => openTab(network, home, defaultFollow),
    navigate(to, options = {}) {
      const url = new URL(to, page.url);
      const method = options.method ?? (options.form === undefined ? "GET" : "POST");
      const fields = options.form === undefined ? undefined : toSearchParams(options.form).toString();
      if (method === "GET" && fields !== undefined) url.search = fields;
      const body = method === "GET" ? undefined : fields;
      const initiator = resolveInitiator(options.initiator, method, page, isBlank, url);
      return go({
        url,
        method,
        headers: withFormType(options.headers, body),
        body,
        initiator,
        follow: options.follow ?? defaultFollow,
      });
    },
    fetch(to, init = {}) {
      const url = new URL(to, page.url);
      const credentials = init.credentials ?? "same-origin";
      return runErrand(network, {
        kind: "fetch",
        url,
        method: init.method?.toUpperCase() ?? "GET",
        headers: new Headers(init.headers),
        body: init.body ?? undefined,
        initiator: { origin: page.url, referrerPolicy: page.referrerPolicy },
        follow: init.follow ?? (init.redirect === "manual" ? "none" : "all"),
        withCookies: (target) =>
          credentials === "include" || (credentials === "same-origin" && target.origin === page.url.origin),
      });
    },
    async submit(source, options = {}) {
      const isResponse = typeof source !== "string";
      const html = isResponse ? await source.clone().text() : source;
      const base = isResponse && source.url !== "" ? new URL(source.url) : page.url;
      const referrerPolicy = isResponse ? readReferrerPolicy(source.headers) : page.referrerPolicy;
      const { url, method, body } = prepareSubmission(html, base, options);
      const headers = withFormType(options.headers, body);
      return go({
        url,
        method,
        headers,
        body,
        initiator: { origin: base, referrerPolicy },
        follow: options.follow ?? defaultFollow,
      });
    },
  };
}

/**
 * Opens a browser that keeps cookies as real ones do, over any fetch-style handler.
 *
 * ```ts
 * const browser = createBrowser((request) => Auth(request, config));
 * const page = await browser.navigate("/auth/signin");
 * const answer = await browser.submit(page, { button: "Sign in with Example" });
 * answer.redirectsTo; // the provider's authorization URL
 * ```
 *
 * Cookies follow RFC 6265bis with Chromium's limits: `Secure`, `Domain`, `Path`, `SameSite`, prefixes, 4096 bytes, 180 per
 * domain; ignored ones are listed in `cookies.refused`. Throws when `origin` or a route is no URL.
 */
export function createBrowser(handler: FetchHandler, options: BrowserOptions = {}): Browser {
  const home = new URL(options.origin ?? "https://app.example.com");
  const routes = Object.entries(options.routes ?? {}).map(([origin, route]): [string, FetchHandler] => [
    new URL(origin).origin,
    route,
  ]);
  const handlers = new Map<string, FetchHandler>([[home.origin, handler], ...routes]);
  const jar = createCookieJar(home, options.now ?? (() => Date.now()));
  return openTab({ jar, handlers }, home, options.follow ?? "none");
}
