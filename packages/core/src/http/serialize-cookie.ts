import { type SetCookie, stringifySetCookie } from "cookie";
import type { Cookie } from "../model/result.ts";

/** A `Set-Cookie` value (RFC 6265 §4.1.1). Values are ASCII already: encrypted, or percent-encoded by their writer. */
export function serializeCookie(cookie: Cookie): string {
  const { name, value, options } = cookie;
  return stringifySetCookie(assumeGiven({ name, value, ...options }), AS_IT_IS);
}

const AS_IT_IS = { encode: (text: string) => text };

/** A cast: undefined attributes are omitted like absent ones, but the type allows only absent ones. */
function assumeGiven(cookie: object): SetCookie {
  return cookie as SetCookie;
}
