// The time of one process of the fleet. Leases and time limits follow it: no test waits for their end, and a busy machine is not an outage.

/** How many times later than on a user's server time limits end. */
const SLOWNESS = 10;

/** A shorter timer is the pause between two looks at a lease; a longer one is a time limit, or belongs to `fetch`. In milliseconds. */
const SHORTEST_LIMIT_MS = 250;

/** The installed time. */
export interface WorkerTime {
  /** Lets time pass at once. Time limits that are over by then end, as when a stopped process is continued. */
  skip(ms: number): void;
  /** A pause in real time, in which nothing is skipped. */
  pause(ms: number): Promise<void>;
}

type Timer = ReturnType<typeof setTimeout>;

/** Replaces the timers and `performance.now()` of this process. @param lookMs how much time passes with each short pause. */
export function installTime(lookMs: number): WorkerTime {
  const { setTimeout: realTimer, clearTimeout: clearReal } = globalThis;
  const realElapsed = performance.now.bind(performance);
  const limits = new Map<Timer, { readonly due: number; readonly end: () => void }>();
  let skipped = 0;
  const now = () => realElapsed() / SLOWNESS + skipped;

  const skip = (ms: number): void => {
    skipped += ms;
    for (const [timer, { due, end }] of [...limits]) {
      if (due > now()) continue;
      clearReal(timer);
      end();
    }
  };
  const set = (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (ms < SHORTEST_LIMIT_MS) {
      return realTimer(() => {
        if (lookMs > 0) skip(lookMs);
        work(...given);
      }, ms);
    }
    const end = () => {
      limits.delete(timer);
      work(...given);
    };
    const timer = realTimer(end, ms * SLOWNESS);
    limits.set(timer, { due: now() + ms, end });
    return timer;
  };
  const clear = (timer: Timer | undefined): void => {
    if (timer !== undefined) limits.delete(timer);
    clearReal(timer);
  };

  performance.now = now;
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return { skip, pause: (ms) => new Promise((resolve) => void realTimer(resolve, ms)) };
}
