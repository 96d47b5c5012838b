/**
 * Loads a module with its first use and keeps it: a runtime looks a loaded module up again at each `import()`, which takes several
 * microseconds. What could not be loaded is tried again.
 *
 * @param load the `import()`, written out, so that bundlers find it.
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
