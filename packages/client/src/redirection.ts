import { type Answer, parseText, refuse } from "./transport.ts";
import type { SignInResponse } from "./types.ts";

/** Where the page is sent, and what that means. */
export interface Redirection extends SignInResponse {
  readonly url: string;
}

/** @param error what the page at `url` would say; absent: all is well. */
export function redirectionTo(url: string, status: number, error?: string, code?: string): Redirection {
  return { ok: !error, error, code, status, url };
}

/**
 * Reads `{ url }`. An `error` in it is the server's word, unless the URL is the very one that was asked for: a sign-in page
 * that shows an error is a place to come back to, too.
 *
 * @param redirectTo what was asked for.
 * @throws ClientFetchError when the answer says nothing of the kind.
 */
export function parseRedirection(answer: Answer, redirectTo: string): Redirection {
  const url = parseText(answer, "url") ?? refuse(answer);
  const { href, searchParams } = new URL(url, location.href);
  const isAsked = href === new URL(redirectTo, location.href).href;
  const said = (name: string) => (isAsked ? undefined : (searchParams.get(name) ?? undefined));
  return redirectionTo(url, answer.status, said("error"), said("code"));
}

/** What happened where there was no answer of use. */
export const unreached = (status: number) => ({ ok: false, error: "ClientFetchError", status, url: null }) as const;

/** Goes where the server says, or with `redirect: false` stays and tells. */
export function follow(redirection: Redirection, redirect: boolean | undefined): SignInResponse | undefined {
  if (redirect === false) return redirection.ok ? redirection : { ...redirection, url: null };
  navigate(redirection.url);
  return undefined;
}

/** Goes to a URL. Where only the fragment differs browsers would stay on the page, with the old session on it: reload. */
export function navigate(url: string): void {
  const [page] = location.href.split("#");
  location.assign(url);
  if (url.startsWith(`${page}#`)) location.reload();
}
