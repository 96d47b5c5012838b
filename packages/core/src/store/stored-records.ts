import { sha256 } from "../crypto/primitives.ts";
import type { Store } from "../model/store.ts";
import type { Seconds } from "../model/units.ts";

/** How often a text is changed again when another process changed it in between. */
const MAX_TRIES = 50;

/**
 * Names a key, which reveals nothing about its subject to anyone who cannot guess it. Some databases give numbers for ids, whatever the
 * type says: the id 1 and its text are one subject, or a second factor stored under the one would not be found under the other.
 */
export async function keyOf(...about: readonly string[]): Promise<string> {
  return `cardea:adapter:${await sha256(JSON.stringify(about.map(String)))}`;
}

/** Changes a list under a key, also under concurrent changes; an empty list is deleted. */
export async function changeList<Item>(
  store: Store,
  key: string,
  parse: (value: unknown) => Item,
  change: (items: readonly Item[]) => readonly Item[],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = await store.get(key);
    const items = change(parseList(text, parse));
    if (await store.swap(key, text, items.length === 0 ? null : JSON.stringify(items), { ttl: null })) return;
  }
  throw new Error("A list in the store was changed by others again and again.");
}

/** The list in a text; none for null. */
export function parseList<Item>(text: string | null, parse: (value: unknown) => Item): Item[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.map(parse) : [];
}

/** Seconds until a time, at least one. */
export function lifeUntil(expires: Date): Seconds {
  return Math.max(1, Math.ceil((expires.getTime() - Date.now()) / 1000));
}

/** A time that was written as JSON. */
export function toDate(value: Date | string | null | undefined): Date | null {
  return value === null || value === undefined ? null : new Date(value);
}
