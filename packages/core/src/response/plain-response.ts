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
      "cache-control": "private, no-cache, no-store",
      ...headers,
    },
  });
}
