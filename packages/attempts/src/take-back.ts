import type { Seconds, Store } from "@cardea/core/extend";

/**
 * Removes from a count what one exact name contributed. Each contribution is removed once, also by concurrent successes. The
 * count may have been reset or have expired since; it does not become negative.
 */
export async function takeBack(
  store: Store,
  { all, own }: { readonly all: string; readonly own: string },
  ttl: Seconds,
): Promise<void> {
  const text = await store.get(own);
  const made = Number(text ?? 0);
  if (text === null || !(await store.swap(own, text, null, { ttl: null })) || made <= 0) return;
  const { value } = await store.add(all, -made, { ttl });
  if (value < 0) await store.add(all, Math.min(made, -value), { ttl });
}
