import type { ParsedRequest } from "../model/context.ts";

/** The request once more, as it came, for application code that is promised one: its body can be read (docs/behaviour.md#credentials). */
export function originalRequest({ url, method, headers, rawBody }: ParsedRequest): Request {
  return new Request(url, { method, headers, ...(rawBody === undefined ? {} : { body: rawBody }) });
}
