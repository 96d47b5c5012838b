import type { AuthConfig, AuthorizationParams, Awaitable, Session, SessionFirst, SignInOptions } from "@cardea/core";
import {
  addCookies,
  attachHandle,
  type Cookie,
  createConfigResolver,
  guardRequest,
  readSession,
  respond,
  signOut,
  startSignIn,
  toFields,
  updateSession,
  withCookies,
} from "@cardea/core/operations";
import type { Context, MiddlewareHandler } from "hono";

/** A configuration, or a function that returns one for a context, e.g. from the bindings of a worker. */
export type HonoConfigSource<S = Session, A = S> = AuthConfig<S, A> | ((c?: Context) => Awaitable<AuthConfig<S, A>>);

/** What the guard sets: `new Hono<AuthEnv>()` types `c.get("auth")`. */
export interface AuthEnv<S = Session> {
  /** Variables of the context. */
  Variables: { auth: S | null };
}

/** The result of `createAuth`, for the contexts of Hono. */
export interface HonoAuth<S = Session> {
  /** All endpoints: `app.use("/auth/*", handler)`, at the base path. */
  readonly handler: (c: Context) => Promise<Response>;
  /**
   * Middleware that sets the variable `auth` and renews the session when due. The request continues if
   * `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and API clients get 401.
   */
  readonly guard: MiddlewareHandler<AuthEnv<S>>;
  /**
   * Resolves to the session of a request, or null, and renews it when due, until there is a response. Rejects with
   * `SessionUnavailable` if it cannot be read.
   */
  readonly auth: (c: Context) => Promise<S | null>;
  /** Starts a sign-in and returns the redirect. Without a provider: to the sign-in page. Rejects with AuthError. */
  readonly signIn: (
    c: Context,
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ) => Promise<Response>;
  /** Ends the session and returns the redirect. Rejects with SignOutError. */
  readonly signOut: (c: Context, options?: Pick<SignInOptions, "redirectTo" | "redirect">) => Promise<Response>;
  /** Changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (c: Context, data: unknown) => Promise<S | null>;
}

/**
 * Sets up authentication for a Hono application.
 *
 * @param config a configuration, or a function that returns one for a context; the context is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError immediately for a configuration object; for a function, at the request.
 */
export function createAuth<S = Session, A = S>(
  config: HonoConfigSource<S, A> & SessionFirst<S, A>,
): HonoAuth<Awaited<S>>;
export function createAuth<S>(config: HonoConfigSource<S>): HonoAuth<S> {
  const contexts = new WeakMap<Request, Context>();
  const source =
    typeof config === "function" ? (request?: Request) => config(request && contexts.get(request)) : config;
  const resolve = createConfigResolver(source, "/auth");
  const configOf = (c: Context) => {
    contexts.set(c.req.raw, c);
    return resolve(c.req.raw);
  };
  const guard: MiddlewareHandler<AuthEnv<S>> = async (c, next) => {
    const { url, method, path: routed, raw } = c.req;
    const answer = await guardRequest(() => configOf(c), { url, method, headers: raw.headers, routed });
    if (answer.kind === "deny") return send(c, withCookies(answer.response, answer.cookies));
    c.set("auth", assumeSession<S>(answer.session));
    await next();
    const response = withCookies(c.res, answer.cookies);
    // Assigned to a response that is there, Hono would merge the two, and let the former's cookies take precedence.
    c.res = undefined;
    c.res = response;
  };
  return attachHandle(async () => resolve(), {
    handler: async (c) => send(c, await respond(c.req.raw, () => configOf(c))),
    guard,
    auth: async (c) => {
      const mode = c.finalized ? "look" : "renew";
      const { session, cookies } = await readSession(await configOf(c), c.req.raw, mode);
      if (!c.finalized) addCookies(c.res.headers, cookies);
      return assumeSession<S>(session);
    },
    signIn: async (c, provider, options, params) => {
      const fields = toFields(options);
      const begun = await startSignIn(await configOf(c), c.req.raw, provider, fields, params);
      return leave(c, begun, fields.get("redirect") !== false);
    },
    signOut: async (c, { redirectTo, redirect = true } = {}) =>
      leave(c, await signOut(await configOf(c), c.req.raw, redirectTo), redirect),
    unstable_update: async (c, data) => {
      const { session, cookies } = await updateSession(await configOf(c), c.req.raw, data);
      addCookies(c.res.headers, cookies);
      return assumeSession<S>(session);
    },
  });
}

/**
 * Our cookies replace those of the same name that were set on the context before, and the others are kept: behind middleware
 * Hono takes the cookies of the context in place of those of the response; without, it sends the response as it is.
 */
function send(c: Context, response: Response): Response {
  addCookies(c.res.headers, response.headers.getSetCookie());
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of c.res.headers.getSetCookie()) headers.append("set-cookie", line);
  return new Response(response.body, { status: response.status, headers });
}

function leave(c: Context, to: { url: string; cookies: readonly Cookie[] }, redirect: boolean): Response {
  addCookies(c.res.headers, to.cookies);
  return redirect ? c.redirect(to.url) : c.json({ url: to.url });
}

/** The return value of `callbacks.session` has its type; without the callback it is `Session`. */
function assumeSession<S>(session: Session | null): S | null {
  return session as S | null;
}
