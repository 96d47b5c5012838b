import type { Session, SessionFirst } from "@cardea/core";
import * as core from "@cardea/core/operations";
import type { Context, MiddlewareHandler } from "hono";
import { env, getRuntimeKey } from "hono/adapter";
import { holdFor, sendResponse } from "./send-response.ts";

/** A configuration, or a function that returns one for a context, e.g. from the bindings of a worker. */
export type HonoConfigSource<S = Session, A = S> = core.EventConfigSource<Context, S, A>;

/** The variables that the guard sets: with `new Hono<AuthEnv>()`, `c.get("auth")` is typed. */
export interface AuthEnv<S = Session> {
  /** Variables of the context. */
  Variables: { auth: S | null };
}

/** The result of `createAuth`, for the contexts of Hono. */
export interface HonoAuth<S = Session> extends core.EventOperations<Context, S, Response> {
  /** All endpoints: `app.use("/auth/*", handler)`, at the base path. */
  readonly handler: (c: Context) => Promise<Response>;
  /**
   * Middleware that sets the variable `auth` and renews the session when due. The request continues if
   * `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and API clients get 401.
   */
  readonly guard: MiddlewareHandler<AuthEnv<S>>;
}

/** The request of Node.js, which @hono/node-server passes. */
const incomingOf = (c: Context): unknown => Object(c.env).incoming;

const received = (c: Context): core.IncomingRequest => core.withAuthority(c.req.raw, incomingOf(c));

/** The complete request, with the body that a handler before may have read through `c.req`. */
function complete(c: Context): core.IncomingRequest {
  const { raw, bodyCache: kept } = c.req;
  // In this order: @hono/node-server makes a `Request` when it is asked for `bodyUsed`.
  if (Object.keys(kept).length === 0 || !raw.bodyUsed) return received(c);
  const { url, method, headers: sent } = received(c);
  const headers = new Headers(sent);
  const body = () => core.nodeBody({ body: kept.arrayBuffer ?? kept.formData ?? c.req.arrayBuffer() }, headers);
  return core.nodeRequest({ url, method, headers }, body);
}

/** On workers, the variables are bindings, which only a context has. */
const bindingsOf = (c: Context) => (getRuntimeKey() === "workerd" ? env(c) : undefined);

const port: core.EventPort<Context, Response> = {
  headOf: received,
  isOpen: (c) => !c.finalized,
  setCookies: holdFor,
  leave: (c, { url, cookies }, redirect) => sendResponse(c, core.redirectResponse(url, cookies, !redirect)),
};

/**
 * Sets up authentication for a Hono application.
 *
 * @param config a configuration, or a function that returns one for a context; the context is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(
  config: HonoConfigSource<S, A> & SessionFirst<S, A>,
): HonoAuth<Awaited<S>>;
export function createAuth<S>(config: HonoConfigSource<S>): HonoAuth<S> {
  const resolve = core.createEventResolver(config, undefined, bindingsOf);
  const guard: MiddlewareHandler<AuthEnv<S>> = async (c, next) => {
    const { url, method, path: routed } = c.req;
    const asked = { url, method, routed, headers: received(c).headers, sent: core.nodePath(incomingOf(c)) };
    const answer = await core.guardRequest(() => resolve(c), asked);
    holdFor(c, answer);
    if (answer.kind === "deny") return sendResponse(c, answer.response);
    c.set("auth", core.assumeSession<S>(answer.session));
    await next();
  };
  return core.attachHandle(async () => resolve(), {
    ...core.bindOperations<Context, S, Response>(resolve, port),
    handler: async (c) => sendResponse(c, await core.respond(complete(c), () => resolve(c))),
    guard,
  });
}
