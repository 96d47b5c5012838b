import { type AddedCookies, holdAnswer, settleResponse } from "@cardea/core/operations";
import type { Context } from "hono";

/**
 * What keeps additions to a response: that of Node.js, which @hono/node-server passes, or the context. On workers `env` has the
 * bindings of the application, which all requests share, under any name.
 */
const ownerOf = (c: Context): object => (Object(c.env).outgoing?.writeHead ? c.env.outgoing : c);

/** Adds to the response that will be sent; what the application chose for caches before does not count. */
export function holdFor(c: Context, addition: AddedCookies): void {
  const owner = ownerOf(c);
  const isHeld = holdAnswer(owner, addition, (name) => c.header(name));
  if (isHeld && owner === c && !Object.hasOwn(c, "res")) settleContext(c);
}

/**
 * Applies the rules to the responses of a context without a response of Node.js, in the two ways in which Hono sends one:
 *
 * 1. After middleware it sends `c.res`, which it reads last. That may be a response of the application's own, which other requests may share,
 *    so it is copied when it is set.
 * 2. Without middleware it sends what the handler returned: a method of the context created it.
 */
function settleContext(c: Context): void {
  const settle = (given: Response | Promise<Response>): Response | Promise<Response> =>
    given instanceof Promise ? given.then(settle) : settleResponse(given, c, true);
  for (const name of ["newResponse", "body", "text", "json", "html"]) {
    const create = Reflect.get(c, name);
    Reflect.set(c, name, (...given: readonly unknown[]) => settle(create(...given)));
  }
  const original: object = Object.getPrototypeOf(c);
  const read = (): Response => Reflect.get(original, "res", c);
  const set = (given?: Response) => void Reflect.set(original, "res", given && copyOf(given), c);
  Object.defineProperty(c, "res", { configurable: true, get: () => (c.finalized ? settle(read()) : read()), set });
  if (c.finalized) set(read());
}

/** The response to a WebSocket handshake cannot be copied. */
const copyOf = (given: Response): Response => (given.status < 200 ? given : new Response(given.body, given));

/** Merges a response of ours with the headers of the context. Of the same name, Hono would send those of the context. */
export function sendResponse(c: Context, given: Response): Response {
  holdFor(c, { cookies: given.headers.getSetCookie() });
  const response = copyOf(given);
  for (const name of given.headers.keys()) if (name !== "set-cookie") c.header(name);
  for (const line of c.res.headers.getSetCookie()) response.headers.append("set-cookie", line);
  return settleResponse(response, ownerOf(c), true);
}
