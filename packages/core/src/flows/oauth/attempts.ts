/**
 * Calls to a provider that strangers can trigger by signing in and that came to nothing. They are counted for each server, so
 * that they cannot be multiplied: beyond a few in a minute the provider is not called again.
 */

/** For how long a call in vain counts, in milliseconds. */
const WINDOW_MS = 60 * 1000;

/** How many servers, and how many key ids of one server, are remembered. */
const MAX_ENTRIES = 100;

/** Calls in vain of one kind. */
export interface Attempts {
  /** Whether another call may be made for `subject`; never two for one subject within a minute. */
  readonly allows: (server: string, subject: string) => boolean;
  /** Notes a call before it is made, so that calls at the same time count too. */
  readonly note: (server: string, subject: string) => void;
  /** Takes back a note: the call was worth making. */
  readonly forgive: (server: string, subject: string) => void;
}

/** @param max calls in vain for one server within a minute. */
export function createAttempts(max: number): Attempts {
  const servers = new Map<string, Map<string, number>>();
  const recent = (server: string) => {
    const now = Date.now();
    const subjects = servers.get(server) ?? new Map<string, number>();
    // A clock that was set back makes times of the future: they count no longer than others.
    for (const [subject, at] of subjects) if (Math.abs(now - at) >= WINDOW_MS) subjects.delete(subject);
    return subjects;
  };
  return {
    allows: (server, subject) => {
      const subjects = recent(server);
      return !subjects.has(subject) && subjects.size < max;
    },
    note: (server, subject) => {
      if (servers.size >= MAX_ENTRIES && !servers.has(server)) servers.clear();
      servers.set(server, recent(server).set(subject, Date.now()));
    },
    forgive: (server, subject) => void servers.get(server)?.delete(subject),
  };
}
