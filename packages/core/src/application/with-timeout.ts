import type { Awaitable } from "../model/records.ts";

/**
 * How long code of the application may take that decides something: callbacks, `authorize()`, `profile()`, hooks of a
 * provider. Generous, because it may ask other services; but without an end a request would hang for ever (ASVS 13.1.3).
 */
export const APPLICATION_TIMEOUT_MS = 30_000;

/**
 * What some work comes to, if that takes no longer than `limitMs` milliseconds. The work is not stopped; how it ends after
 * that is nobody's concern. Leaves no timer behind, and needs none for what is there already.
 *
 * @throws Error when the time is over, and whatever the work rejects with.
 */
export async function withTimeout<T>(limitMs: number, work: Awaitable<T>): Promise<T> {
  if (!isThenable(work)) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not settle within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

function isThenable<T>(work: Awaitable<T>): work is PromiseLike<T> & Awaitable<T> {
  return typeof work === "object" && work !== null && "then" in work && typeof work.then === "function";
}
