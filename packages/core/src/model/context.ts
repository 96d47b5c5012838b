import type { EventCallbacks, RedactingLogger } from "./callbacks.ts";
import type { ResolvedConfig, ResolvedCookies } from "./resolved-config.ts";
import type { Cookie } from "./result.ts";
import type { EpochSeconds } from "./units.ts";

/** Collects the cookies of a response. If two have the same name, domain and path, the later one is used. */
export interface CookieJar {
  /** Adds a cookie. */
  set(cookie: Cookie): void;
  /** All cookies that are still to be set, in the order in which they were added. */
  list(): readonly Cookie[];
}

/** The parameter of an event handler (docs/callbacks.md). */
export type EventMessage<E extends keyof EventCallbacks> = Parameters<NonNullable<EventCallbacks[E]>>[0];

/** A CSRF token in this browser's encrypted cookie, which may have been sent several times. */
export interface CsrfPair {
  /** The text that a form repeats. */
  readonly token: string;
  /** The session in which it was created; empty for a visitor. */
  readonly session: string;
}

/**
 * The tokens of a request that were decrypted or rejected. Kept only for the request, so that forgeries are not cached.
 */
interface TriedTokens {
  /** The content of each session token; null if invalid. */
  readonly opened: { readonly token: string; readonly text: Promise<string | null> | string | null }[];
  /** The CSRF tokens opened so far, in the order of the cookie's values: a form and the page that answers it need the same ones. */
  readonly csrf: (Promise<CsrfPair | null> | CsrfPair | null)[];
}

/** What one step of a request learns and a later one needs. */
interface RequestState {
  /**
   * The user's epoch when the sign-in started, if it ends with it: one that was interrupted, or that server code or an extension watches.
   */
  epoch?: number;
  /** What the application said about the owner of an address, by user and provider: a decision may be made several times. */
  readonly ownership: Map<string, Promise<boolean>>;
}

/** The steps that are logged at `debug`, in their order (docs/configuration.md#what-debug-logs). */
type Step =
  | "action started"
  | "authorization started"
  | "code exchanged"
  | "sign-in decided"
  | "session issued"
  | "action finished";

/** The facts of a step. None is text of a request. */
export interface StepFacts {
  readonly action?: string;
  /** Id of a configured provider. */
  readonly provider?: string | undefined;
  readonly kind?: string;
  readonly status?: number;
}

/** Connects a flow with its environment: configuration, request cookies, response cookies, clock, logger. */
export interface FlowContext {
  /** The resolved configuration. */
  readonly config: ResolvedConfig;
  /** The origin that the browser sees, such as `https://app.example.com`. */
  readonly origin: string;
  /** `origin` and the base path: the prefix of all endpoint URLs. */
  readonly baseUrl: string;
  /** The library's cookies, as they are named on this origin. */
  readonly cookies: ResolvedCookies;
  /** The request's cookies. If a name occurs several times, the first value. */
  readonly received: ReadonlyMap<string, string>;
  /** Cookies that were sent several times with different values, with all of these values. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  /** The cookies of the response. */
  readonly jar: CookieJar;
  /** The headers of the request. */
  readonly headers: Pick<Headers, "get">;
  /** Results of decrypting the tokens of this request, which several parts of the request need. */
  readonly tried: TriedTokens;
  /** What its steps have learned. */
  readonly state: RequestState;
  /** Redacts the secrets of this request. */
  readonly logger: RedactingLogger;
  /** Logs a step; undefined without `debug`, so that `step?.(…)` computes nothing. */
  readonly step: ((step: Step, facts: StepFacts) => void) | undefined;
  /** Resolves when all log lines have been written; undefined if none is pending. Awaited before the response. */
  readonly written: () => Promise<void> | undefined;
  /** Registers a value, such as a token, for redaction. */
  readonly redact: (value: string | undefined) => void;
  /** Registers a query or a body, whose secrets are known by their names. */
  readonly redactNamed: (values: Iterable<readonly [string, unknown]>) => void;
  /** The current time. */
  readonly now: () => EpochSeconds;
  /** Calls an event handler, waits for it for a limited time, and logs its errors. Never throws. */
  readonly emit: <E extends keyof EventCallbacks>(event: E, message: EventMessage<E>) => Promise<void>;
}

/** The body of a POST: own string keys with their unvalidated values. */
export type BodyFields = ReadonlyMap<string, unknown>;

/** A parsed request, before any decision. */
export interface ParsedRequest {
  /** The method. */
  readonly method: "GET" | "POST" | "HEAD";
  /** The URL, with the origin that the browser sees. */
  readonly url: URL;
  /** The headers. */
  readonly headers: Headers;
  /** The fields of the body. */
  readonly body: BodyFields;
  /** The bytes of the body, for `authorize(credentials, request)`. */
  readonly rawBody: Uint8Array<ArrayBuffer> | undefined;
}

/** The input of an action. */
export interface ActionContext extends FlowContext {
  /** The parsed request. */
  readonly request: ParsedRequest;
  /** The query of the request. */
  readonly query: URLSearchParams;
  /** The provider id in the path, if there is one. */
  readonly providerId: string | undefined;
}
