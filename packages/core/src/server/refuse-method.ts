const HEADERS = {
  allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

/** 405, for a request whose method a guard cannot decide about (RFC 9110 §9.3.8, §15.5.6). */
export function methodRefusal(): Response {
  return new Response(null, { status: 405, headers: HEADERS });
}
