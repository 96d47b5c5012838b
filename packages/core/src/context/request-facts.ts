import type { ParsedRequest } from "../model/context.ts";

/**
 * Recreates the original request, with a readable body, for application code that receives it
 * (docs/behaviour.md#credentials).
 */
export function originalRequest({ url, method, headers, rawBody }: ParsedRequest): Request {
  return new Request(url, { method, headers, ...(rawBody === undefined ? {} : { body: rawBody }) });
}

/** Whether a request is a prefetch, as declared by browsers and link checkers. It must not change anything. */
export function isPrefetch({ headers }: ParsedRequest): boolean {
  return ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.toLowerCase().includes("prefetch"));
}

/** Whether a client of an extension's action wants JSON: a script of the page, or a program that does not accept pages. */
export function wantsJson(headers: { get(name: string): string | null }): boolean {
  return headers.get("x-auth-return-redirect") !== null || headers.get("accept")?.includes("text/html") !== true;
}
