import type { IncomingMessage } from "node:http";
import type { ConfigSource, SessionFirst, SignInArguments, SignOutOptions } from "@cardea/core";
import {
  addNodeCookies,
  assumeSession,
  attachHandle,
  authorizeRequest,
  type Cookie,
  carriedMethod,
  createConfigResolver,
  matchAction,
  type ResolvedConfig,
  readSession,
  rejectHost,
  requestInTurn,
  respond,
  signOut,
  startSignIn,
  toFields,
  updateSession,
} from "@cardea/core/operations";
import type { Session } from "@cardea/core/types";
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction, RequestHandler } from "express";
import { hostOf } from "./host-of.ts";
import { DEFAULT_BASE_PATH, type MountWatch, mountedAt, routePathOf, watchMounts } from "./mount.ts";
import { readPaths, routePath, splitTarget } from "./request-paths.ts";
import { refuse, refuseMethod, sendResponse } from "./send-response.ts";
import { toSessionRequest } from "./to-session-request.ts";
import { toToldRequest, toWebRequest, toWebRequestHead } from "./to-web-request.ts";

/** A request whose session has been read. */
export type AuthenticatedRequest<S = Session> = ExpressRequest & { auth: S | null };

/** A handler for requests whose session has been read. */
export type AuthenticatedHandler<S = Session> = (
  req: AuthenticatedRequest<S>,
  res: ExpressResponse,
  next: NextFunction,
) => unknown;

/** Reads the session of a request, works as middleware, or wraps a handler. */
export interface AuthFunction<S = Session> {
  /**
   * Middleware: `app.use(auth)`. Sets `res.locals.session` and `req.auth`, and renews the session when due. The request
   * continues if `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and API clients
   * get 401.
   */
  (req: ExpressRequest, res: ExpressResponse, next: NextFunction): void;
  /**
   * Resolves to the session of a request, or null. Rejects with `SessionUnavailable` if it cannot be read. In the handler of
   * `upgrade`, which has no request of Express, the public URL comes from `AUTH_URL`.
   *
   * @param req of Express, or of Node.js: WebSocket upgrades do not pass through Express.
   * @param res if given and not yet sent, the session is renewed when due.
   */
  (req: ExpressRequest | IncomingMessage, res?: ExpressResponse): Promise<S | null>;
  /** Like the middleware, for one handler. Rejections are passed to the error handler, even in Express 4. */
  (handler: (req: AuthenticatedRequest<S>, res: ExpressResponse, next: NextFunction) => unknown): RequestHandler;
}

