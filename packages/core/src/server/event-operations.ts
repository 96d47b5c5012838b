import type { Parts } from "../config/parts.ts";
import type { RequestVariables } from "../config/reuse-resolution.ts";
import type { AddedCookies } from "../http/add-cookies.ts";
import type { AuthConfig } from "../model/config.ts";
import type { Awaitable, Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Cookie } from "../model/result.ts";
import { signOut, startSignIn, updateSession } from "./change-session.ts";
import { type ConfigSource, createConfigResolver, DEFAULT_BASE_PATH, type ResolverOptions } from "./config-resolver.ts";
import type { SignInArguments, SignOutOptions } from "./create-auth.ts";
import { assumeSession, type OperationRequest, readSession } from "./read-session.ts";
import { toFields } from "./redirect-response.ts";

/** A configuration, or a function that returns one for an event of a framework; the event is absent outside a request. */
export type EventConfigSource<E, S = Session, A = S> = AuthConfig<S, A> | ((event?: E) => Awaitable<AuthConfig<S, A>>);

/** Resolves a configuration for an event. */
export type EventResolver<E> = (event?: E) => Promise<ResolvedConfig> | ResolvedConfig;

/** The redirect of a sign-in or sign-out. */
export interface Departure {
  /** The URL to redirect the browser to. */
  readonly url: string;
  /** The cookies to set. */
  readonly cookies: readonly Cookie[];
}

/** How a framework adapter reads its events and changes their responses. */
export interface EventPort<E, Left> {
  /** The URL and headers of the request. */
  readonly headOf: (event: E) => OperationRequest;
  /** Whether cookies can still be set. */
  readonly isOpen: (event: E) => boolean;
  /** Sets cookies on the response that will be sent, replacing those of the same name. */
  readonly setCookies: (event: E, addition: AddedCookies) => void;
  /** Redirects, or with `redirect: false` only sets the cookies. */
  readonly leave: (event: E, to: Departure, redirect: boolean) => Left;
}

/** Functions for server code, with the event as their first argument. */
export interface EventOperations<E, S, Left> {
  /**
   * Resolves to the session of a request, or null. Renews the session when due, unless the response was already sent. Rejects
   * with `SessionUnavailable` if the session cannot be read.
   */
  readonly auth: (event: E) => Promise<S | null>;
  /** Starts a sign-in and returns the redirect: to the provider, or without one to the sign-in page. Rejects with AuthError. */
  readonly signIn: (event: E, ...given: SignInArguments) => Promise<Left>;
  /** Ends the session and returns the redirect. Rejects with SignOutError. */
  readonly signOut: (event: E, options?: SignOutOptions | null) => Promise<Left>;
  /** Changes the session and resolves to it. Unstable (docs/configuration.md). */
  readonly unstable_update: (event: E, data: unknown) => Promise<S | null>;
}

/** Like `createConfigResolver`, for configuration functions that receive an event; see `standard-resolvers.ts`. */
export function createEventResolver<E, S, A>(
  source: EventConfigSource<E, S, A>,
  parts: Parts,
  basePath: string = DEFAULT_BASE_PATH,
  environmentOf?: (event: E) => RequestVariables | undefined,
): EventResolver<E> {
  // Casts: with `show`, the resolver passes its argument to the functions without reading it.
  const options = { show: (event: Request) => event, environmentOf } as ResolverOptions;
  return createConfigResolver(source as unknown as ConfigSource, parts, basePath, options) as EventResolver<E>;
}

/** Creates the operations for a framework whose server code has access to the event. */
export function bindOperations<E, S, Left>(
  configOf: (event: E) => Awaitable<ResolvedConfig>,
  port: EventPort<E, Left>,
): EventOperations<E, S, Left> {
  const headOf = (event: E) => {
    if (typeof event !== "object" || event === null)
      throw new TypeError("Pass the event, context or request of your handler.");
    return port.headOf(event);
  };
  const { isOpen, setCookies, leave } = port;
  return {
    auth: async (event) => {
      const head = headOf(event);
      const mode = isOpen(event) ? "renew" : "look";
      const { session, cookies } = await readSession(await configOf(event), head, mode);
      if (isOpen(event)) setCookies(event, { cookies });
      return assumeSession<S>(session);
    },
    signIn: async (event, provider, options, ...own) => {
      const head = headOf(event);
      const fields = toFields(options);
      const begun = await startSignIn(await configOf(event), head, provider, fields, ...own);
      return leave(event, begun, fields.get("redirect") !== false);
    },
    signOut: async (event, options) => {
      const head = headOf(event);
      return leave(event, await signOut(await configOf(event), head, options), options?.redirect !== false);
    },
    unstable_update: async (event, data) => {
      const head = headOf(event);
      const { session, cookies } = await updateSession(await configOf(event), head, data);
      setCookies(event, { cookies });
      return assumeSession<S>(session);
    },
  };
}
