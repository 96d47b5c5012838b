import { keepRecent } from "../model/recent.ts";

/**
 * Failed calls to a provider that any visitor can trigger by signing in. They are counted per server to prevent
 * amplification: after a few per minute, the provider is not called again.
 */

/** How long a failed call counts, in milliseconds. */
const WINDOW_MS = 60 * 1000;

/** How many servers, and how many key ids of one server, are remembered. */
const MAX_ENTRIES = 100;

/** Failed calls of one kind. */
export interface Attempts {
  /** Whether another call may be made for `subject`; never two for one subject within a minute. */
  readonly allows: (server: string, subject: string) => boolean;
  /** Records a call before it is made, so that concurrent calls count too. */
  readonly note: (server: string, subject: string) => void;
  /** Removes a record after a successful call. */
  readonly forgive: (server: string, subject: string) => void;
}

/** @param max failed calls for one server within a minute. */
export function createAttempts(max: number): Attempts {
  const servers = new Map<string, Map<string, number>>();
  const recent = (server: string) => {
    const now = Date.now();
    const subjects = servers.get(server) ?? new Map<string, number>();
    // If the clock was set back, recorded times are in the future. They must not count longer than others.
    for (const [subject, at] of subjects) if (Math.abs(now - at) >= WINDOW_MS) subjects.delete(subject);
    return subjects;
  };
  return {
    allows: (server, subject) => {
      const subjects = recent(server);
      return !subjects.has(subject) && subjects.size < max;
    },
    note: (server, subject) => {
      keepRecent(servers, server, recent(server).set(subject, Date.now()), MAX_ENTRIES);
    },
    forgive: (server, subject) => void servers.get(server)?.delete(subject),
  };
}
