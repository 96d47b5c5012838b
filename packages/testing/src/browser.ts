import { type BrowserCookies, CookieJar } from "./browser/cookie-jar.ts";
import type { Initiator } from "./browser/fetch-metadata.ts";
import { type FormActionRule, readFormAction } from "./browser/form-action.ts";
import { type Errand, type FetchHandler, type Follow, type Network, runErrand, type Visit } from "./browser/network.ts";
import { prepareSubmission, type SubmitOptions } from "./browser/submission.ts";

/** The browsers' default policy (Referrer Policy §3). */
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

/** Options for `createBrowser`. */
export interface BrowserOptions {
  /** The origin of the handler, and the base of relative URLs. Default `https://app.example.com`. */
  readonly origin?: string;
  /** The clock for cookie expiry: milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Handlers for other origins, for example `{ "https://op.example.com": provider.handler }` or `{ [op.url]: fetch }`.
   */
  readonly routes?: Readonly<Record<string, FetchHandler>>;
  /** Which redirects navigations and submissions follow by default. Default `none`. */
  readonly follow?: Follow;
}

/** Form fields: by name, or in order with repetitions. */
export type FormInput =
  | URLSearchParams
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

/** Options of {@link Browser.navigate}. */
export interface NavigateOptions {
  /** Upper-case. Default: `POST` with a form, otherwise `GET`. */
  readonly method?: string;
  /** Sent like a form: URL-encoded body, or the query of a GET. */
  readonly form?: FormInput | undefined;
  /** Additional headers, which also override those set by the browser. */
  readonly headers?: HeadersInit;
  /**
   * The URL or origin of the page with the link or form, which determines same-site or cross-site. `none`: the user
   * typed the address (default for GET). `null`: a page without an origin. Default for other methods: the current page.
   */
  readonly initiator?: string | URL;
  /** Which redirects to follow; default: as the browser was created. */
  readonly follow?: Follow;
}

/**
 * Options for in-page `fetch`: the usual `RequestInit`, and which redirects to follow (default: all that have a
 * handler).
 */
export interface PageFetchInit extends RequestInit {
  /** Which redirects to follow; default: `all`, or `none` with `redirect: "manual"`. */
  readonly follow?: Follow;
}

/** Which form to submit, with which values, and how. */
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
   * Navigates to a URL (relative to the current page), like a link, a form or the address bar. Rejects if no handler
   * exists for the origin, after 20 redirects, and with errors of the handler.
   */
  navigate(url: string | URL, options?: NavigateOptions): Promise<Visit>;
  /**
   * Calls `fetch()` as a script on the current page: the page's origin in `Origin` for writes, `Sec-Fetch-Mode:
   * cors`, cookies by `credentials` (default `same-origin`). CORS is not enforced. Rejects like `navigate`.
   */
  fetch(url: string | URL, init?: PageFetchInit): Promise<Visit>;
  /**
   * Submits a form of a page: a response of this browser, with its URL, referrer policy and `form-action`, or HTML
   * shown at the current URL. The response's body may have been read only through `clone()`. Rejects with `NoSuchForm`
   * unless exactly one form matches, with `FormActionBlocked` if the page's policy does not allow the form's target or
   * a redirect of it (as in Chromium), and like `navigate`.
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
  // The last recognized policy applies (Referrer Policy §8.1).
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
  /** Whether no page has been opened in this tab. */
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
    // In a blank tab, a form can only come from its own target site.
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
 * Creates a browser with realistic cookie handling, for any fetch-style handler.
 *
 * ```ts
 * const browser = createBrowser((request) => Auth(request, config));
 * const page = await browser.navigate("/auth/signin");
 * const answer = await browser.submit(page, { button: "Sign in with Example" });
 * answer.redirectsTo; // the provider's authorization URL
 * ```
 *
 * Cookies follow RFC 6265bis with Chromium's limits: `Secure`, `Domain`, `Path`, `SameSite`, prefixes, 4096 bytes, 180 per
 * domain; ignored ones are listed in `cookies.refused`. Throws if `origin` or a route is not a URL.
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
