import type { FlowContext } from "../model/context.ts";

/**
 * The application's page that replaces a built-in one; null if there is none, or if it is the URL of the built-in page,
 * which would redirect forever.
 *
 * @param page From the configuration: a path or a URL.
 * @param action The name of the built-in page.
 */
export function ownPage(context: FlowContext, page: string | undefined, action: string): URL | null {
  if (page === undefined) return null;
  const url = new URL(page, context.origin);
  const address = `${url.origin}${url.pathname}`.replace(/\/$/, "");
  return address === `${context.baseUrl}/${action}` ? null : url;
}
