import type { Store, Tools } from "@cardea/core/extend";

/**
 * Who refreshes the tokens of an account: one process at a time, over all that share the store. The lease is one entry, and each step
 * changes it by compare and set: what an earlier holder does later fails. No two clocks are compared: another process counts as ended when
 * its entry has stayed the same for a whole lease, measured here (decisions/041).
 */

/** Milliseconds that a holder has, from taking the lease to the answer of the provider. */
export const LEASE_MS = 15_000;

/** Milliseconds before the end of the lease at which the provider must have answered. */
const MARGIN_MS = 3_000;

/** A holder that has sent nothing is replaced sooner: nothing can be lost by it. */
const IDLE_MS = 5_000;

/** Older than this by the clocks on the wall, which may be a minute apart each, a holder has ended whatever was seen of it. */
const SURELY_OVER_MS = LEASE_MS + 120_000;

/** How often a refresh token may have been sent by holders that ended before they had an answer. */
export const MAX_PRESENTED = 2;

/** The entry of an account. */
interface Entry {
  readonly phase: "free" | "held" | "sent";
  /** Grows with each holder. */
  readonly fence: number;
  readonly owner: string;
  readonly at: number;
  /** Hash of the refresh token that was sent and of which no answer is known. */
  readonly sent: string | undefined;
  /** How often it was sent by holders that ended. */
  readonly times: number;
}

const FREE: Entry = { phase: "free", fence: 0, owner: "", at: 0, sent: undefined, times: 0 };

/** A lease that was taken. */
export interface Lease {
  /** The refresh token that former holders sent without an answer, and how often. */
  readonly unanswered: { readonly hash: string; readonly times: number } | undefined;
  /** Whether the last holder ended without giving the lease back. */
  readonly takenOver: boolean;
  /** Milliseconds until the provider must have answered. */
  left(): number;
  /** The last step before the request; false when the lease is not ours any more. */
  markSent(hash: string): Promise<boolean>;
  /** Whether the lease is still ours. */
  isOurs(): Promise<boolean>;
  /** Gives it back. `unanswered`: the request may have arrived, and its answer did not. */
  release(unanswered?: string): Promise<void>;
}

/** Tries to get the lease of one account, again and again; remembers what it saw. */
export interface LeaseSeeker {
  /** Null while another process holds it. */
  take(): Promise<Lease | null>;
}

/** Starts to seek a lease. `store` is the shared one, or the memory of this process where there is none. */
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
      // What a holder that ended had sent counts once more; one that gave the lease back has counted it.
      const times = entry.phase === "sent" ? entry.times + 1 : entry.times;
      const held: Entry = { ...entry, phase: "held", fence: entry.fence + 1, owner, at: Date.now(), times };
      const own = JSON.stringify(held);
      if (!(await store.swap(key, text, own, { ttl: null }))) return null;
      return createLease(store, key, held, began, takenOver);
    },
  };
}

function createLease(store: Store, key: string, held: Entry, began: number, takenOver: boolean): Lease {
  let current: Entry = held;
  const left = () => LEASE_MS - MARGIN_MS - (performance.now() - began);
  const step = async (next: Entry): Promise<boolean> => {
    const done = await store.swap(key, JSON.stringify(current), JSON.stringify(next), { ttl: null });
    if (done) current = next;
    return done;
  };
  const { sent, times } = held;
  return {
    unanswered: sent === undefined || times === 0 ? undefined : { hash: sent, times },
    takenOver,
    left,
    // A process that was stopped in between must not send: the time is looked at after the step, with nothing behind it but the request.
    markSent: async (hash) => {
      const before = hash === sent ? times : 0;
      return (await step({ ...held, phase: "sent", sent: hash, times: before })) && left() > 0;
    },
    isOurs: async () => (await store.get(key)) === JSON.stringify(current),
    release: async (unanswered) => {
      await step({
        ...held,
        phase: "free",
        sent: unanswered,
        times: unanswered === undefined ? 0 : Math.max(1, times),
      });
    },
  };
}

function isOver({ phase, at }: Entry, unchangedMs: number): boolean {
  const limit = phase === "sent" ? LEASE_MS : IDLE_MS;
  return unchangedMs >= limit || Date.now() - at > SURELY_OVER_MS;
}

/** Only this file writes the entry. */
function parseEntry(text: string | null): Entry {
  return text === null ? FREE : (JSON.parse(text) as Entry);
}

const memories = new WeakMap<object, Map<string, string>>();

/** The part of a store that a lease needs, in the memory of this process. */
function localStore(application: object): Store {
  const memory = memories.get(application) ?? new Map<string, string>();
  memories.set(application, memory);
  const refuse = () => Promise.reject(new TypeError("A lease needs neither counters nor unconditional writes."));
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