/** The result of `createAuth`, for the requests and responses of Express. */
export interface ExpressAuth<S = Session> {
  /** All endpoints: `app.use("/auth", router)`, any other path, or `app.use(router)` for the base path. */
  readonly router: RequestHandler;
  /** The same endpoints for wildcard routes: `app.get("/auth/*splat", handlers.GET)`, in Express 4 `"/auth/*"`. */
  readonly handlers: { readonly GET: RequestHandler; readonly POST: RequestHandler };
  /** Reads the session, or guards routes. */
  readonly auth: AuthFunction<S>;
  /**
   * Starts a sign-in: sets its cookies, redirects to the provider (without one, to the sign-in page), and resolves to the URL.
   * Rejects with AuthError (docs/errors.md).
   */
  readonly signIn: (req: ExpressRequest, res: ExpressResponse, ...given: SignInArguments) => Promise<string>;
  /** Ends the session, clears its cookies, redirects, and resolves to the URL. Rejects with SignOutError. */
  readonly signOut: (req: ExpressRequest, res: ExpressResponse, options?: SignOutOptions | null) => Promise<string>;
  /** Changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (req: ExpressRequest, res: ExpressResponse, data: unknown) => Promise<S | null>;
}

/**
 * Sets up authentication for an Express application.
 *
 * @param config a configuration, or a function that returns one for a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(
  config: ConfigSource<S, A> & SessionFirst<S, A>,
): ExpressAuth<Awaited<S>>;
export function createAuth<S>(config: ConfigSource<S>): ExpressAuth<S> {
  const resolve = createConfigResolver(config, DEFAULT_BASE_PATH);
  const configFor = async (req: ExpressRequest): Promise<ResolvedConfig> =>
    resolve(typeof config === "function" ? toToldRequest(req) : undefined);
  const watch = watchMounts();
  const serve = (mountPathOf: (req: ExpressRequest) => string): RequestHandler =>
    forwardErrors(async (req, res, next) => {
      const refused = rejectHost(hostOf(req));
      if (refused !== null) return sendResponse(refused, res);
      const resolved = configFor(req);
      const config = await resolved.catch(() => null);
      // Logs why, and responds as with every framework.
      if (config === null) return sendResponse(await respond(toToldRequest(req), () => resolved), res);
      const mountPath = mountPathOf(req);
      const mounted = mountedAt(config, mountPath);
      const path = splitTarget(req.originalUrl)?.path ?? "";
      if (!`${path}/`.startsWith(`${mounted.receivedPath}/`)) {
        watch.missed(mounted, mountPath);
        return next();
      }
      if (readPaths(req) === null && mounted.receivedPath !== "") return refuse(res);
      // At the root, other routes belong to the application.
      if (mounted.receivedPath === "" && matchAction(req.method, path, "", config.extensions).kind === "not-found")
        return next();
      watch.reached(config, mounted, req, path);
      const request = await requestInTurn(req.method, () => toWebRequest(req));
      return sendResponse(await respond(request, () => mounted), res);
    });
  const route = serve(routePathOf);
  const instance: ExpressAuth<S> = {
    router: serve((req) => req.baseUrl),
    handlers: { GET: route, POST: route },
    auth: createAuthFunction<S>(configFor, watch),
    signIn: async (req, res, provider, options, ...own) => {
      requireRequest(req, "signIn(req, res, provider)");
      const fields = toFields(options);
      const head = toWebRequestHead(req);
      const begun = await startSignIn(await configFor(req), head, provider, fields, ...own);
      return leave(res, begun, fields.get("redirect") !== false);
    },
    signOut: async (req, res, options) => {
      requireRequest(req, "signOut(req, res)");
      const ended = await signOut(await configFor(req), toWebRequestHead(req), options);
      return leave(res, ended, options?.redirect !== false);
    },
    unstable_update: async (req, res, data) => {
      requireRequest(req, "unstable_update(req, res, data)");
      const { session, cookies } = await updateSession(await configFor(req), toWebRequestHead(req), data);
      addNodeCookies(res, { cookies });
      return assumeSession<S>(session);
    },
  };
  // Functions of extensions run without a request, so the configuration function gets none.
  return attachHandle(async () => resolve(), instance);
}

/** One function for three uses, distinguished by its arguments. */
function createAuthFunction<S>(
  configFor: (req: ExpressRequest) => Promise<ResolvedConfig>,
  watch: MountWatch,
): AuthFunction<S> {
  const read = async (req: ExpressRequest, res?: ExpressResponse): Promise<Session | null> => {
    const mode = res === undefined || res.headersSent ? "look" : "renew";
    const { session, cookies } = await readSession(await configFor(req), toSessionRequest(req), mode);
    if (res?.headersSent === false) addNodeCookies(res, { cookies });
    return session;
  };
  const guard = (handler: AuthenticatedHandler<S>) =>
    forwardErrors(async (req, res, next) => {
      watch.guards();
      const refused = rejectHost(hostOf(req));
      if (refused !== null) return sendResponse(refused, res);
      const paths = readPaths(req);
      if (paths === null) return refuse(res);
      if (carriedMethod(req.method) === null) return refuseMethod(res);
      const config = await configFor(req);
      const authorization = await authorizeRequest(config, toToldRequest(req), { sent: paths.sent });
      addNodeCookies(res, authorization);
      if (authorization.kind === "deny") {
        if (authorization.response.status === 302) watch.redirected(config);
        return sendResponse(authorization.response, res);
      }
      if (authorization.open === "action") watch.passed(config, req, res);
      if (authorization.respelled !== undefined) routePath(req, authorization.respelled);
      const auth = assumeSession<S>(authorization.session);
      res.locals.session = auth;
      return handler(Object.assign(req, { auth }), res, next);
    });
  const middleware = guard((_req, _res, next) => next());
  return assumeAuthFunction<S>(
    (input: ExpressRequest | AuthenticatedHandler<S>, res?: ExpressResponse, next?: NextFunction) => {
      if (typeof input === "function") {
        watch.guards();
        return guard(input);
      }
      requireRequest(input, "auth(req, res)");
      return res === undefined || next === undefined ? read(ofExpress(input), res) : middleware(input, res, next);
    },
  );
}

/** A request of Node.js with the members of one of Express that are read here; one of Express is returned as it is. */
function ofExpress(req: ExpressRequest | IncomingMessage): ExpressRequest {
  if ("originalUrl" in req) return req;
  const protocol = Reflect.get(req.socket, "encrypted") === true ? "https" : "http";
  const { url = "/" } = req;
  const given = { originalUrl: url, baseUrl: "", path: url.replace(/\?.*$/s, ""), protocol };
  // A cast: an upgrade has no more than these.
  return Object.assign(Object.create(req), given) as ExpressRequest;
}

/** Auth.js for Next.js needs no request, so this is easily forgotten in JavaScript. */
function requireRequest(req: unknown, call: string): void {
  if (typeof req !== "object" || req === null) throw new TypeError(`Pass the request and the response: ${call}.`);
}

/** Express 4 ignores promises: rejections must be passed on. */
function forwardErrors(
  handler: (req: ExpressRequest, res: ExpressResponse, next: NextFunction) => Promise<unknown>,
): RequestHandler {
  return (req, res, next) => {
    handler(req, res, next).catch(next);
  };
}

function leave(res: ExpressResponse, to: { url: string; cookies: readonly Cookie[] }, redirect: boolean): string {
  addNodeCookies(res, to);
  if (redirect) res.status(302).setHeader("location", to.url).end();
  return to.url;
}

/** The overloads of {@link AuthFunction} differ in their arguments only. */
function assumeAuthFunction<S>(auth: unknown): AuthFunction<S> {
  return auth as AuthFunction<S>;
}
