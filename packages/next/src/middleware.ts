/**
 * `auth` for `proxy.ts` and `middleware.ts`: reads and renews sessions, guards pages, and starts nothing. It decides as `auth` of the main
 * entry does, from the same configuration or the part of it that both share (docs/next.md#separate-middleware-configuration).
 */

import type { Session, SessionFirst } from "@cardea/core";
import { createReaderResolver } from "@cardea/core/operations";
import { createAuthFunction } from "./auth-function.ts";
import { createResolver } from "./create-resolver.ts";
import type { AuthFunction, NextConfigSource } from "./types.ts";

export type { AuthFunction, NextAuthConfig, NextAuthMiddleware, NextAuthRequest, NextConfigSource } from "./types.ts";

/** The result of `createAuth`. */
export interface MiddlewareAuth<S = Session> {
  /** Reads the session, or guards pages. */
  readonly auth: AuthFunction<S>;
}

/**
 * Sets up `auth` for middleware.
 *
 * @param config a configuration, or a function that returns one for a request. Providers count by their id, type and path; their
 *   options, and misspelled ones, are checked by the main entry.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request. In an
 *   application that is being built, where secrets may be missing, on the first request. InvalidConfiguration in a browser.
 */
export function createAuth<S = Session, A = S>(
  config: NextConfigSource<S, A> & SessionFirst<S, A>,
): MiddlewareAuth<Awaited<S>>;
export function createAuth<S>(config: NextConfigSource<S>): MiddlewareAuth<S> {
  const resolve = createResolver(createReaderResolver, config);
  return { auth: createAuthFunction<S>(resolve, typeof config === "function") };
}

export { createAuth as default };
