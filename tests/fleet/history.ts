/** Milliseconds of a clock that is never set back; that of this process, which sends every request. */
export const clock = (): number => performance.now();

/** When something was away, or lost what it had. */
export interface Outage {
  readonly what: string;
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** What happened, and what must not have. */
export class History {
  readonly outages: Outage[] = [];
  /** Those that the processes themselves reported. */
  readonly #reported: readonly Outage[];
  readonly violations: string[] = [];
  readonly reads: number[] = [];
  readonly notes = new Map<string, number>();
  readonly counts: Record<string, number> = {};
  /** Undefined while silence does not count. */
  #lastAnswer: number | undefined;
  #longestSilence = 0;

  constructor(reported: readonly Outage[] = []) {
    this.#reported = reported;
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** A read that was answered with a session or without one. */
  answered(since: number): void {
    const now = clock();
    this.reads.push(now - since);
    if (this.#lastAnswer === undefined) return;
    this.#longestSilence = Math.max(this.#longestSilence, now - this.#lastAnswer);
    this.#lastAnswer = now;
  }

  /** From now on the time without an answer counts, or no longer. */
  listen(on: boolean): void {
    this.#lastAnswer = on ? clock() : undefined;
  }

  /** Why something was tried again, and how often: for who reads the report. */
  note(why: string): void {
    this.notes.set(why, (this.notes.get(why) ?? 0) + 1);
  }

  violate(text: string): void {
    this.violations.push(`${Math.round(clock())} ms: ${text}`);
  }

  /** Notes an outage while something is done. */
  async during(what: string, work: () => Promise<void>, after = 0): Promise<void> {
    const outage: Outage = { what, from: clock(), to: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    this.count(what);
    try {
      await work();
    } finally {
      outage.to = clock() + after;
    }
  }

  /** Until when something that matters to a moment was away; minus infinity where nothing was. */
  awayUntil(moment: number): number {
    const ends = [...this.outages, ...this.#reported].filter(({ from }) => from <= moment).map(({ to }) => to);
    return Math.max(Number.NEGATIVE_INFINITY, ...ends);
  }

  /** Whether Redis was emptied so close to a moment, in milliseconds, that what was written then may not have been read. */
  wasEmptiedWithin(bound: number, moment: number): boolean {
    return this.outages.some(
      ({ what, from, to }) => what === "Redis emptied" && from - bound <= moment && moment <= to,
    );
  }

  /** The times of reads in milliseconds, and the longest time without any answer. */
  report(): Readonly<Record<string, number>> {
    const outagesReported = this.#reported.length;
    const longestSilence = Math.round(this.#longestSilence);
    return { ...this.counts, outagesReported, ...percentiles(this.reads), longestSilence };
  }
}

/** Half, and 99 of 100, are at most as long. */
export function percentiles(times: readonly number[]): {
  readonly reads: number;
  readonly p50: number;
  readonly p99: number;
} {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (part: number) => Math.round(10 * (sorted[Math.floor(sorted.length * part)] ?? 0)) / 10;
  return { reads: sorted.length, p50: at(0.5), p99: at(0.99) };
}
