import { stringifySetCookie } from "cookie";
import type { Cookie } from "../model/result.ts";

/** A `Set-Cookie` value (RFC 6265 §4.1.1). Values are ASCII already: encrypted, or percent-encoded by their writer. */
export function serializeCookie(cookie: Cookie): string {
  const { name, value, options } = cookie;
  const given = Object.entries(options).filter(([, attribute]) => attribute !== undefined);
  return stringifySetCookie({ name, value, ...Object.fromEntries(given) }, { encode: (text) => text });
}
