/** A duration. The parts are added, and may be negative. */
export interface Duration {
  /** Thousandths of a second. */
  readonly milliseconds?: number;
  /** 1,000 milliseconds each. */
  readonly seconds?: number;
  /** 60 seconds each. */
  readonly minutes?: number;
  /** 60 minutes each. */
  readonly hours?: number;
  /** 24 hours each, whatever the time zone. */
  readonly days?: number;
}

/** A clock installed in place of the real one, until the end of a `using` block or `restore()`. */
export interface InstalledClock {
  /** Restores the previous `Date`. A second call does nothing. */
  restore(): void;
  /** Calls `restore()` at the end of a `using` block. */
  [Symbol.dispose](): void;
}

/** A clock that stands still until it is moved. */
export interface Clock {
  /** Milliseconds since 1970. Needs no `this`: pass it as `now` anywhere. */
  readonly now: () => number;
  /** Moves the clock, back for negative durations; returns the new time in milliseconds. */
  advance(by: Duration): number;
  /** Sets the clock; returns the new time in milliseconds. Throws `RangeError` for an invalid time. */ set(
    time: number | string | Date,
  ): number;
  /**
   * Makes `new Date()`, `Date()` and `Date.now()` of the whole process return this clock's time. Timers are not
   * affected. Throws if this clock is already installed.
   */
  install(): InstalledClock;
}

/** The default start time. */
const DEFAULT_START = "2026-01-01T00:00:00.000Z";

function parseTime(time: number | string | Date): number {
  const ms = typeof time === "number" ? time : new Date(time).getTime();
  if (!Number.isFinite(ms)) throw new RangeError(`Invalid time: ${String(time)}`);
  return ms;
}

function toMilliseconds({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: Duration): number {
  return milliseconds + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)));
}

/** A `Date` whose current time is `now()`. Otherwise it behaves like the real one, including `instanceof`. */
function fakeDate(real: DateConstructor, now: () => number): DateConstructor {
  return new Proxy(real, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new real(now()).toString(),
    get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
  });
}

/**
 * Creates a clock for tests.
 *
 * @param start Milliseconds since 1970, an ISO string or a `Date`; default 2026-01-01T00:00:00Z. Throws `RangeError`
 * for an invalid time.
 */
export function createClock(start: number | string | Date = DEFAULT_START): Clock {
  let time = parseTime(start);
  let isInstalled = false;
  const now = (): number => time;

  return {
    now,
    advance: (by) => (time = parseTime(time + toMilliseconds(by))),
    set: (to) => (time = parseTime(to)),
    install() {
      if (isInstalled) throw new Error("This clock is already installed. Restore it first.");
      const before = globalThis.Date;
      globalThis.Date = fakeDate(before, now);
      isInstalled = true;
      let isRestored = false;
      const restore = (): void => {
        if (isRestored) return;
        globalThis.Date = before;
        isInstalled = false;
        isRestored = true;
      };
      return { restore, [Symbol.dispose]: restore };
    },
  };
}
