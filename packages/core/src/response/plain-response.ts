/** Seconds after which a client may ask again when a session could not be read. */
export const RETRY_AFTER = "5";

/** An answer in plain text for requests that lead nowhere; nothing of the request is repeated. */
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

/** The answer to a request whose session could not be read (docs/behaviour.md#sign-in). */
export function unavailableResponse(): Response {
  const message = "Who you are cannot be looked up right now. Please try again in a moment.";
  return plainResponse(503, message, { "retry-after": RETRY_AFTER });
}
