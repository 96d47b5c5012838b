/** Runs a function in the next turn of the event loop, as `setImmediate` does. */
type Defer = (run: () => void) => unknown;

/** A longer queue would only cost memory: connections hold waiting requests as well, and slow their senders down. */
const MAX_WAITING = 1000;

/**
 * Creates a queue that starts one task per turn of the event loop.
 *
 * 1. The first task starts immediately, and so does any task that finds the queue full.
 * 2. All other tasks wait for their turn, in order of arrival.
 * 3. A turn that never ends, because a test replaced the timers, does not block later tasks.
 *
 * @returns a function that requests a turn. It returns a promise, or undefined if the task can start immediately.
 */
export function createTurns(): (defer: Defer) => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  /** The timer function that will end the current turn. */
  let ends: Defer | undefined;
  const end = (defer: Defer) => {
    const next = waiting.shift();
    if (next === undefined) {
      ends = undefined;
      return;
    }
    defer(() => end(defer));
    next();
  };
  return (defer) => {
    if (ends !== defer) {
      defer(() => end(defer));
      ends = defer;
      return undefined;
    }
    return waiting.length < MAX_WAITING ? new Promise((resolve) => void waiting.push(resolve)) : undefined;
  };
}

/** One queue for all applications of the process, because they share its event loop. */
const takeFrom = createTurns();

/** Requests that were made in their turn. */
const begun = new WeakSet<object>();

/**
 * Makes the request for a framework that has no `Request` of its own; with a body, when it is its turn. `takeTurn` does not let such
 * a request wait again.
 *
 * @param method as the client sent it.
 */
export async function requestInTurn<R extends object>(method: string, make: () => R): Promise<R> {
  if (method !== "POST") return make();
  await takeTurn();
  const request = make();
  begun.add(request);
  return request;
}

/**
 * Starts at most one request with a body per turn of the event loop. A form takes many times as long as a session read, so
 * without this, reads that arrive with a burst of forms would wait for all of them.
 *
 * @param request waits only once; absent if it does not exist yet.
 * @returns a promise for the turn; undefined if the request can start immediately. That is always so in runtimes without
 *   `setImmediate` or with one that throws (the edge runtime of Next.js), and on Cloudflare Workers, where a request must not
 *   wait for another one.
 */
export function takeTurn(request?: object): Promise<void> | undefined {
  if (request !== undefined && begun.has(request)) return undefined;
  const defer: unknown = Reflect.get(globalThis, "setImmediate");
  try {
    return isDefer(defer) && !isWorker() ? takeFrom(defer) : undefined;
  } catch {
    return undefined;
  }
}

/** https://developers.cloudflare.com/workers/runtime-apis/web-standards/#navigatoruseragent */
function isWorker(): boolean {
  const { userAgent }: { readonly userAgent?: unknown } = Object(Reflect.get(globalThis, "navigator"));
  return userAgent === "Cloudflare-Workers";
}

function isDefer(found: unknown): found is Defer {
  return typeof found === "function";
}
