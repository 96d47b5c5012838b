import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { EmailRateLimit } from "../model/provider.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { mailboxOf } from "../protocol/email-address.ts";

/** How many mailboxes are counted at once; beyond that the oldest counts are dropped. */
const MAX_COUNTED = 10_000;

type Counts = Map<string, readonly EpochMilliseconds[]>;

/**
 * When e-mails were sent, by mailbox. Kept per application, and per adapter and secret: neither a configuration function that
 * creates its adapter for each request, nor two instances of an application with one database, restart the count. Others, such
 * as tenants with one database and different secrets, share no counts.
 */
const sent = new WeakMap<object, Counts>();

/** An e-mail that is about to be sent. */
interface EmailSlot {
  /** The provider, if it has its own limit and therefore its own count; otherwise empty. */
  readonly providerId: string;
  readonly identifier: string;
  readonly application: object;
  readonly adapter: object;
  /** A secret that every instance of the application has. */
  readonly secret: string | undefined;
}

/**
 * Whether another e-mail may be sent to an address (docs/email.md#sign-in-flow); counts it if so. Each process counts
 * separately; a function instead of numbers can share its count.
 *
 * @returns the time at which the e-mail counts as sent, later than any before it to that mailbox; null if it must not be
 *   sent.
 * @throws the function's error.
 */
export async function reserveEmailSlot(
  slot: EmailSlot,
  limit: EmailRateLimit,
  now: EpochMilliseconds,
): Promise<EpochMilliseconds | null> {
  const { identifier } = slot;
  if (typeof limit === "function") {
    const verdict: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, limit(mailboxOf(identifier), identifier));
    if (verdict !== true) return null;
  }
  const all = placesOf(slot);
  const earlier = all.map(({ counts, id }) => recent(counts.get(id) ?? [], limit, now));
  if (typeof limit !== "function" && earlier.some((times) => times.length >= limit.max)) return null;
  const last = Math.max(...all.map(({ counts, id }) => counts.get(id)?.at(-1) ?? 0));
  const sentAt = Math.max(now, last + 1);
  for (const [index, { counts, id }] of all.entries()) remember(counts, id, [...(earlier[index] ?? []), sentAt]);
  return sentAt;
}

/**
 * Stops counting an e-mail that was not sent, because the database or the mail server failed: otherwise the user would be told
 * after an outage to look for an e-mail that is not sent. A function keeps its own count.
 *
 * @param sentAt the result of {@link reserveEmailSlot}.
 */
export function releaseEmailSlot(slot: EmailSlot, sentAt: EpochMilliseconds): void {
  for (const { counts, id } of placesOf(slot)) {
    const others = counts.get(id)?.filter((at) => at !== sentAt);
    if (others !== undefined) counts.set(id, others);
  }
}

/** Where the e-mails to a mailbox are counted. */
function placesOf({ providerId, identifier, application, adapter, secret }: EmailSlot) {
  const id = `${providerId} ${mailboxOf(identifier)}`;
  return [
    { counts: countsOf(application), id },
    { counts: countsOf(adapter), id: `${id} ${secret}` },
  ];
}

function countsOf(owner: object): Counts {
  const counts: Counts = sent.get(owner) ?? new Map();
  sent.set(owner, counts);
  return counts;
}

/** The times that still count; a function keeps the count itself. */
function recent(times: readonly EpochMilliseconds[], limit: EmailRateLimit, now: EpochMilliseconds) {
  return typeof limit === "function" ? [] : times.filter((at) => now - at < limit.windowSeconds * 1000);
}

function remember(counts: Counts, id: string, times: readonly EpochMilliseconds[]): void {
  counts.delete(id);
  counts.set(id, times);
  for (const oldest of counts.keys()) {
    if (counts.size <= MAX_COUNTED) break;
    counts.delete(oldest);
  }
}
