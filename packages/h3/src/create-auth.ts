import type { Session, SessionFirst } from "@cardea/core";
import * as core from "@cardea/core/operations";
import { type H3Event, isOpen, readHead, sendResponse, setCookies, toWebRequest } from "./event.ts";

/** A configuration, or a function that returns one for an event. */
export type H3ConfigSource<S = Session, A = S> = core.EventConfigSource<H3Event, S, A>;

/** The result of `createAuth`, for the events of h3, Nitro and Nuxt. */
export interface H3Auth<S = Session> extends core.EventOperations<H3Event, S, Response> {
  /** All endpoints: a handler for `/auth/**`, e.g. the default export of `server/routes/auth/[...].ts`. */
  readonly handler: (event: H3Event) => Promise<Response>;
  /**
   * Middleware, e.g. the default export of `server/middleware/guard.ts`: sets `event.context.auth` and renews the session when
   * due. The request continues if `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and
   * API clients get 401.
   */
  readonly guard: (event: H3Event, next?: unknown) => Promise<Response | undefined>;
}

const port: core.EventPort<H3Event, Response> = {
  headOf: readHead,
  isOpen,
  setCookies,
  leave: (event, { url, cookies }, redirect) => sendResponse(event, core.redirectResponse(url, cookies, !redirect)),
};

/**
 * Sets up authentication for an application on h3 1 or 2: Nuxt, Nitro, or h3 itself.
 *
 * @param config a configuration, or a function that returns one for an event; the event is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(config: H3ConfigSource<S, A> & SessionFirst<S, A>): H3Auth<Awaited<S>>;
export function createAuth<S>(config: H3ConfigSource<S>): H3Auth<S> {
  const resolve = core.createEventResolver(config);
  return core.attachHandle<H3Auth<S>>(async () => resolve(), {
    ...core.bindOperations<H3Event, S, Response>(resolve, port),
    handler: async (event) => sendResponse(event, await core.respond(await toWebRequest(event), () => resolve(event))),
    // With one parameter only, h3 2 may take a response of status 404 for a route that it did not find, and continue.
    guard: async (event, _next) => {
      const answer = await core.guardRequest(() => resolve(event), readHead(event));
      setCookies(event, answer);
      if (answer.kind === "deny") return sendResponse(event, answer.response);
      Object.assign(event.context, { auth: answer.session });
      return undefined;
    },
  });
}
