import type { Cookie } from "../model/result.ts";
import { addCookies } from "../response/add-cookies.ts";

/** The response to a sign-in or sign-out in server code: a redirect, or `{ url }` as JSON. */
export function redirectResponse(url: string, cookies: readonly Cookie[], asJson: boolean): Response {
  const headers = new Headers();
  addCookies(headers, cookies);
  if (asJson) return Response.json({ url }, { headers });
  headers.set("location", url);
  return new Response(null, { status: 302, headers });
}

/** Fields of a form or an object, own string keys only. */
export function toFields(options: FormData | Readonly<Record<string, unknown>> = {}): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(options instanceof FormData ? [...options.entries()] : Object.entries(options));
}
