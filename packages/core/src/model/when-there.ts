import type { Awaitable } from "./records.ts";

/**
 * Continues with a value: synchronously if it is available, otherwise when its promise is fulfilled. Values that are
 * usually available, such as a derived key, then cost no turn of the event loop.
 */
export function whenThere<T, R>(value: T | Promise<T>, next: (value: T) => Awaitable<R>): R | Promise<R> {
  return isPromise(value) ? value.then(next) : assumeOwn(next(value));
}

/** Our own functions return a value or a `Promise`, never another object with `then`. */
function assumeOwn<R>(result: Awaitable<R>): R | Promise<R> {
  return result as R | Promise<R>;
}

/**
 * Whether one of our values is a promise. Does not check the class: if a program replaced the global `Promise`, async
 * functions return promises of the original class.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Loads a module on first use and caches it, because each `import()` of a loaded module takes several microseconds.
 * Failures are not cached.
 *
 * @param load A function with a literal `import()`, so that bundlers find it.
 */
/* @__NO_SIDE_EFFECTS__ */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let kept: Promise<Module> | undefined;
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/**
 * An object whose functions are loaded with the first call of one of them. They return promises until then, and are called directly
 * afterwards.
 */
export function onFirstCall<Functions extends object>(load: () => Promise<Functions>): Functions {
  const loading = loadOnce(load);
  let loaded: Functions | undefined;
  const call = async (name: PropertyKey, given: unknown[]) => {
    loaded = await loading();
    return Reflect.apply(Object(Reflect.get(loaded, name)), loaded, given);
  };
  const get = (_: object, name: PropertyKey) =>
    loaded === undefined ? (...given: unknown[]) => call(name, given) : Reflect.get(loaded, name);
  // Each of its functions may return a promise, so it is the same to its callers.
  return new Proxy({}, { get }) as Functions;
}
