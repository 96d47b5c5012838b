import type { AuthConfig, AuthorizationParams, Awaitable, Session, SessionFirst, SignInOptions } from "@cardea/core";
import {
  attachHandle,
  createConfigResolver,
  guardRequest,
  readSession,
  redirectResponse,
  respond,
  signOut,
  startSignIn,
  toFields,
  updateSession,
} from "@cardea/core/operations";
import { type H3Event, isOpen, readHead, sendResponse, setCookies, toWebRequest } from "./event.ts";

/** A configuration, or a function that returns one for an event. */
export type H3ConfigSource<S = Session, A = S> = AuthConfig<S, A> | ((event?: H3Event) => Awaitable<AuthConfig<S, A>>);

/** The result of `createAuth`, for the events of h3, Nitro and Nuxt. */
export interface H3Auth<S = Session> {
  /** All endpoints: a handler for `/auth/**`, e.g. the default export of `server/routes/auth/[...].ts`. */
  readonly handler: (event: H3Event) => Promise<Response>;
  /**
   * Middleware, e.g. the default export of `server/middleware/guard.ts`: sets `event.context.auth` and renews the session when
   * due. The request continues if `callbacks.authorized` allows it; otherwise browsers are redirected to the sign-in page and
   * API clients get 401.
   */
  readonly guard: (event: H3Event) => Promise<Response | undefined>;
  /**
   * Resolves to the session of a request, or null, and renews it when due, until the response is sent. Rejects with
   * `SessionUnavailable` if it cannot be read.
   */
  readonly auth: (event: H3Event) => Promise<S | null>;
  /** Starts a sign-in and returns the redirect. Without a provider: to the sign-in page. Rejects with AuthError. */
  readonly signIn: (
    event: H3Event,
    provider?: string,
    options?: FormData | SignInOptions,
    authorizationParams?: AuthorizationParams,
  ) => Promise<Response>;
  /** Ends the session and returns the redirect. Rejects with SignOutError. */
  readonly signOut: (event: H3Event, options?: Pick<SignInOptions, "redirectTo" | "redirect">) => Promise<Response>;
  /** Changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (event: H3Event, data: unknown) => Promise<S | null>;
}

/**
 * Sets up authentication for an application on h3 1 or 2: Nuxt, Nitro, or h3 itself.
 *
 * @param config a configuration, or a function that returns one for an event; the event is absent outside a request.
 * @throws InvalidConfiguration, MissingSecretError immediately for a configuration object; for a function, at the request.
 */
export function createAuth<S = Session, A = S>(config: H3ConfigSource<S, A> & SessionFirst<S, A>): H3Auth<Awaited<S>>;
export function createAuth<S>(config: H3ConfigSource<S>): H3Auth<S> {
  const events = new WeakMap<Request, H3Event>();
  const source = typeof config === "function" ? (request?: Request) => config(request && events.get(request)) : config;
  const resolve = createConfigResolver(source, "/auth");
  const configOf = (event: H3Event) => {
    if (typeof config !== "function") return resolve();
    const request = new Request("http://localhost/");
    events.set(request, event);
    return resolve(request);
  };
  return attachHandle<H3Auth<S>>(async () => resolve(), {
    handler: async (event) => sendResponse(event, await respond(toWebRequest(event), () => configOf(event))),
    guard: async (event) => {
      const answer = await guardRequest(() => configOf(event), readHead(event));
      setCookies(event, answer.cookies);
      if (answer.kind === "deny") return sendResponse(event, answer.response);
      Object.assign(event.context, { auth: answer.session });
      return undefined;
    },
    auth: async (event) => {
      const mode = isOpen(event) ? "renew" : "look";
      const { session, cookies } = await readSession(await configOf(event), readHead(event), mode);
      if (isOpen(event)) setCookies(event, cookies);
      return assumeSession<S>(session);
    },
    signIn: async (event, provider, options, params) => {
      const fields = toFields(options);
      const begun = await startSignIn(await configOf(event), readHead(event), provider, fields, params);
      return sendResponse(event, redirectResponse(begun.url, begun.cookies, fields.get("redirect") === false));
    },
    signOut: async (event, { redirectTo, redirect = true } = {}) => {
      const ended = await signOut(await configOf(event), readHead(event), redirectTo);
      return sendResponse(event, redirectResponse(ended.url, ended.cookies, !redirect));
    },
    unstable_update: async (event, data) => {
      const { session, cookies } = await updateSession(await configOf(event), readHead(event), data);
      setCookies(event, cookies);
      return assumeSession<S>(session);
    },
  });
}

/** The return value of `callbacks.session` has its type; without the callback it is `Session`. */
function assumeSession<S>(session: Session | null): S | null {
  return session as S | null;
}
