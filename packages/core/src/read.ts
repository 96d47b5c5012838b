/**
 * Reads sessions and guards requests, and starts nothing: no sign-in, no page, no endpoint. For middleware and other servers that share
 * the configuration of an application, or a part of it (docs/sessions.md#readers).
 */

import type { Session } from "./model/records.ts";
import { createReaderResolver } from "./reader.ts";
import { type AuthFunction, createAuthFunction } from "./server/auth-function.ts";
import { type ConfigSource, DEFAULT_BASE_PATH, type SessionFirst } from "./server/config-resolver.ts";

export type { AuthenticatedRequest, AuthFunction } from "./server/auth-function.ts";
export type { ConfigSource, SessionFirst } from "./server/config-resolver.ts";

/** The result of `createAuth`. */
export interface AuthReader<S = Session> {
  /** Reads the session, or guards a handler. */
  readonly auth: AuthFunction<S>;
}

/**
 * Sets up reading of the sessions that the application issues. It decides as the application does, from the same configuration; a
 * session that was issued under a check that this configuration lacks is unavailable.
 *
 * @param config a configuration, or a function that returns one for a request. Providers count by their id, type and path; their
 *   options, and misspelled ones, are checked where the application signs users in.
 * @throws InvalidConfiguration, MissingSecretError: immediately for a configuration object, with a function on each request.
 */
export function createAuth<S = Session, A = S>(config: ConfigSource<S, A> & SessionFirst<S, A>): AuthReader<Awaited<S>>;
export function createAuth<S>(config: ConfigSource<S>): AuthReader<S> {
  return { auth: createAuthFunction<S>(createReaderResolver(config, DEFAULT_BASE_PATH)) };
}
