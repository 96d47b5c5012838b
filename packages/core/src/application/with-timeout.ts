import type { Awaitable } from "../model/records.ts";

/**
 * Time limit for application code that makes decisions: callbacks, `authorize()`, `profile()`, provider hooks. Generous,
 * because it may call other services; but without a limit a request could hang forever (ASVS 13.1.3).
 */
export const APPLICATION_TIMEOUT_MS = 30_000;

/** A turn of the event loop, in which what has arrived is read; where there is none, the next timer. */
const immediate: unknown = Reflect.get(globalThis, "setImmediate");
const afterReading = (run: () => void): unknown =>
  typeof immediate === "function" ? Reflect.apply(immediate, globalThis, [run]) : setTimeout(run, 0);

/**
 * Resolves with `work`, or rejects after `limitMs` milliseconds. The work itself is not cancelled; its late result is
 * ignored. Leaves no timer behind, and needs none for a value that is not a promise. A process that was busy or stopped for
 * the whole time reads what has arrived before the limit counts: its own pause is not an outage of the server.
 *
 * @param late called when the time is over; returns the error to reject with.
 * @throws Error after the time limit, and the rejection of `work`.
 */
export function withTimeout<T>(
  limitMs: number,
  work: Awaitable<T>,
  late: () => Error = () => new Error(`did not settle within ${limitMs} ms`),
): Promise<T> {
  if (!isThenable(work)) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => afterReading(() => reject(late())), limitMs);
    Promise.resolve(work).then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

function isThenable<T>(work: Awaitable<T>): work is PromiseLike<T> & Awaitable<T> {
  return typeof Object(work).then === "function";
}
