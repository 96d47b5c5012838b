import { addCookies } from "../http/add-cookies.ts";
import { OWN_HEADERS } from "../http/plain-response.ts";
import type { Cookie } from "../model/result.ts";

/** The response to a sign-in or sign-out in server code: a redirect, or `{ url }` as JSON. */
export function redirectResponse(url: string, cookies: readonly Cookie[], asJson: boolean): Response {
  const headers = new Headers(OWN_HEADERS);
  addCookies(headers, { cookies });
  if (asJson) return Response.json({ url }, { headers });
  headers.set("location", url);
  return new Response(null, { status: 302, headers });
}

/** The fields of a form or an object; only own string keys. Of a repeated field the first counts (docs/behaviour.md#actions). */
export function toFields(options?: FormData | Readonly<Record<string, unknown>> | null): ReadonlyMap<string, unknown> {
  const given = options instanceof FormData ? [...options.entries()] : Object.entries(options ?? {});
  const fields = new Map<string, unknown>();
  for (const [name, value] of given) if (!fields.has(name)) fields.set(name, value);
  return fields;
}
