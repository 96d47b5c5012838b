/** Time limit for a hook of the provider, as for every function of an application. */
export const HOOK_TIMEOUT_MS = 30_000;

/**
 * Resolves with the result of a hook, or rejects after thirty seconds. The hook itself is not cancelled.
 *
 * @throws Error after the time limit; any error of the hook.
 */
export async function withinHookTime(asked: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not settle within ${HOOK_TIMEOUT_MS} ms`)), HOOK_TIMEOUT_MS);
  });
  return Promise.race([asked, timeout]).finally(() => clearTimeout(timer));
}
