import { addCookies, takeCookies } from "@cardea/core/operations";
import type { Context } from "hono";

/**
 * What keeps additions to a response: that of Node.js, which @hono/node-server passes, or the context. On workers `env` has the
 * bindings of the application, which all requests share, under any name.
 */
export const ownerOf = (c: Context): object => (Object(c.env).outgoing?.writeHead ? c.env.outgoing : c);

/**
 * Merges our cookies with those of the context, replacing ones with the same name. After middleware, Hono sends the cookies of
 * the context instead of the response's; otherwise it sends the response unchanged.
 */
export function sendResponse(c: Context, given: Response): Response {
  const { response, cookies } = takeCookies(given);
  addCookies(c.res.headers, { cookies }, ownerOf(c));
  for (const line of c.res.headers.getSetCookie()) response.headers.append("set-cookie", line);
  return response;
}
