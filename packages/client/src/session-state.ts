import type { ClientFetchError } from "./client-fetch-error.ts";

/**
 * Changes the session: calls the server's `jwt` and `session` callbacks with `data` (trigger `update`). Without data it
 * only refetches. Resolves to the updated session; rejects with ClientFetchError, and the displayed session stays.
 */
export type UpdateSession<S> = (data?: unknown) => Promise<S | null>;

/** Members of every state. */
interface Common<S> {
  /** Why the last request failed; `data` keeps its previous value. Absent after the next response. */
  readonly error?: ClientFetchError | undefined;
  /** Changes the session with `data`, or refetches it if `data` is absent. */
  readonly update: UpdateSession<S>;
}

/** A user is signed in. */
export interface Authenticated<S> extends Common<S> {
  /** The session. */
  readonly data: S;
  /** A user is signed in. */
  readonly status: "authenticated";
}

/** No one is signed in. */
export interface Unauthenticated<S> extends Common<S> {
  /** No session. */
  readonly data: null;
  /** No one is signed in. */
  readonly status: "unauthenticated";
  /** Why the server ended the session, such as `ended` or `limit`; absent if the user signed out here or never signed in. */
  readonly ended?: string | undefined;
}

/** Not known yet: the first response has not arrived, or failed with `error`. */
export interface Loading<S> extends Common<S> {
  /** No session yet. */
  readonly data: null;
  /** The session is being loaded. */
  readonly status: "loading";
}

/** The state of the session. */
export type SessionState<S> = Authenticated<S> | Unauthenticated<S> | Loading<S>;

/**
 * @param session undefined: not known.
 * @param ended why there is none.
 */
export function toSessionState<S>(
  session: S | null | undefined,
  update: UpdateSession<S>,
  ended?: string | undefined,
): SessionState<S> {
  if (session === undefined) return { data: null, status: "loading", update };
  if (session === null) return { data: null, status: "unauthenticated", update, ...(ended && { ended }) };
  return { data: session, status: "authenticated", update };
}
