import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthConfig, AuthorizationParams, Awaitable, ConfigSource, Session } from "@cardea/core";
import type { NextFetchEvent, NextRequest } from "next/server.js";

/** The configuration (docs/configuration.md), with Next's own request in `callbacks.authorized`. */
export type NextAuthConfig<S = Session, A = S> = AuthConfig<S, A, NextRequest>;

/** A configuration, or a function that makes one; the request is absent in server components and server actions (docs/environment.md). */
export type NextConfigSource<S = Session, A = S> = ConfigSource<S, A, NextRequest>;

/** A request whose session has been read. */
export type NextAuthRequest<S = Session> = NextRequest & { auth: S | null };

/** Options of `signIn`; further keys are the fields of a credentials or e-mail form. */
export interface SignInOptions<Redirect extends boolean = boolean> extends SignOutOptions<Redirect> {
  [field: string]: unknown;
}

/** Options of `signOut`. */
export interface SignOutOptions<Redirect extends boolean = boolean> {
  /** Where to go afterwards; default the page that the form was on. */
  redirectTo?: string | undefined;
  /** `false` resolves to the URL instead of redirecting. */
  redirect?: Redirect | undefined;
}

/** The URL to go to with `redirect: false`; otherwise nothing returns, because Next.js redirects by an exception. */
export type Redirected<Redirect extends boolean> = Promise<Redirect extends false ? string : never>;

/**
 * Reads sessions, in every form of the specification (docs/behaviour.md#sign-in). When a session cannot be read, what resolves to a session rejects
 * with `SessionUnavailable`, and what answers a request answers 503.
 */
export interface AuthFunction<S = Session> {
  /** In server components, route handlers and server actions: the session or null. Reads once per request, writes nothing. */
  (): Promise<S | null>;
  /** In API routes: the session or null, renewed when due. */
  (request: IncomingMessage, response: ServerResponse): Promise<S | null>;
  /** In `getServerSideProps`: the session or null, renewed when due. */
  (context: { req: IncomingMessage; res: ServerResponse }): Promise<S | null>;
  /** As middleware: lets the request go on, or not, as `callbacks.authorized` says; renews the session when due. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>;
  /** In front of a route handler, or of middleware of your own, which runs only when `callbacks.authorized` lets it. */
  <Context>(
    // biome-ignore lint/suspicious/noConfusingVoidType: middleware may as well return nothing
    handler: (request: NextAuthRequest<S>, context: Context) => Awaitable<Response | undefined | void>,
  ): (request: NextRequest, context: Context) => Promise<Response>;
}

/** What `createAuth` returns. */
export interface NextAuth<S = Session> {
  /** For `app/api/auth/[...auth]/route.ts`: `export const { GET, POST } = handlers`. */
  readonly handlers: Record<"GET" | "POST", (request: NextRequest) => Promise<Response>>;
  readonly auth: AuthFunction<S>;
  /**
   * In server actions and route handlers: begins a sign-in and redirects. Without a provider: to the sign-in page.
   *
   * Rejects with AuthError. With `redirect: false` it resolves to a URL: where to go on, or the page that shows what failed;
   * it then rejects only with CredentialsSignin, and with errors of the configuration.
   */
  readonly signIn: <Redirect extends boolean = true>(
    provider?: string,
    options?: FormData | SignInOptions<Redirect>,
    authorizationParams?: AuthorizationParams,
  ) => Redirected<Redirect>;
  /** In server actions and route handlers: ends the session and redirects. Rejects with SignOutError. */
  readonly signOut: <Redirect extends boolean = true>(options?: SignOutOptions<Redirect>) => Redirected<Redirect>;
  /** In server actions and route handlers: changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (data: unknown) => Promise<S | null>;
}

/** What `createAuth` returns, under its Auth.js name. */
export type NextAuthResult<S = Session> = NextAuth<S>;

/** Middleware with a session, as `auth(handler)` takes it. */
export type NextAuthMiddleware<S = Session> = (
  request: NextAuthRequest<S>,
  event: NextFetchEvent,
) => // biome-ignore lint/suspicious/noConfusingVoidType: middleware may return nothing
Awaitable<Response | null | undefined | void>;
