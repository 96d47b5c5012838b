import type { Parts } from "../config/parts.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { Awaitable, Session } from "../model/records.ts";
import type { Cookie } from "../model/result.ts";
import { isPromise, loadOnce } from "../model/when-there.ts";
import { attachHandle } from "./application-handle.ts";
import { type Authorization, authorizeRequest, denyUnavailable } from "./authorize-request.ts";
import type { AuthorizationParams } from "./begin-sign-in.ts";
import { signOut, startSignIn, updateSession } from "./change-session.ts";
import { type ConfigResolver, type ConfigSource, createConfigResolver } from "./config-resolver.ts";
import { assumeSession, readSession } from "./read-session.ts";
import { refuseRequest } from "./refuse-request.ts";
import { DEFAULT_BASE_PATH, respond } from "./respond.ts";

/** A request whose session has been read. */
export type AuthenticatedRequest<S = Session> = Request & { readonly auth: S | null };

/** Options of `signIn` (docs/behaviour.md#sign-in); other keys are the fields of a form. */
export interface SignInOptions {
  /** Destination after sign-in; default the base URL. */
  redirectTo?: string | undefined;
  /** `false` does not redirect: the result is the URL, or a response with 200 and `{ url }`. */
  redirect?: boolean | undefined;
  /** A field of the form, like all others. Your own data is the last argument of `signIn`, which no form contains. */
  context?: string | undefined;
  /** Further fields of the form. */
  [field: string]: unknown;
}

/**
 * Arguments of `signIn` in server code, after those of the framework. The options may be the form of a visitor. `context` is your
 * own data for `callbacks.signIn`, `callbacks.jwt` and `events.createUser` (docs/callbacks.md#own-data-through-a-sign-in).
 */
export type SignInArguments = readonly [
  provider?: string,
  options?: FormData | SignInOptions,
  authorizationParams?: AuthorizationParams,
  context?: SignInContext,
];

/** Options of `signOut` (docs/behaviour.md#sign-in). */
export interface SignOutOptions extends Pick<SignInOptions, "redirectTo" | "redirect"> {
  /** Whether to also end the session at its provider; default: the configuration of `logout()` from `@cardea/logout`. */
  federated?: boolean | undefined;
}

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

/** The result of `createAuth`, for the Fetch API's `Request` and `Response`. */
export interface AuthInstance<S = Session> {
  /** Handles requests below the base path. Never throws because of client input. */
  readonly handlers: {
    readonly GET: (request: Request) => Promise<Response>;
    readonly POST: (request: Request) => Promise<Response>;
    /** Only needed with the option `origins`. */
    readonly OPTIONS: (request: Request) => Promise<Response>;
  };
  /** Reads the session, or guards a handler. */
  readonly auth: AuthFunction<S>;
  /**
   * Starts a sign-in and returns the redirect: to the provider, or without one to the sign-in page. Throws AuthError
   * (docs/errors.md).
   */
  readonly signIn: (request: Request, ...given: SignInArguments) => Promise<Response>;
  /** Ends the session and returns the redirect; throws SignOutError. */
  readonly signOut: (request: Request, options?: SignOutOptions) => Promise<Response>;
  /** Changes the session; its cookies are added to `responseHeaders`. Unstable (docs/configuration.md). */
  readonly unstable_update: (request: Request, data: unknown, responseHeaders?: Headers) => Promise<S | null>;
}

/** Sets up authentication with some parts of core; see `createAuth` in `standard.ts`. */
export function createAuthWith<S>(parts: Parts, config: ConfigSource<S>): AuthInstance<S> {
  const resolve = createConfigResolver(config, parts, DEFAULT_BASE_PATH);
  const handle = (request: Request) => respond(requireRequest(request), resolve);
  return attachHandle(resolve, {
    handlers: { GET: handle, POST: handle, OPTIONS: handle },
    auth: createAuthFunction<S>(resolve),
    signIn: async (request, provider, options, ...own) => {
      const { redirectResponse, toFields } = await loadRedirect();
      const fields = toFields(options);
      const { url, cookies } = await startSignIn(await resolve(request), request, provider, fields, ...own);
      return redirectResponse(url, cookies, fields.get("redirect") === false);
    },
    signOut: async (request, options = {}) => {
      const { redirectResponse } = await loadRedirect();
      const { url, cookies } = await signOut(await resolve(request), request, options.redirectTo, options.federated);
      return redirectResponse(url, cookies, options.redirect === false);
    },
    unstable_update: async (request, data, responseHeaders) => {
      const { session, cookies } = await updateSession(await resolve(request), request, data);
      await addTo(responseHeaders, cookies);
      return assumeSession<S>(session);
    },
  });
}

/** Most requests set no cookie (decisions/012). */
const loadCookies = loadOnce(() => import("../http/add-cookies.ts"));
const loadRedirect = loadOnce(() => import("./redirect-response.ts"));

async function addTo(headers: Headers | undefined, cookies: readonly Cookie[]): Promise<void> {
  if (headers !== undefined && cookies.length > 0) (await loadCookies()).addCookies(headers, { cookies });
}

async function withAll(response: Response, answer: Authorization): Promise<Response> {
  const isOfVisitor = answer.session === null && answer.cookies.length === 0;
  return isOfVisitor ? response : (await loadCookies()).withCookies(response, answer);
}

/**
 * Frameworks with requests of their own call handlers with these.
 *
 * @throws TypeError, synchronously: the error handler of Express 4 does not see rejections.
 */
function requireRequest(request: Request): Request {
  const { headers }: { readonly headers?: { readonly get?: unknown } } = Object(request);
  if (typeof headers?.get === "function") return request;
  throw new TypeError(
    "createAuth() of @cardea/core handles `Request` objects of the Fetch API, and was called with something else, such as a request of Express. Import createAuth from the package of the framework, such as @cardea/express (docs/frameworks.md).",
  );
}

/** One function for both uses: reads a request, or wraps a handler. */
function createAuthFunction<S>(resolve: ConfigResolver): AuthFunction<S> {
  const read = async (request: Request, responseHeaders?: Headers) => {
    const mode = responseHeaders === undefined ? "look" : "renew";
    const resolved = resolve(request);
    const config = isPromise(resolved) ? await resolved : resolved;
    const { session, cookies } = await readSession(config, request, mode);
    if (cookies.length > 0) await addTo(responseHeaders, cookies);
    return session;
  };
  const wrap = (handler: (request: Request, ...rest: unknown[]) => Awaitable<Response>) => {
    return async (request: Request, ...rest: unknown[]) => {
      const refused = refuseRequest(request);
      if (refused !== null) return refused;
      const authorization = await authorizeRequest(await resolve(request), request).catch(denyUnavailable);
      if (authorization.kind === "deny") return withAll(authorization.response, authorization);
      const response = await handler(Object.assign(request, { auth: authorization.session }), ...rest);
      return withAll(response, authorization);
    };
  };
  const auth = (input: Request | Parameters<typeof wrap>[0], headers?: Headers) => {
    if (!input) throw new TypeError("auth() requires the request.");
    return typeof input === "function" ? wrap(input) : read(requireRequest(input), headers);
  };
  return assumeAuthFunction<S>(auth);
}

/** The overloads of {@link AuthFunction} differ in their first argument only. */
function assumeAuthFunction<S>(auth: unknown): AuthFunction<S> {
  return auth as AuthFunction<S>;
}
