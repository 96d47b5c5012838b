import type { Seconds } from "@cardea/extend";
import type { Limit } from "./parse-limits.ts";

/** NIST SP 800-63B-4 §3.2.2: the maximum number of consecutive failures for one account. */
const MAX_IN_A_ROW = 100;

const A_DAY: Seconds = 24 * 60 * 60;

/** A name is remembered for a day after one failure, for two after the second, and so on, up to this. */
const MAX_DAYS = 90;

/** Failures without a delay, for mistyped passwords. */
const FREE = 3;

/** The longest delay between two attempts. */
const LONGEST: Seconds = 60;

/** Attempts in one bucket of a limit, and in the one before. */
interface Counted {
  readonly bucket: number;
  readonly now: number;
  readonly before: number;
}

/** What was tried under one exact name. */
interface Share {
  /** Short form of the exact name; it contains no guessable value in clear text. */
  readonly own: string;
  /** Attempts since its last success. */
  readonly inARow: number;
  /** Of each limit, in the order of the limits. */
  readonly counts: readonly Counted[];
}

/** What was tried in all spellings of one name. A success removes the share of its exact name only. */
export interface Tried {
  /** When the last attempt was; 0 if the delay between attempts does not grow. */
  readonly last: Seconds;
  readonly shares: readonly Share[];
}

/** How attempts of one subject are counted. */
export interface Counting {
  readonly limits: readonly Limit[];
  /** How consecutive failures are counted: not at all, up to one hundred, or with a growing delay as well. */
  readonly row: "none" | "steady" | "growing";
}

/** The bucket of an interval's length that a time is in. */
export function bucketOf(now: Seconds, interval: Seconds): number {
  return Math.floor(now / interval);
}

/**
 * How long an attempt must wait; 0 if it is allowed.
 *
 * Two adjacent buckets cover any interval of their length, so both count in full.
 */
export function waitFor({ last, shares }: Tried, { limits, row }: Counting, now: Seconds): Seconds {
  const waits = limits.map((limit, n) => {
    const counts = shares.map((share) => at(share.counts[n], bucketOf(now, limit.interval)));
    const current = sum(counts.map((count) => count.now));
    if (current + sum(counts.map(({ before }) => before)) < limit.times) return 0;
    return waitOf(limit, now, current >= limit.times);
  });
  return Math.max(0, ...waits, row === "none" ? 0 : waitInARow(inARow(shares), last, row, now));
}

/** With one attempt more under this exact name. */
export function withAttempt({ shares }: Tried, own: string, { limits, row }: Counting, now: Seconds): Tried {
  const former = shares.find((share) => share.own === own);
  const counts = limits.map(({ interval }, n) => {
    const count = at(former?.counts[n], bucketOf(now, interval));
    return { ...count, now: count.now + 1 };
  });
  const share = { own, inARow: (former?.inARow ?? 0) + (row === "none" ? 0 : 1), counts };
  return { last: row === "growing" ? now : 0, shares: [...shares.filter((one) => one.own !== own), share] };
}

/** Without what was tried under this exact name. */
export function withoutShare({ last, shares }: Tried, own: string): Tried {
  return { last, shares: shares.filter((share) => share.own !== own) };
}

/** With another number of consecutive failures of this exact name. */
export function withRow({ last, shares }: Tried, own: string, change: (inARow: number) => number): Tried {
  const changed = (share: Share) => ({ ...share, inARow: Math.max(0, change(share.inARow)) });
  return { last, shares: shares.map((share) => (share.own === own ? changed(share) : share)) };
}

/**
 * How long it is stored: until no limit counts it any more and, after `n` consecutive failures, `n` days. At that rate an
 * attacker gets no more attempts than with one hundred in 90 days, and a name that was tried once is soon gone.
 */
export function lifeOf({ shares }: Tried, { limits }: Counting): Seconds {
  const counted = Math.max(...limits.map(({ interval }) => 2 * interval + 60), 2 * LONGEST);
  return Math.max(counted, Math.min(MAX_DAYS, inARow(shares)) * A_DAY);
}

/** How long it is stored at least. */
export function shortLifeOf({ limits }: Counting): Seconds {
  return lifeOf({ last: 0, shares: [] }, { limits, row: "none" });
}

/** As the text of one entry of the store; null if nothing was tried. */
export function formatTried({ last, shares }: Tried): string | null {
  if (shares.length === 0) return null;
  const rows = shares.map(({ own, inARow: made, counts }) => [
    own,
    made,
    ...counts.flatMap(({ bucket, now, before }) => [bucket, now, before]),
  ]);
  return JSON.stringify([last, ...rows]);
}

/** Inverse of {@link formatTried}. @throws TypeError for any other text. */
export function parseTried(text: string | null): Tried {
  const [last = 0, ...rows]: readonly unknown[] = text === null ? [] : requireList(JSON.parse(text));
  return { last: requireCount(last), shares: rows.map(parseShare) };
}

function parseShare(row: unknown): Share {
  const [own, made, ...numbers] = requireList(row);
  if (typeof own !== "string") throw new TypeError("An entry of attempts has no name.");
  const counts = Array.from({ length: Math.floor(numbers.length / 3) }, (_, n) => {
    const [bucket = 0, now = 0, before = 0] = numbers.slice(3 * n, 3 * n + 3).map(requireCount);
    return { bucket, now, before };
  });
  return { own, inARow: requireCount(made), counts };
}

function requireList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError("An entry of attempts is not a list.");
}

function requireCount(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError("An entry of attempts contains something other than a number.");
}

function at(count: Counted | undefined, bucket: number): Counted {
  if (count?.bucket === bucket) return count;
  return { bucket, now: 0, before: count?.bucket === bucket - 1 ? count.now : 0 };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const inARow = (shares: readonly Share[]): number => sum(shares.map((share) => share.inARow));

/**
 * Time until the full bucket no longer counts: the previous one ends with the next bucket, the current one an interval
 * later.
 */
export function waitOf({ interval }: Limit, now: Seconds, isNowFull: boolean): Seconds {
  return Math.max(1, Math.ceil(interval - (now % interval))) + (isNowFull ? interval : 0);
}

/** A locked account does not unlock by waiting: a day is reported. */
function waitInARow(tries: number, last: Seconds, row: "steady" | "growing", now: Seconds): Seconds {
  if (tries >= MAX_IN_A_ROW) return A_DAY;
  if (row === "steady" || tries < FREE) return 0;
  // Another server's clock may be ahead.
  const due = Math.min(last, now) + Math.min(2 ** Math.min(tries - FREE, 10), LONGEST);
  return Math.max(0, due - now);
}
