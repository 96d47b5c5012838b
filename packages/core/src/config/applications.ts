import { findRecent, keepRecent } from "../model/recent.ts";

/** Applications of one process, such as one per tenant, unless `maxTenants` is set. Secrets that depend on requests do not use up its memory. */
export const MAX_APPLICATIONS = 2_000;

/**
 * Remembers the state of applications by their secrets. Two configurations with a common secret are one application: each accepts
 * what was created with it, so limits and marks of one must hold for the other, also while the secret is being rotated.
 * Configurations without a common secret, such as those of two tenants, share nothing.
 *
 * @param create the state of a new application.
 */
export function createApplications<T>(create: () => T): (secrets: readonly string[], most?: number) => T {
  const bySecret = new Map<string, T>();
  return (secrets, most = MAX_APPLICATIONS) => {
    let state: T | undefined;
    for (const secret of secrets) state ??= findRecent(bySecret, secret, most);
    const found = state ?? create();
    for (const secret of secrets) if (!bySecret.has(secret)) keepRecent(bySecret, secret, found, most);
    return found;
  };
}

/**
 * Finds an entry of a list, or creates it, and moves it to the front. Beyond the limit the least recently used entry is dropped.
 *
 * @param create if it throws, the list is unchanged.
 */
export function useRecent<T>(entries: T[], isWanted: (entry: T) => boolean, create: () => T, limit: number): T {
  const at = entries.findIndex(isWanted);
  const [found = create()] = at < 0 ? [] : entries.splice(at, 1);
  entries.unshift(found);
  entries.length = Math.min(entries.length, limit);
  return found;
}
