import type { Awaitable } from "./records.ts";

/**
 * Goes on with a value: at once where it is there, else when its promise is fulfilled. What is usually there at once, such as a derived key,
 * then costs no turn of the event loop.
 */
export function whenThere<T, R>(value: T | Promise<T>, next: (value: T) => Awaitable<R>): R | Promise<R> {
  return isPromise(value) ? value.then(next) : assumeOwn(next(value));
}

/** Our own functions return a value or a `Promise`, never another object with `then`. */
function assumeOwn<R>(result: Awaitable<R>): R | Promise<R> {
  return result as R | Promise<R>;
}

/**
 * Whether a value of ours is a promise. Not by its class: where a program replaced the global `Promise`, those of async functions have
 * another one.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
