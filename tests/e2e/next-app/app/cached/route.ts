/** An answer that says that everyone may keep it; only the proxy knows better. */
export function GET(): Response {
  return new Response("for everyone", { headers: { "cache-control": "public, s-maxage=600" } });
}
