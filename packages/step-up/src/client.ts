/** For pages: opens the step-up page when the server requires a proof, then repeats the request once. */

/**
 * Argument of the wrapped function. The key is the same for both requests, so that the server can detect a repetition.
 */
export interface Attempt {
  /** A random UUID; send it as a header such as `Idempotency-Key`. */
  readonly idempotencyKey: string;
}

/**
 * The window with the step-up page. If the browser severs the opener relationship, it appears closed from the start.
 */
export interface AskingWindow {
  /** Whether the user closed it. */
  readonly closed: boolean;
  /** Closes the window; called once the user has given the proof. */
  close(): void;
}

/** Options of {@link withStepUp}. Each defaults to the behaviour of the page. */
export interface StepUpOptions {
  /** Opens the step-up page. Call the wrapped function in a click handler; otherwise browsers block the window. */
  readonly open?: (url: string) => AskingWindow | null;
  /** Checks with the server whether the proof was given; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Waits between two checks. */
  readonly wait?: () => Promise<void>;
  /** Whether the user has returned to this page; default: whether it has focus. */
  readonly isBack?: () => boolean;
}

const INTERVAL_MS = 1_000;

/** Five minutes, the lifetime of a confirmation. */
const MAX_LOOKS = 300;

/** The same by the clock: timers of hidden pages are slowed down, and stop while the device sleeps. */
const MAX_WAIT_MS = MAX_LOOKS * INTERVAL_MS;

/** After this many consecutive checks, the user is considered to have returned without a proof. */
const GIVEN_UP = 3;

/** A path on this site. The response may come from another server, and a `javascript:` URL would be executed. */
const OWN_PATH = /^\/(?![\\/])[^\\\p{Cc}]*$/u;

/** The JSON in a response; null if it contains something else, such as the page of a proxy. */
const bodyOf = (response: Response): Promise<unknown> => response.json().catch(() => null);

/** A random UUID (RFC 9562 §5.4). Browsers have `crypto.randomUUID()` only on https and localhost. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab".charAt((bytes[8] ?? 0) & 3);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-4$3-${variant}$4-`);
}

/** The step-up URL from a response; null for any other response. */
async function requiredUrl(response: Response): Promise<string | null> {
  if (response.status !== 401 || response.headers.get("content-type")?.includes("json") !== true) return null;
  const { error, url }: { error?: unknown; url?: unknown } = Object(await bodyOf(response.clone()));
  const isRequired = error === "insufficient_user_authentication" && typeof url === "string" && OWN_PATH.test(url);
  return isRequired ? url : null;
}

/**
 * Wraps a function that sends a request. If the response requires a recent proof, the step-up page opens in a window.
 * Once the proof was given, the request is sent a second time with the same key, and never a third time. If the user
 * returns without a proof, or the browser blocks the window, the first response is returned.
 *
 * @example
 * const transfer = withStepUp(({ idempotencyKey }) =>
 *   fetch("/transfer", { method: "POST", headers: { "idempotency-key": idempotencyKey } }));
 */
export function withStepUp(
  send: (attempt: Attempt) => Promise<Response>,
  options: StepUpOptions = {},
): () => Promise<Response> {
  const open = options.open ?? ((url: string) => window.open(url, "_blank", "popup,width=480,height=720"));
  return async () => {
    const attempt = { idempotencyKey: randomUuid() };
    const first = await send(attempt);
    const url = await requiredUrl(first);
    const popup = url === null ? null : open(inWindow(url));
    if (url === null || popup === null) return first;
    const isProven = await waitForProof(url, popup, options);
    popup.close();
    return isProven ? send(attempt) : first;
  };
}

/** In a separate window, the user ends on a page that says to close it, because the original page is behind it. */
function inWindow(url: string): string {
  const [path = "", query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  params.set("callbackUrl", `${path}?step=done`);
  return `${path}?${params}`;
}

/** @returns false if the user returned without a proof, or took too long. */
async function waitForProof(url: string, popup: AskingWindow, options: StepUpOptions): Promise<boolean> {
  const ask = options.fetch ?? fetch;
  const wait = options.wait ?? (() => new Promise<void>((resolve) => setTimeout(resolve, INTERVAL_MS)));
  const isBack = options.isBack ?? (() => document.hasFocus());
  const begun = Date.now();
  // A proof that the user gives much later, for something else, must not send a request that they have forgotten.
  const isInTime = () => Date.now() - begun <= MAX_WAIT_MS;
  let givenUp = 0;
  for (let look = 0; look < MAX_LOOKS && givenUp < GIVEN_UP && isInTime(); look++) {
    await wait();
    if (isInTime() && (await isProven(ask, url))) return isInTime();
    givenUp = popup.closed && isBack() ? givenUp + 1 : 0;
  }
  return false;
}

/** Once the level is met, the action returns `url` to programs. Without a usable response, the next check may have one. */
async function isProven(ask: typeof fetch, url: string): Promise<boolean> {
  const response = await ask(url, { headers: { accept: "application/json" } }).catch(() => null);
  return response?.ok === true && typeof Object(await bodyOf(response)).url === "string";
}
