import type { ActionContext, ParsedRequest } from "../model/context.ts";
import { InvalidProvider } from "../model/errors.ts";
import type { ResolvedProvider } from "../model/resolved-provider.ts";

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

/** The provider in the path; undefined if it is not configured. */
export function providerOf(context: ActionContext): ResolvedProvider | undefined {
  return context.providerId === undefined ? undefined : context.config.providers.get(context.providerId);
}

/**
 * The provider in the path.
 *
 * @throws InvalidProvider if it is not configured; the path is not echoed.
 */
export function requireProvider(context: ActionContext): ResolvedProvider {
  const provider = providerOf(context);
  if (provider === undefined) throw new InvalidProvider("No provider with this id is configured.");
  return provider;
}
