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
