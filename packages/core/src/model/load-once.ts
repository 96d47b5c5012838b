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
