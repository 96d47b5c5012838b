import { announceChange, CHANGED, openChannel } from "./announce-change.ts";
import { ClientFetchError } from "./client-fetch-error.ts";
import { type Connection, connect, type ReadSession } from "./connection.ts";
import { readSessionMark, watchCookies } from "./session-mark.ts";
import { type SessionState, toSessionState } from "./session-state.ts";
import type { ClientOptions } from "./types.ts";

/** When to refetch the session. */
export interface RefetchOptions {
  /** Seconds between requests that also keep the session alive; 0 (default): none. At most 24 days count. */
  readonly refetchInterval?: number | undefined;
  /** Whether to refetch when the page becomes visible again; default true. */
  readonly refetchOnWindowFocus?: boolean | undefined;
  /** Whether `refetchInterval` continues while the device is offline; default true. */
  readonly refetchWhenOffline?: boolean | undefined;
}

/** In milliseconds. Browsers use no delay at all instead of a longer one, so that requests would follow each other without a pause. */
const MAX_DELAY = 2 ** 31 - 1;

/**
 * The session state of one provider, kept up to date.
 *
 * 1. Only one request at a time; an update waits for the previous update.
 * 2. Whatever happens during a request (an update, a newer request, a changed `session` prop) invalidates its response: it
 *    is aborted, so that it renews no cookie, and its callers receive the newer response.
 * 3. An unreachable server changes `error`, never the session.
 * 4. The server reports only once why it ended a session, so the reason is remembered until the next session.
 * 5. A session that server code changed is fetched again: the mark in the cookies differs from the one before the last request.
 */
export class SessionStore<S> {
  /** The client's functions; this store is updated with their results immediately. */
  readonly client: Connection<S>;
  /** The initial state, with which the server has rendered. */
  readonly first: SessionState<S>;
  #state: SessionState<S>;
  /** The `session` prop that was applied last. */
  #taken: string | undefined;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | undefined;
  /** Whether another tab may have announced a change since this store was stopped. */
  #mayHaveMissed = false;
  /** Increases with everything that invalidates a request in progress. */
  #turn = 0;
  #question: AbortController | undefined;
  /** The mark of the session that the state belongs to. */
  #mark: string | undefined;
  /** The server's reason for ending the session. */
  #ended: string | undefined;
  /** The newest request or update in progress. */
  #pending: Promise<S | null> | undefined;
  /** The end of the newest update, successful or not. */
  #updated: Promise<unknown> = Promise.resolve();

  /** @param session the initial value; undefined: unknown. */
  constructor(options: ClientOptions, session: S | null | undefined) {
    this.client = connect(options, (stays) => {
      announceChange(this.#channel);
      return stays && this.#refresh(true);
    });
    this.#taken = JSON.stringify(session);
    this.first = this.#state = toSessionState(session, (data) => this.#run(data));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): SessionState<S> => this.#state;

  /** Applies a changed `session` prop. */
  take(session: S | null | undefined): void {
    const given = JSON.stringify(session);
    if (session === undefined || given === this.#taken) return;
    this.#taken = given;
    this.#overtake();
    this.#pending = undefined;
    this.#accept(session);
  }

  /**
   * Follows the other tabs, and fetches the session if it is unknown, or may have changed while the store was stopped: React
   * stops it while Suspense or Activity hides the provider. Returns a function that stops.
   */
  start(): () => void {
    const channel = openChannel();
    this.#channel = channel;
    this.#mark ??= readSessionMark();
    const stop = watchCookies(() => this.#mark !== readSessionMark() && this.#refresh(true));
    if (channel !== undefined) channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#hear(data);
    if (this.#mayHaveMissed || this.#state.status === "loading") this.#refresh(this.#mayHaveMissed);
    else this.#tell();
    return () => {
      stop();
      channel?.close();
      this.#channel = undefined;
      // StrictMode starts it again at once, and has missed nothing.
      queueMicrotask(() => {
        this.#mayHaveMissed = !this.#channel;
      });
    };
  }

  /**
   * Refetches according to the options, when the network returns, and when the browser restores the page after the user went
   * back to it. Returns a function that stops.
   */
  watch({ refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true }: RefetchOptions): () => void {
    const look = () => refetchOnWindowFocus && document.visibilityState === "visible" && this.#refresh();
    const retry = () => this.#state.error && this.#refresh();
    const poll = () =>
      this.#state.status !== "unauthenticated" && (refetchWhenOffline || navigator.onLine) && this.#refresh();
    const timer = refetchInterval > 0 ? setInterval(poll, Math.min(refetchInterval * 1000, MAX_DELAY)) : undefined;
    // The page is shown as the user left it, possibly with a session that has ended since.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && this.#refresh(true);
    const end = new AbortController();
    document.addEventListener("visibilitychange", look, end);
    window.addEventListener("focus", look, end);
    window.addEventListener("online", retry, end);
    window.addEventListener("pageshow", restore, end);
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }

  /** A message from another tab: a change, or its state, which matters only if it differs. */
  #hear(message: unknown): void {
    const isKnown = message === (this.#state.status === "authenticated");
    if (!isKnown) this.#refresh(message === CHANGED);
  }

  #tell(): void {
    this.#channel?.postMessage(this.#state.status === "authenticated");
  }

  /** Fetches in the background: a failure is visible in the state. */
  #refresh(force = false): Promise<unknown> {
    const answer = (force ? undefined : this.#pending) ?? this.#run();
    return answer.catch(() => undefined);
  }

  /** Fetches the session or, given data, updates it. */
  #run(data?: unknown): Promise<S | null> {
    const isUpdate = data !== undefined;
    const turn = this.#overtake();
    const question = new AbortController();
    this.#question = question;
    this.#mark = readSessionMark();
    const { client } = this;
    const reply = this.#updated.then(
      (): Promise<ReadSession<S>> =>
        isUpdate ? client.updateSession(data).then((session) => ({ session })) : client.readSession(question),
    );
    if (isUpdate) this.#updated = reply.catch(() => undefined);
    const answer = reply
      .then(
        ({ session, ended }) => {
          if (isUpdate) {
            this.#mark = readSessionMark();
            announceChange(this.#channel);
          }
          if (turn === this.#turn || (isUpdate && this.#pending)) return this.#accept(session, ended);
          // The `session` prop changed during the update: only the server knows the combined result.
          return this.#pending ?? (isUpdate ? this.#run() : this.#state.data);
        },
        (error: unknown) => {
          // This update replaced the first request, which is still unanswered.
          if (isUpdate && this.#state.status === "loading") this.#refresh(true);
          return isUpdate || turn === this.#turn ? this.#fail(error) : (this.#pending ?? this.#state.data);
        },
      )
      .finally(() => {
        if (turn === this.#turn) this.#pending = undefined;
      });
    this.#pending = answer;
    return answer;
  }

  #overtake(): number {
    this.#question?.abort();
    return ++this.#turn;
  }

  #accept(session: S | null, ended?: string): S | null {
    const before = this.#state.status;
    this.#ended = session === null ? (ended ?? this.#ended) : undefined;
    this.#show(toSessionState(session, this.#state.update, this.#ended));
    if (this.#state.status !== before) this.#tell();
    return session;
  }

  #fail(error: unknown): never {
    if (error instanceof ClientFetchError) this.#show({ ...this.#state, error });
    throw error;
  }

  /** An unchanged state causes no rendering. */
  #show(state: SessionState<S>): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
