import { parseRequestPath } from "../protocol/request-path.ts";
import { plainResponse } from "../response/plain-response.ts";

/**
 * The response to a request whose path a guard and a router could interpret differently; null for any other path. For
 * framework adapters: call it before the configuration, a guard or a callback sees the request.
 *
 * @param sent the path without its query, as close to the original as the adapter can see.
 */
export function refusePath(sent: string): Response | null {
  return parseRequestPath(sent).kind === "refused" ? refusal() : null;
}

/** 400, without repeating the path. */
export function refusal(): Response {
  return plainResponse(400, "The path of this request is ambiguous.");
}
