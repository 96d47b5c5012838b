import { sha256 } from "../crypto/primitives.ts";
import { retryChange } from "../crypto/retry-change.ts";
import type { Store } from "../model/store.ts";
import type { Seconds } from "../model/units.ts";

/**
 * Derives a key that does not reveal its subject unless the subject can be guessed. Some databases return numeric ids,
 * despite the type, so the id 1 and "1" give the same key; otherwise a second factor stored under one would not be
 * found under the other.
 */
export async function keyOf(...about: readonly string[]): Promise<string> {
  return `cardea:adapter:${await sha256(JSON.stringify(about.map(String)))}`;
}

/** Updates the list under a key with compare-and-set. An empty list is deleted. */
export async function changeList<Item>(
  store: Store,
  key: string,
  parse: (value: unknown) => Item,
  change: (items: readonly Item[]) => readonly Item[],
): Promise<void> {
  await retryChange(async () => {
    const text = await store.get(key);
    const items = change(parseList(text, parse));
    const next = items.length === 0 ? null : JSON.stringify(items);
    return (await store.swap(key, text, next, { ttl: null })) || undefined;
  }, "A list in the store");
}

/** Parses a list; empty for null. */
export function parseList<Item>(text: string | null, parse: (value: unknown) => Item): Item[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.map(parse) : [];
}

/** Seconds until an expiry, at least one. */
export function lifeUntil(expires: Date): Seconds {
  return Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
}

/** Parses a date serialized as JSON. */
export function toDate(value: Date | string | null | undefined): Date | null {
  return value === null || value === undefined ? null : new Date(value);
}
