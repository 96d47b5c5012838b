import { type Answer, parseText, refuse } from "./transport.ts";
import type { SignInResponse } from "./types.ts";

/** The redirect target of a response, and its meaning. */
export interface Redirection extends SignInResponse {
  readonly url: string;
}

/** @param error the error that the page at `url` would show; absent: success. */
export function redirectionTo(url: string, status: number, error?: string, code?: string): Redirection {
  return { ok: !error, error, code, status, url };
}

/**
 * Reads `{ url }`. An `error` in it was set by the server, unless the URL equals the requested one: a sign-in page that
 * shows an error may itself be the destination.
 *
 * @param redirectTo the requested destination.
 * @throws ClientFetchError if the response contains no URL that the server could choose.
 */
export function parseRedirection(answer: Answer, redirectTo: string): Redirection {
  const url = parseText(answer, "url") ?? refuse(answer);
  const { href, searchParams } = toUrl(url) ?? refuse(answer);
  // What `redirectSchemes` excludes on the server, too: a page would run it, or show what a visitor sent.
  if (/^(javascript|data|file|blob):/.test(href)) refuse(answer);
  // The destination may come from a query, and need not be a URL. The server then has chosen another one.
  const isAsked = href === toUrl(redirectTo)?.href;
  // Not an error: a further step at `url`, such as a second factor, is required before the user is signed in.
  const asked = parseText(answer, "code");
  if (asked !== undefined) return { ok: false, error: undefined, code: asked, status: answer.status, url };
  const said = (name: string) => (isAsked ? undefined : (searchParams.get(name) ?? undefined));
  return redirectionTo(url, answer.status, said("error"), said("code"));
}

/** What the browser makes of a URL; undefined if it is not one. */
export function toUrl(url: string): URL | undefined {
  try {
    return new URL(url, location.href);
  } catch {
    return undefined;
  }
}

/** Result when the server gave no usable response. */
export const unreached = (status: number) => ({ ok: false, error: "ClientFetchError", status, url: null }) as const;

/** Redirects to the URL from the server, or with `redirect: false` stays and returns the result. */
export function follow(redirection: Redirection, redirect: boolean | undefined): SignInResponse | undefined {
  if (redirect === false) return redirection.error === undefined ? redirection : { ...redirection, url: null };
  navigate(redirection.url);
  return undefined;
}

/** Navigates to a URL. Reloads if only the fragment differs, so that stale session state is dropped. */
export function navigate(url: string): void {
  const [page] = location.href.split("#");
  location.assign(url);
  if (url.startsWith(`${page}#`)) location.reload();
}
