import { type BrowserCookies, CookieJar } from "./browser/cookie-jar.ts";
import type { Initiator } from "./browser/fetch-metadata.ts";
import { type FormActionRule, readFormAction } from "./browser/form-action.ts";
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

/** Which form to send, what the person typed, and how to send it. */
export interface SubmitFormOptions extends SubmitOptions, Pick<NavigateOptions, "headers" | "follow"> {}

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
   * Sends a form of a page: a response of this browser, whose URL, referrer policy and `form-action` count, or HTML shown at
   * the current URL. The response's body may have been read only through `clone()`. Rejects with `NoSuchForm` when no
   * single form fits, with `FormActionBlocked` when the form or a redirect of it leads where the page's policy does not
   * allow (as in Chromium), and as `navigate` does.
   */
  submit(
    page: Response | string,
    options?: SubmitOptions & Pick<NavigateOptions, "headers" | "follow">,
  ): Promise<Visit>;
}

interface Page {
  readonly url: URL;
  readonly formAction: FormActionRule;
  readonly referrerPolicy: string;
}

function readReferrerPolicy(headers: Headers): string {
  const named = (headers.get("referrer-policy") ?? "").split(",").map((policy) => policy.trim().toLowerCase());
  // The last one the browser knows counts (Referrer Policy §8.1).
  return named.filter((policy) => REFERRER_POLICIES.has(policy)).at(-1) ?? DEFAULT_REFERRER_POLICY;
}

function blankPage(url: URL): Page {
  return { url, referrerPolicy: DEFAULT_REFERRER_POLICY, formAction: () => true };
}

function readPage(response: Response, fallback: URL): Page {
  const url = response.url === "" ? fallback : new URL(response.url);
  const { headers } = response;
  return { url, referrerPolicy: readReferrerPolicy(headers), formAction: readFormAction(headers, url) };
}

function toSearchParams(form: FormInput): URLSearchParams {
  if (form instanceof URLSearchParams) return form;
  const fields: [string, string][] = [];
  for (const [name, value] of Array.isArray(form) ? form : Object.entries(form)) fields.push([name, value]);
  return new URLSearchParams(fields);
}

function resolveInitiator(initiator: string | URL | undefined, method: string, page: Page): Initiator {
  const referrerPolicy = DEFAULT_REFERRER_POLICY;
  if (initiator === "none" || initiator === "null") return { origin: initiator, referrerPolicy };
  if (initiator !== undefined) return { origin: new URL(initiator), referrerPolicy };
  if (method === "GET" || method === "HEAD") return { origin: "none", referrerPolicy };
  return { origin: page.url, referrerPolicy: page.referrerPolicy };
}

function withFormType(headers: HeadersInit | undefined, body: unknown): Headers {
  const all = new Headers(headers);
  if (typeof body === "string" && !all.has("content-type"))
    all.set("content-type", "application/x-www-form-urlencoded");
  return all;
}

class Tab implements Browser {
  readonly #network: Network;
  readonly #home: URL;
  readonly #follow: Follow;
  #page: Page;
  /** Nothing was opened here yet. */
  #isBlank = true;

  constructor(network: Network, home: URL, follow: Follow) {
    this.#network = network;
    this.#home = home;
    this.#follow = follow;
    this.#page = blankPage(home);
  }

  get url(): string {
    return this.#page.url.href;
  }

  get cookies(): BrowserCookies {
    return this.#network.jar;
  }

  tab(): Browser {
    return new Tab(this.#network, this.#home, this.#follow);
  }

  async navigate(to: string | URL, options: NavigateOptions = {}): Promise<Visit> {
    const url = new URL(to, this.#page.url);
    const method = options.method ?? (options.form === undefined ? "GET" : "POST");
    const fields = options.form === undefined ? undefined : toSearchParams(options.form).toString();
    if (method === "GET" && fields !== undefined) url.search = fields;
    const body = method === "GET" ? undefined : fields;
    // On a blank tab a form can only have come from the site it goes to.
    const page = this.#isBlank ? blankPage(url) : this.#page;
    const initiator = resolveInitiator(options.initiator, method, page);
    return this.#go(
      { url, method, headers: withFormType(options.headers, body), body, initiator, formAction: () => true },
      options.follow,
    );
  }

  async fetch(to: string | URL, init: PageFetchInit = {}): Promise<Visit> {
    const { url: pageUrl, referrerPolicy } = this.#page;
    const { credentials = "same-origin" } = init;
    return runErrand(this.#network, {
      kind: "fetch",
      url: new URL(to, pageUrl),
      method: init.method?.toUpperCase() ?? "GET",
      headers: new Headers(init.headers),
      body: init.body ?? undefined,
      initiator: { origin: pageUrl, referrerPolicy },
      follow: init.follow ?? (init.redirect === "manual" ? "none" : "all"),
      formAction: () => true,
      withCookies: ({ origin }) =>
        credentials === "include" || (credentials === "same-origin" && origin === pageUrl.origin),
    });
  }

  async submit(source: Response | string, options: SubmitFormOptions = {}): Promise<Visit> {
    const page = typeof source === "string" ? this.#page : readPage(source, this.#page.url);
    const html = typeof source === "string" ? source : await source.clone().text();
    const { url, method, body } = prepareSubmission(html, page.url, options);
    const headers = withFormType(options.headers, body);
    const initiator = { origin: page.url, referrerPolicy: page.referrerPolicy };
    return this.#go({ url, method, headers, body, initiator, formAction: page.formAction }, options.follow);
  }

  async #go(errand: Omit<Errand, "kind" | "follow" | "withCookies">, follow = this.#follow): Promise<Visit> {
    const visit = await runErrand(this.#network, { ...errand, kind: "navigate", follow, withCookies: () => true });
    if (visit.status !== 204 && visit.status !== 205) {
      this.#page = readPage(visit, this.#page.url);
      this.#isBlank = false;
    }
    return visit;
  }
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
  const jar = new CookieJar(home, options.now ?? (() => Date.now()));
  return new Tab({ jar, handlers }, home, options.follow ?? "none");
}
