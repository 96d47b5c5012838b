import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthConfig, AuthorizationParams, Awaitable, ConfigSource, Session, SignInContext } from "@cardea/core";
import type { NextFetchEvent, NextRequest } from "next/server.js";

/** The configuration (docs/configuration.md), with a `NextRequest` in `callbacks.authorized`. */
export type NextAuthConfig<S = Session, A = S> = AuthConfig<S, A, NextRequest>;

/**
 * A configuration, or a function that returns one; the request is absent in server components and server actions
 * (docs/environment.md).
 */
export type NextConfigSource<S = Session, A = S> = ConfigSource<S, A, NextRequest>;

/** A request whose session has been read. */
export type NextAuthRequest<S = Session> = NextRequest & { auth: S | null };

/** Options of `signIn`; other keys are the fields of a credentials or e-mail form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends Omit<SignOutOptions<Redirect>, "federated"> {
  /** A field of the form, like all others. Your own data is the fourth parameter of `signIn`, which no form contains. */
  context?: string | undefined;
  /** Further fields of the form. */
  [field: string]: unknown;
}

/** Options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Destination afterwards; default: the page that sent the request, or the base URL if that is unknown or one of Cardea's own pages. */
  redirectTo?: string | undefined;
  /** `false` resolves to the URL instead of redirecting. */
  redirect?: Redirect | undefined;
  /** Whether to also end the session at its provider; default: the configuration of `logout()` from `@cardea/logout`. */
  federated?: boolean | undefined;
}

/**
 * With `redirect: false`, resolves to the URL to redirect to. Otherwise it never resolves, because Next.js redirects by throwing.
 * If `redirect` is known only at run time, it has any type, so that a route can return it.
 */
export type Redirected<Redirect extends boolean> = Promise<
  // biome-ignore lint/suspicious/noExplicitAny: a handler may return it where a response of its own type is expected
  boolean extends Redirect ? any : Redirect extends false ? string : never
>;

/**
 * Reads the session in each part of Next.js (docs/behaviour.md#sign-in). If a session cannot be read, forms that resolve to
 * a session reject with `SessionUnavailable`, and forms that handle a request respond with 503.
 */
export interface AuthFunction<S = Session> {
  /**
   * In server components, route handlers and server actions: resolves to the session or null. Reads once per request,
   * writes nothing.
   */
  (): Promise<S | null>;
  /** In API routes: resolves to the session or null, and renews it when due. */
  (request: IncomingMessage, response: ServerResponse): Promise<S | null>;
  /** In `getServerSideProps`: resolves to the session or null, and renews it when due. */
  (context: { req: IncomingMessage; res: ServerResponse }): Promise<S | null>;
  /** In a function that passes on either the arguments of an API route or none: `auth(...args)`. */
  (...args: [] | [request: IncomingMessage, response: ServerResponse]): Promise<S | null>;
  /**
   * As middleware: calls `callbacks.authorized` to decide whether the request continues, and renews the session when due.
   */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>;
  /** Wraps a route handler or your own middleware, which runs only if `callbacks.authorized` allows it. */
  <Context>(
    // biome-ignore lint/suspicious/noConfusingVoidType: middleware may return nothing
    handler: (request: NextAuthRequest<S>, context: Context) => Awaitable<Response | null | undefined | void>,
  ): (request: NextRequest, context: Context) => Promise<Response>;
}

/** The result of `createAuth`. */
export interface NextAuth<S = Session> {
  /** For `app/api/auth/[...auth]/route.ts`: `export const { GET, POST } = handlers`; with the option `origins` also `OPTIONS`. */
  readonly handlers: Record<"GET" | "POST" | "OPTIONS", (request: NextRequest) => Promise<Response>>;
  /** Reads the session, or guards routes. */
  readonly auth: AuthFunction<S>;
  /**
   * In server actions and route handlers: starts a sign-in and redirects to the provider, or without one to the sign-in page. `context`
   * is your own data for `callbacks.signIn`, `callbacks.jwt` and `events.createUser` (docs/callbacks.md#own-data-through-a-sign-in).
   *
   * Rejects with AuthError. With `redirect: false` it resolves to a URL: where to continue, or the page that shows the
   * failure; it then rejects only with CredentialsSignin and with configuration errors.
   */
  readonly signIn: <Redirect extends boolean = true>(
    provider?: string,
    options?: FormData | SignInOptions<Redirect> | null,
    authorizationParams?: AuthorizationParams,
    context?: SignInContext,
  ) => Redirected<Redirect>;
  /** In server actions and route handlers: ends the session and redirects. Rejects with SignOutError. */
  readonly signOut: <Redirect extends boolean = true>(
    options?: SignOutOptions<Redirect> | null,
  ) => Redirected<Redirect>;
  /** In server actions and route handlers: changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (data: unknown) => Promise<S | null>;
}

/** The result of `createAuth`, under its Auth.js name. */
export type NextAuthResult<S = Session> = NextAuth<S>;

/** Middleware with a session, as accepted by `auth(handler)`. */
export type NextAuthMiddleware<S = Session> = (
  request: NextAuthRequest<S>,
  event: NextFetchEvent,
) => // biome-ignore lint/suspicious/noConfusingVoidType: middleware may return nothing
Awaitable<Response | null | undefined | void>;
