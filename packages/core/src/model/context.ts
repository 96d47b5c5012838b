import type { EventCallbacks, LoggerInstance } from "./config.ts";
import type { ResolvedConfig, ResolvedCookies } from "./resolved-config.ts";
import type { Cookie } from "./result.ts";
import type { EpochSeconds } from "./units.ts";

/** Collects the cookies of an answer; of two with one name the later wins. */
export interface CookieJar {
  set(cookie: Cookie): void;
  list(): readonly Cookie[];
}

/** What an event handler gets (docs/callbacks.md). */
export type EventMessage<E extends keyof EventCallbacks> = Parameters<NonNullable<EventCallbacks[E]>>[0];

/** What connects a flow to the world outside: the configuration, the browser's cookies, the answer's cookies, the clock. */
export interface FlowContext {
  readonly config: ResolvedConfig;
  /** The origin that the browser sees, such as `https://app.example.com`. */
  readonly origin: string;
  /** `origin` and the base path: where the actions live. */
  readonly baseUrl: string;
  /** Our cookies as they are named on this origin. */
  readonly cookies: ResolvedCookies;
  /** The cookies that came with the request; of a name that was sent several times, the first value. */
  readonly received: ReadonlyMap<string, string>;
  /** The cookies that were sent several times with different values, with all of these. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  readonly jar: CookieJar;
  /** Knows the secrets of this request and keeps them out of the log. */
  readonly logger: LoggerInstance;
  /** Keeps a value that turned up on the way, such as a token, out of the log. */
  readonly redact: (value: string | undefined) => void;
  /** As `redact`, for values that are computed when the first line is written. */
  readonly redactLater: (values: () => Iterable<string>) => void;
  readonly now: () => EpochSeconds;
  /** Tells an event handler, waits for it a while, logs what it throws. Never throws. */
  readonly emit: <E extends keyof EventCallbacks>(event: E, message: EventMessage<E>) => Promise<void>;
}

/** The body of a POST: own string keys only, values as they came. */
export type BodyFields = ReadonlyMap<string, unknown>;

/** A request after parsing, before anything was decided. */
export interface ParsedRequest {
  readonly method: "GET" | "POST" | "HEAD";
  readonly url: URL;
  readonly headers: Headers;
  readonly body: BodyFields;
  /** The bytes of the body, for `authorize(credentials, request)`. */
  readonly rawBody: Uint8Array<ArrayBuffer> | undefined;
}

/** What an action runs on. */
export interface ActionContext extends FlowContext {
  readonly request: ParsedRequest;
  /** The query of the request. */
  readonly query: URLSearchParams;
  /** The provider id of the path, when it has one. */
  readonly providerId: string | undefined;
}
