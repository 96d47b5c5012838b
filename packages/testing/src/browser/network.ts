/** The network layer of the browser: sends a request, stores its cookies, follows its redirects. */
import type { CookieJar } from "./cookie-jar.ts";
import { fetchMetadata, type Initiator, isSameSiteRequest, originOfPost } from "./fetch-metadata.ts";
import { FormActionBlocked, type FormActionRule } from "./form-action.ts";

/** Anything that handles a request: an application, a provider, the global `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/**
 * Which redirects to follow: `none`, those that stay on the origin (`same-origin`), or `all` to origins with a handler.
 * A redirect that is not followed is returned as the response.
 */
export type Follow = "none" | "same-origin" | "all";

/** One request of a visit and its response. */
export interface Hop {
  /** The absolute URL that was requested. */
  readonly url: string;
  /** The HTTP method, upper-case. */
  readonly method: string;
  /** The headers that the handler received, including the browser's own `Cookie`, `Origin` and `Sec-Fetch-*`. */
  readonly requestHeaders: Headers;
  /** The HTTP status of the response. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Headers;
}

/** A response and the requests that led to it. `url` is the URL of the last hop. */
export type Visit = Response & {
  /** Every request made, including the last one. */
  readonly hops: readonly Hop[];
  /** The absolute URL of a redirect that was not followed. */
  readonly redirectsTo: string | undefined;
};

/** A request to make, and how to follow its redirects. */
export interface Errand {
  readonly kind: "navigate" | "fetch";
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyInit | undefined;
  readonly initiator: Initiator;
  readonly follow: Follow;
  /** The targets that the page's policy allows for its forms; anything but a form may go anywhere. */
  readonly formAction: FormActionRule;
  /** Whether cookies are sent and stored: always for navigations, depending on `credentials` for `fetch`. */
  readonly withCookies: (url: URL) => boolean;
}

/** Number of redirects after which browsers give up (Fetch §4.4 step 6). */
const MAX_REDIRECTS = 20;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The network of one browser, with handlers by origin. */
export interface Network {
  readonly jar: CookieJar;
  readonly handlers: ReadonlyMap<string, FetchHandler>;
}

interface Step {
  readonly chain: readonly URL[];
  readonly url: URL;
  readonly method: string;
  readonly body: BodyInit | undefined;
}

function prepareHeaders(jar: CookieJar, errand: Errand, { chain, url, method, body }: Step): Headers {
  const headers = new Headers(fetchMetadata(errand.kind, errand.initiator, chain));
  headers.set("accept", errand.kind === "navigate" ? "text/html,application/xhtml+xml,*/*;q=0.8" : "*/*");
  const isWrite = method !== "GET" && method !== "HEAD";
  const { origin } = errand.initiator;
  const isForeign = origin instanceof URL && origin.origin !== url.origin;
  if (errand.kind === "navigate" ? isWrite : isWrite || isForeign) {
    // A script's request always contains its origin; a form's only if the page's referrer policy allows it.
    const policy = errand.kind === "fetch" ? "unsafe-url" : errand.initiator.referrerPolicy;
    headers.set("origin", originOfPost({ origin, referrerPolicy: policy }, chain));
  }
  if (errand.withCookies(url)) {
    const context = {
      sameSite: isSameSiteRequest(errand.initiator, url),
      topLevel: errand.kind === "navigate",
      method,
    };
    const cookie = jar.headerFor(url, context);
    if (cookie !== undefined) headers.set("cookie", cookie);
  }
  for (const [name, value] of errand.headers) {
    if (body !== undefined || name !== "content-type") headers.set(name, value);
  }
  return headers;
}

async function takeStep({ jar, handlers }: Network, errand: Errand, step: Step): Promise<[Response, Hop]> {
  const { url, method, body } = step;
  const handler = handlers.get(url.origin);
  if (handler === undefined) throw new Error(`No handler for ${url.origin}: add it to the browser's \`routes\`.`);
  const headers = prepareHeaders(jar, errand, step);
  const request = new Request(url, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
  const requestHeaders = new Headers(request.headers);
  const response = await handler(request);
  if (errand.withCookies(url)) {
    const context = {
      sameSite: isSameSiteRequest(errand.initiator, url),
      topLevel: errand.kind === "navigate",
      method,
    };
    jar.receive(response.headers.getSetCookie(), url, context);
  }
  return [response, { url: url.href, method, requestHeaders, status: response.status, headers: response.headers }];
}

function readRedirect(response: Response, from: URL): URL | undefined {
  const location = response.headers.get("location");
  if (!REDIRECT_STATUSES.has(response.status) || location === null || !URL.canParse(location, from.href))
    return undefined;
  const target = new URL(location, from);
  if (target.hash === "") target.hash = from.hash;
  return target;
}

/** Whether a redirect becomes a GET: POST after 301 and 302, all but GET and HEAD after 303 (Fetch §4.4). */
function turnsIntoGet(status: number, method: string): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function isFollowed(follow: Follow, from: URL, target: URL, handlers: Network["handlers"]): boolean {
  if (follow === "none") return false;
  return target.origin === from.origin || (follow === "all" && handlers.has(target.origin));
}

function requireAllowed({ formAction }: Errand, url: URL): void {
  if (formAction(url)) return;
  throw new FormActionBlocked(
    `The page's Content-Security-Policy does not allow its forms to be sent to ${url.origin} (form-action).`,
  );
}

/**
 * Makes a request and follows its redirects as specified. Throws `FormActionBlocked` if the page's policy forbids a target.
 * Throws if there is no handler for an origin, and after 20 redirects. Errors of a handler are passed on.
 */
export async function runErrand(network: Network, errand: Errand): Promise<Visit> {
  requireAllowed(errand, errand.url);
  const hops: Hop[] = [];
  let step: Step = { chain: [errand.url], url: errand.url, method: errand.method, body: errand.body };
  for (;;) {
    const [response, hop] = await takeStep(network, errand, step);
    hops.push(hop);
    const target = readRedirect(response, step.url);
    if (target !== undefined) requireAllowed(errand, target);
    if (target === undefined || !isFollowed(errand.follow, step.url, target, network.handlers)) {
      Object.defineProperty(response, "url", { value: step.url.href, configurable: true });
      return Object.assign(response, { hops, redirectsTo: target?.href });
    }
    if (hops.length > MAX_REDIRECTS)
      throw new Error(`More than ${MAX_REDIRECTS} redirects, the last one to ${target.href}`);
    const asGet = turnsIntoGet(response.status, step.method);
    step = {
      chain: [...step.chain, target],
      url: target,
      method: asGet ? "GET" : step.method,
      body: asGet ? undefined : step.body,
    };
  }
}
