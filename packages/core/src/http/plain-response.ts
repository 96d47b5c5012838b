/**
 * Headers of the library's own responses. No cache may store one that depends on cookies (docs/behaviour.md#actions; ASVS 14.3.2). The URL
 * of a request may contain a code or a token, which must not leak to the redirect target (RFC 9700 §4.2.4).
 */
export const OWN_HEADERS = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  "referrer-policy": "no-referrer",
} as const;

/** A plain-text response, for requests that no action handles. It does not repeat any part of the request. */
export function plainResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(message, {
    status,
    headers: {
      ...OWN_HEADERS,
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
