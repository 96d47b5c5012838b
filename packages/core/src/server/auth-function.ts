import { loadOnce } from "../model/load-once.ts";
import type { Awaitable, Session } from "../model/records.ts";
import type { Cookie } from "../model/result.ts";
import { type Authorization, authorizeRequest, denyUnavailable } from "./authorize-request.ts";
import type { ConfigResolver } from "./config-resolver.ts";
import { readSession } from "./read-session.ts";
import { rejectRequest } from "./reject-request.ts";

/** A request whose session has been read. */
export type AuthenticatedRequest<S = Session> = Request & { readonly auth: S | null };

/** Reads the session of a request, or wraps a handler. */
export interface AuthFunction<S = Session> {
  /**
   * Resolves to the session of a request, or null. Rejects with `SessionUnavailable` if it cannot be read.
   *
   * @param responseHeaders headers of the response; if given, the session is renewed when due.
   */
  (request: Request, responseHeaders?: Headers): Promise<S | null>;
  /**
   * Wraps a handler: its request has the session as `auth`, and its response renews the session when due. The handler runs only
   * if `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and API clients get 401. If the
   * session is unavailable, the response is 503.
   */
  <Rest extends unknown[]>(
    handler: (request: AuthenticatedRequest<S>, ...rest: Rest) => Awaitable<Response>,
  ): (request: Request, ...rest: Rest) => Promise<Response>;
}

/** One function for both uses: reads a request, or wraps a handler. */
export function createAuthFunction<S>(resolve: ConfigResolver): AuthFunction<S> {
  const read = async (request: Request, responseHeaders?: Headers) => {
    const mode = responseHeaders === undefined ? "look" : "renew";
    const { session, cookies } = await readSession(await resolve(request), request, mode);
    if (cookies.length > 0) await addTo(responseHeaders, cookies);
    return session;
  };
  const wrap = (handler: (request: Request, ...rest: unknown[]) => Awaitable<Response>) => {
    return async (request: Request, ...rest: unknown[]) => {
      const refused = rejectRequest(request);
      if (refused !== null) return refused;
      const authorization = await authorizeRequest(await resolve(request), request).catch(denyUnavailable);
      if (authorization.kind === "deny") return withAll(authorization.response, authorization);
      const response = await handler(Object.assign(request, { auth: authorization.session }), ...rest);
      return withAll(response, authorization);
    };
  };
  const auth = (input: Request | Parameters<typeof wrap>[0], headers?: Headers) => {
    return typeof input === "function" ? wrap(input) : read(requireRequest(input, "auth()"), headers);
  };
  return assumeAuthFunction<S>(auth);
}

/** The overloads of {@link AuthFunction} differ in their first argument only. */
function assumeAuthFunction<S>(auth: unknown): AuthFunction<S> {
  return auth as AuthFunction<S>;
}

/** Most requests set no cookie (decisions/012). */
const loadCookies = loadOnce(() => import("../http/add-cookies.ts"));

/** Adds cookies to the headers of a response, if there are any; the headers keep the rules for responses from then on. */
export async function addTo(headers: Headers | undefined, cookies: readonly Cookie[]): Promise<void> {
  if (headers !== undefined && cookies.length > 0) (await loadCookies()).addCookies(headers, { cookies }, headers);
}

async function withAll(response: Response, answer: Authorization): Promise<Response> {
  const isOfVisitor = answer.session === null && answer.cookies.length === 0;
  return isOfVisitor ? response : (await loadCookies()).withCookies(response, answer);
}

/**
 * Auth.js for Next.js needs no request, so it is easily forgotten; frameworks with requests of their own call handlers with these.
 *
 * @param call the function, for the error.
 * @throws TypeError, synchronously: the error handler of Express 4 does not see rejections.
 */
export function requireRequest(request: Request, call = "A handler"): Request {
  const { headers }: { readonly headers?: { readonly get?: unknown } } = Object(request);
  if (typeof headers?.get === "function") return request;
  throw new TypeError(
    `${call} requires the request. createAuth() of @cardea/core handles \`Request\` objects of the Fetch API; for those of another framework, such as Express, import createAuth from the package of the framework, such as @cardea/express (docs/frameworks.md).`,
  );
}
