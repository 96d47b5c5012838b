import type { ClientFetchError } from "./client-fetch-error.ts";

/**
 * Changes the session: gives `data` to the server's `jwt` and `session` callbacks (trigger `update`). Without data it only
 * asks anew. Resolves to the session after the call; rejects with ClientFetchError, and the session shown stays.
 */
export type UpdateSession<S> = (data?: unknown) => Promise<S | null>;

/** What every state has. */
interface Common<S> {
  /** Why the server could not be asked last time; `data` is what it said before. Absent after the next answer. */
  readonly error?: ClientFetchError | undefined;
  readonly update: UpdateSession<S>;
}

/** Somebody is signed in. */
export interface Authenticated<S> extends Common<S> {
  readonly data: S;
  readonly status: "authenticated";
}

/** Nobody is signed in. */
export interface Unauthenticated<S> extends Common<S> {
  readonly data: null;
  readonly status: "unauthenticated";
}

/** Not known yet: the first answer is not there, or could not be had and `error` says why. */
export interface Loading<S> extends Common<S> {
  readonly data: null;
  readonly status: "loading";
}

/** What is known of the session. */
export type SessionState<S> = Authenticated<S> | Unauthenticated<S> | Loading<S>;

/** @param session undefined: not known. */
export function toSessionState<S>(session: S | null | undefined, update: UpdateSession<S>): SessionState<S> {
  if (session === undefined) return { data: null, status: "loading", update };
  if (session === null) return { data: null, status: "unauthenticated", update };
  return { data: session, status: "authenticated", update };
}
