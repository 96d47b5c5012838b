/** For pages: sends the user to a proof when the server asks for one, then repeats the request once. */

/** What the wrapped function is given: the same key both times, so that the server can tell a repetition. */
export interface Attempt {
  readonly idempotencyKey: string;
}

/** What the wrapper needs of the page; default: the page itself. */
export interface StepUpOptions {
  /** Opens the page that asks. Call the wrapped function from a click, or browsers block the window. */
  readonly open?: (url: string) => { readonly closed: boolean; close(): void } | null;
  readonly fetch?: typeof fetch;
  /** Waits between two looks whether the proof was given. */
  readonly wait?: () => Promise<void>;
}

const INTERVAL_MS = 1_000;

/** Where the server wants the user to go; null for any other answer. */
async function requiredUrl(response: Response): Promise<string | null> {
  if (response.status !== 401 || response.headers.get("content-type")?.includes("json") !== true) return null;
  const { error, url }: { error?: unknown; url?: unknown } = Object(await response.clone().json());
  return error === "insufficient_user_authentication" && typeof url === "string" ? url : null;
}

/**
 * Wraps a function that sends a request. When the answer asks for a fresh proof, its page is opened in a window; once the proof was given,
 * the request is sent a second time with the same key. A window that is closed early gives the first answer.
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
  const ask = options.fetch ?? fetch;
  const wait = options.wait ?? (() => new Promise<void>((resolve) => setTimeout(resolve, INTERVAL_MS)));
  return async () => {
    const attempt = { idempotencyKey: crypto.randomUUID() };
    const first = await send(attempt);
    const url = await requiredUrl(first);
    const popup = url === null ? null : open(url);
    if (url === null || popup === null) return first;
    while (!popup.closed) {
      await wait();
      if (!(await isProven(ask, url))) continue;
      popup.close();
      return send(attempt);
    }
    return (await isProven(ask, url)) ? send(attempt) : first;
  };
}

/** The action answers a program with `url` once the level is met. */
async function isProven(ask: typeof fetch, url: string): Promise<boolean> {
  const response = await ask(url, { headers: { accept: "application/json" } });
  if (!response.ok) return false;
  const body: unknown = await response.json();
  return typeof Object(body).url === "string";
}
