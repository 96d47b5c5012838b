import { parseRequestPath } from "../protocol/request-path.ts";
import { plainResponse } from "../response/plain-response.ts";

/**
 * The answer to a request whose path could mean one thing to a guard and another to a router; null for every other. For
 * bindings: ask it before the configuration, a guard or a callback hears of the request.
 *
 * @param sent the path without its query, as near to what the client sent as the binding can see.
 */
export function refusePath(sent: string): Response | null {
  return parseRequestPath(sent).kind === "refused" ? refusal() : null;
}

/** 400, without a word of the path. */
export function refusal(): Response {
  return plainResponse(400, "The path of this request is ambiguous.");
}
