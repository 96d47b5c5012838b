/** For pages: sends the user to a proof when the server asks for one, then repeats the request once. */

/** What the wrapped function is given: the same key both times, so that the server can tell a repetition. */
export interface Attempt {
  readonly idempotencyKey: string;
}

/** A window that asks. Browsers may cut the tie to it: then it seems to be closed from the beginning. */
export interface AskingWindow {
  readonly closed: boolean;
  close(): void;
}

/** What the wrapper needs of the page; default: the page itself. */
export interface StepUpOptions {
  /** Opens the page that asks. Call the wrapped function from a click, or browsers block the window. */
  readonly open?: (url: string) => AskingWindow | null;
  readonly fetch?: typeof fetch;
  /** Waits between two looks whether the proof was given. */
  readonly wait?: () => Promise<void>;
  /** Whether the user is looking at this page again; default: it has the focus. */
  readonly isBack?: () => boolean;
}

const INTERVAL_MS = 1_000;

/** Five minutes: no question waits longer. */
const MAX_LOOKS = 300;

/** How many looks in a row say that the user came back without a proof. */
const GIVEN_UP = 3;

/** Where the server wants the user to go; null for any other answer. */
async function requiredUrl(response: Response): Promise<string | null> {
  if (response.status !== 401 || response.headers.get("content-type")?.includes("json") !== true) return null;
  const { error, url }: { error?: unknown; url?: unknown } = Object(await response.clone().json());
  return error === "insufficient_user_authentication" && typeof url === "string" ? url : null;
}

/**
 * Wraps a function that sends a request. When the answer asks for a fresh proof, its page is opened in a window; once the proof was given,
 * the request is sent a second time with the same key. Nothing is sent a third time. A user who comes back without a proof gets the first
 * answer, and so does one whose browser blocks the window.
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
    const attempt = { idempotencyKey: crypto.randomUUID() };
    const first = await send(attempt);
    const url = await requiredUrl(first);
    const popup = url === null ? null : open(inWindow(url));
    if (url === null || popup === null) return first;
    const isProven = await waitForProof(url, popup, options);
    popup.close();
    return isProven ? send(attempt) : first;
  };
}

/** In a window of its own the user ends on a page that says so: the page that sent the request is behind it. */
function inWindow(url: string): string {
  const [path = "", query = ""] = url.split("?");
  const params = new URLSearchParams(query);
  params.set("callbackUrl", `${path}?step=done`);
  return `${path}?${params}`;
}

/** @returns false when the user came back without a proof, or took too long. */
async function waitForProof(url: string, popup: AskingWindow, options: StepUpOptions): Promise<boolean> {
  const ask = options.fetch ?? fetch;
  const wait = options.wait ?? (() => new Promise<void>((resolve) => setTimeout(resolve, INTERVAL_MS)));
  const isBack = options.isBack ?? (() => document.hasFocus());
  let givenUp = 0;
  for (let look = 0; look < MAX_LOOKS && givenUp < GIVEN_UP; look++) {
    await wait();
    if (await isProven(ask, url)) return true;
    givenUp = popup.closed && isBack() ? givenUp + 1 : 0;
  }
  return false;
}

/** The action answers a program with `url` once the level is met. */
async function isProven(ask: typeof fetch, url: string): Promise<boolean> {
  const response = await ask(url, { headers: { accept: "application/json" } });
  if (!response.ok) return false;
  const body: unknown = await response.json();
  return typeof Object(body).url === "string";
}
