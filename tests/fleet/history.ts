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
  readonly violations: string[] = [];
  readonly reads: number[] = [];
  readonly counts: Record<string, number> = {};
  #lastAnswer = clock();
  #longestSilence = 0;

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** A read that was answered with a session or without one. */
  answered(since: number): void {
    const now = clock();
    this.reads.push(now - since);
    this.#longestSilence = Math.max(this.#longestSilence, now - this.#lastAnswer);
    this.#lastAnswer = now;
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
    const ends = this.outages.filter(({ from }) => from <= moment).map(({ to }) => to);
    return Math.max(Number.NEGATIVE_INFINITY, ...ends);
  }

  /** The times of reads in milliseconds, and the longest time without any answer. */
  report(): Readonly<Record<string, number>> {
    const sorted = [...this.reads].sort((one, other) => one - other);
    const at = (part: number) => Math.round(10 * (sorted[Math.floor(sorted.length * part)] ?? 0)) / 10;
    return { ...this.counts, p50: at(0.5), p99: at(0.99), longestSilence: Math.round(this.#longestSilence) };
  }
}
