/**
 * Finds an entry of a map that has at most so many. Once it is full, what is found counts as used last, so that
 * {@link keepRecent} removes another one; before, the order does not matter and costs nothing.
 */
export function findRecent<K, V>(entries: Map<K, V>, key: K, most: number): V | undefined {
  const found = entries.get(key);
  if (found !== undefined && entries.size >= most) {
    entries.delete(key);
    entries.set(key, found);
  }
  return found;
}

/** Adds an entry. If there are too many then, the one that was used longest ago is removed: never all of them. */
export function keepRecent<K, V>(entries: Map<K, V>, key: K, value: V, most: number): V {
  entries.set(key, value);
  const [oldest] = entries.size > most ? entries : [];
  if (oldest !== undefined) entries.delete(oldest[0]);
  return value;
}
