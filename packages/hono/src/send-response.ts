import { addCookies, takeCookies } from "@cardea/core/operations";
import type { Context } from "hono";

/**
 * Merges our cookies with those of the context, replacing ones with the same name. After middleware, Hono sends the cookies of
 * the context instead of the response's; otherwise it sends the response unchanged.
 */
export function sendResponse(c: Context, given: Response): Response {
  const { response, cookies } = takeCookies(given);
  addCookies(c.res.headers, cookies);
  for (const line of c.res.headers.getSetCookie()) response.headers.append("set-cookie", line);
  return response;
}
