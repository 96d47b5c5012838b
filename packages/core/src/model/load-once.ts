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
