import type { Seconds, Store, Tools } from "@cardea/extend";

/**
 * Ensures that one process at a time, of all that share the store, refreshes the tokens of an account. The lease is one
 * entry that each step changes by compare-and-set, so late steps of an earlier holder fail. Clocks are not compared:
 * another process counts as terminated if its entry has not changed for a whole lease, measured locally
 * (decisions/041).
 */

/** Milliseconds from acquiring the lease to the provider's response. */
export const LEASE_MS = 15_000;

/** Milliseconds before the end of the lease by which the provider must have responded. */
const MARGIN_MS = 3_000;

/** A holder that has sent nothing is replaced sooner, because nothing can be lost. */
const IDLE_MS = 5_000;

/** A holder older than this, by wall-clock time with a tolerance for differing clocks, has certainly terminated. */
const SURELY_OVER_MS = LEASE_MS + 120_000;

/**
 * A released lease is removed. What a terminated holder left, or a request without a response, is kept this long: far beyond any
 * difference between clocks, and until a refresh token that was sent in vain is of no more use.
 */
const KEPT: Seconds = 90 * 24 * 60 * 60;

/** How often a refresh token may be sent by holders that terminated without a response. */
export const MAX_PRESENTED = 2;

/** The lease entry of an account. */
interface Entry {
  /** `free` after a request without a response. */
  readonly phase: "free" | "held" | "sent";
  /** Incremented by each holder. */
  readonly fence: number;
  readonly owner: string;
  readonly at: number;
  /** Hash of the refresh token that was sent without a known response. */
  readonly sent: string | undefined;
  /** How often terminated holders sent it. */
  readonly times: number;
}

const FREE: Entry = { phase: "free", fence: 0, owner: "", at: 0, sent: undefined, times: 0 };

/** An acquired lease. */
export interface Lease {
  /** The refresh token that earlier holders sent without a response, and how often. */
  readonly unanswered: { readonly hash: string; readonly times: number } | undefined;
  /** Whether the last holder terminated without releasing the lease. */
  readonly takenOver: boolean;
  /** Milliseconds until the provider must have responded. */
  left(): number;
  /** The last step before the request; false if the lease was lost. */
  markSent(hash: string): Promise<boolean>;
  /** Whether the lease is still held. */
  isOurs(): Promise<boolean>;
  /** Releases the lease. `unanswered`: the request may have arrived, but there was no response. */
  release(unanswered?: string): Promise<void>;
}

/** Tries repeatedly to acquire the lease of an account, and tracks the observed entries. */
export interface LeaseSeeker {
  /** Acquires the lease; null while another process holds it. */
  take(): Promise<Lease | null>;
}

/** Starts seeking a lease, in the shared store or, without one, in the memory of this process. */
export async function seekLease(t: Tools, name: string): Promise<LeaseSeeker> {
  const store = t.store ?? localStore(t.application);
  const key = await t.permanentKey("lease", name);
  const owner = t.randomId();
  let seen: { readonly text: string | null; readonly since: number } | undefined;
  return {
    async take() {
      const text = await store.get(key);
      if (seen === undefined || seen.text !== text) seen = { text, since: performance.now() };
      const entry = parseEntry(text);
      if (entry.phase !== "free" && !isOver(entry, performance.now() - seen.since)) return null;
      const began = performance.now();
      const takenOver = entry.phase !== "free";
      // Count the request of a terminated holder. A holder that released the lease has counted its own.
      const times = entry.phase === "sent" ? entry.times + 1 : entry.times;
      const held: Entry = { ...entry, phase: "held", fence: entry.fence + 1, owner, at: Date.now(), times };
      const own = JSON.stringify(held);
      if (!(await store.swap(key, text, own, { ttl: KEPT }))) return null;
      return createLease(store, key, held, began, takenOver);
    },
  };
}

function createLease(store: Store, key: string, held: Entry, began: number, takenOver: boolean): Lease {
  let current: Entry = held;
  const left = () => LEASE_MS - MARGIN_MS - (performance.now() - began);
  const step = async (next: Entry): Promise<boolean> => {
    const done = await store.swap(key, JSON.stringify(current), JSON.stringify(next), { ttl: KEPT });
    if (done) current = next;
    return done;
  };
  const { sent, times } = held;
  return {
    unanswered: sent === undefined || times === 0 ? undefined : { hash: sent, times },
    takenOver,
    left,
    // A process that was suspended in between must not send, so the time is checked after the step, directly before the
    // request.
    markSent: async (hash) => {
      const before = hash === sent ? times : 0;
      return (await step({ ...held, phase: "sent", sent: hash, times: before })) && left() > 0;
    },
    isOurs: async () => (await store.get(key)) === JSON.stringify(current),
    release: async (unanswered) => {
      if (unanswered === undefined) await store.swap(key, JSON.stringify(current), null, { ttl: null });
      else await step({ ...held, phase: "free", sent: unanswered, times: Math.max(1, times) });
    },
  };
}

function isOver({ phase, at }: Entry, unchangedMs: number): boolean {
  const limit = phase === "sent" ? LEASE_MS : IDLE_MS;
  return unchangedMs >= limit || Date.now() - at > SURELY_OVER_MS;
}

/** The entry is written only by this file. */
function parseEntry(text: string | null): Entry {
  return text === null ? FREE : (JSON.parse(text) as Entry);
}

const memories = new WeakMap<object, Map<string, string>>();

/** The parts of a store that a lease needs, in memory. */
function localStore(application: object): Store {
  const memory = memories.get(application) ?? new Map<string, string>();
  memories.set(application, memory);
  const refuse = () => Promise.reject(new TypeError("Leases do not use counters or unconditional writes."));
  return {
    get: async (key) => memory.get(key) ?? null,
    set: refuse,
    add: refuse,
    swap: async (key, expected, next) => {
      if ((memory.get(key) ?? null) !== expected) return false;
      if (next === null) memory.delete(key);
      else memory.set(key, next);
      return true;
    },
  };
}
