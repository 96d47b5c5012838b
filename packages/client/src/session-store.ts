import { CHANGED, openChannel } from "./announce-change.ts";
import { ClientFetchError } from "./client-fetch-error.ts";
import { type Connection, connect } from "./connection.ts";
import { type SessionState, toSessionState } from "./session-state.ts";
import type { ClientOptions } from "./types.ts";

/** When to ask the server again. */
export interface RefetchOptions {
  /** Seconds between two questions, which also keep the session alive; 0 (default): none. */
  readonly refetchInterval?: number | undefined;
  /** Whether to ask when the page is looked at again; default true. */
  readonly refetchOnWindowFocus?: boolean | undefined;
  /** Whether `refetchInterval` goes on while the device is offline; default true. */
  readonly refetchWhenOffline?: boolean | undefined;
}

/**
 * What one provider knows of the session, and how it stays true.
 *
 * 1. One question at a time, whoever asks; an update waits for the update before it.
 * 2. What happened since a question was asked (an update, a newer question, another `session` prop) makes its answer worthless:
 *    it is aborted, so that it renews no cookie, and whoever waits for it gets the newer answer.
 * 3. A server that cannot be reached changes `error`, never the session.
 */
export class SessionStore<S> {
  /** Calls that this store hears of at once. */
  readonly client: Connection<S>;
  /** What was known first: what the server has rendered with. */
  readonly first: SessionState<S>;
  #state: SessionState<S>;
  /** The `session` prop that counts already. */
  #taken: string | undefined;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | undefined;
  /** Grows with everything that makes a question under way worthless. */
  #turn = 0;
  #question: AbortController | undefined;
  /** The newest question or update under way. */
  #pending: Promise<S | null> | undefined;
  /** The end of the newest update, well or not. */
  #updated: Promise<unknown> = Promise.resolve();

  /** @param session what is known already; undefined: nothing. */
  constructor(options: ClientOptions, session: S | null | undefined) {
    this.client = connect(options, (stays) => {
      this.#channel?.postMessage(CHANGED);
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

  /** Takes over a `session` prop that is another one than before. */
  take(session: S | null | undefined): void {
    const given = JSON.stringify(session);
    if (session === undefined || given === this.#taken) return;
    this.#taken = given;
    this.#overtake();
    this.#pending = undefined;
    this.#accept(session);
  }

  /** Begins to follow the other tabs, and asks if nothing is known. Returns how to stop. */
  start(): () => void {
    const channel = openChannel();
    this.#channel = channel;
    if (channel !== undefined) channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#hear(data);
    if (this.#state.status === "loading") this.#refresh();
    else this.#tell();
    return () => {
      channel?.close();
      if (this.#channel === channel) this.#channel = undefined;
    };
  }

  /** Asks again as the options say, and when the network is back. Returns how to stop. */
  watch({ refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline = true }: RefetchOptions): () => void {
    const look = () => refetchOnWindowFocus && document.visibilityState === "visible" && this.#refresh();
    const retry = () => this.#state.error && this.#refresh();
    const poll = () =>
      this.#state.status !== "unauthenticated" && (refetchWhenOffline || navigator.onLine) && this.#refresh();
    const timer = refetchInterval > 0 ? setInterval(poll, refetchInterval * 1000) : undefined;
    const end = new AbortController();
    document.addEventListener("visibilitychange", look, end);
    window.addEventListener("focus", look, end);
    window.addEventListener("online", retry, end);
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }

  /** Another tab spoke: of a change, or of what it sees, which matters only where it is something else. */
  #hear(message: unknown): void {
    const isKnown = message === (this.#state.status === "authenticated");
    if (!isKnown) this.#refresh(message === CHANGED);
  }

  #tell(): void {
    this.#channel?.postMessage(this.#state.status === "authenticated");
  }

  /** Asks in the background: a failure is in the state, for everyone to see. */
  #refresh(anew = false): Promise<unknown> {
    const answer = (anew ? undefined : this.#pending) ?? this.#run();
    return answer.catch(() => undefined);
  }

  /** Asks the server for the session, or, given data, to change it. */
  #run(data?: unknown): Promise<S | null> {
    const isUpdate = data !== undefined;
    const turn = this.#overtake();
    const question = new AbortController();
    this.#question = question;
    const { client } = this;
    const reply = this.#updated.then(() => (isUpdate ? client.updateSession(data) : client.getSession(question)));
    if (isUpdate) this.#updated = reply.catch(() => undefined);
    const answer = reply
      .then(
        (session) => {
          if (isUpdate) this.#channel?.postMessage(CHANGED);
          if (turn === this.#turn || (isUpdate && this.#pending)) return this.#accept(session);
          // Another `session` prop came while the update was under way: only the server knows how they go together.
          return this.#pending ?? (isUpdate ? this.#run() : this.#state.data);
        },
        (error: unknown) => {
          // The question that this update has overtaken was the first one: it is still to be answered.
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

  #accept(session: S | null): S | null {
    const before = this.#state.status;
    this.#show(toSessionState(session, this.#state.update));
    if (this.#state.status !== before) this.#tell();
    return session;
  }

  #fail(error: unknown): never {
    if (error instanceof ClientFetchError) this.#show({ ...this.#state, error });
    throw error;
  }

  /** The same again is no news: nobody renders anew. */
  #show(state: SessionState<S>): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
