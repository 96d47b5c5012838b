import type { ParsedRequest } from "../model/context.ts";

/**
 * Recreates the original request, with a readable body, for application code that receives it
 * (docs/behaviour.md#credentials).
 */
export function originalRequest({ url, method, headers, rawBody }: ParsedRequest): Request {
  return new Request(url, { method, headers, ...(rawBody === undefined ? {} : { body: rawBody }) });
}
