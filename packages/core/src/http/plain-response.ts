import { RETRY_AFTER } from "../model/units.ts";

/** A plain-text response, for requests that no action handles. It does not repeat any part of the request. */
export function plainResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(message, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, no-cache, no-store",
      ...headers,
    },
  });
}

/** The response if a session could not be read (docs/behaviour.md#sign-in). */
export function unavailableResponse(): Response {
  const message = "Your session is temporarily unavailable. Please try again in a moment.";
  return plainResponse(503, message, { "retry-after": RETRY_AFTER });
}
