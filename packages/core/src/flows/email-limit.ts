import type { Adapter } from "../model/adapter.ts";
import type { EmailRateLimit } from "../model/provider.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { APPLICATION_TIMEOUT_MS, within } from "../session/within.ts";

/** How many addresses are counted at once; beyond that the oldest counts are forgotten. */
const MAX_COUNTED = 10_000;

/** When mails were sent, by address. Kept per adapter: configurations that share no database share no counts. */
const sent = new WeakMap<Adapter, Map<string, readonly EpochMilliseconds[]>>();

/**
 * Whether one more mail may go to an address (contract 8); counts it when it may. One process counts for itself; a function
 * in place of numbers can share its count.
 *
 * @returns when the mail counts as sent, later than any before it to that address; null when it may not be sent.
 */
export async function claimMail(
  adapter: Adapter,
  key: { readonly providerId: string; readonly identifier: string },
  limit: EmailRateLimit,
  now: EpochMilliseconds,
): Promise<EpochMilliseconds | null> {
  const counts = sent.get(adapter) ?? new Map<string, readonly EpochMilliseconds[]>();
  sent.set(adapter, counts);
  const id = `${key.providerId} ${key.identifier}`;
  const earlier = counts.get(id) ?? [];
  const last = earlier.at(-1);
  if (typeof limit === "function") {
    if (!(await within(APPLICATION_TIMEOUT_MS, limit(key.identifier)))) return null;
  } else if (earlier.filter((at) => now - at < limit.windowSeconds * 1000).length >= limit.max) return null;
  const sentAt = last !== undefined && last >= now ? last + 1 : now;
  const kept = typeof limit === "function" ? [] : earlier.filter((at) => now - at < limit.windowSeconds * 1000);
  counts.delete(id);
  counts.set(id, [...kept, sentAt]);
  for (const oldest of counts.keys()) {
    if (counts.size <= MAX_COUNTED) break;
    counts.delete(oldest);
  }
  return sentAt;
}
