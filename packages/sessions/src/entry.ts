import type { EpochSeconds } from "@cardea/extend";

/** What was ended: a session by its public id, the authentication behind a token, or a session at a provider. */
export type EndOf = "sid" | "jti" | "idp";

/**
 * What a counter counts: how often all sessions of a user, or of an account at a provider, were ended; or whether a
 * user is blocked.
 */
export type CounterOf = "epoch" | "idp" | "block";

/**
 * One end or counter value. Entries are idempotent and commutative: an end is permanent, and the greater value of a
 * counter wins. Servers that exchange their entries therefore converge.
 */
export type Entry =
  | {
      readonly kind: "end";
      readonly of: EndOf;
      readonly id: string;
      readonly until: EpochSeconds;
      readonly why: string;
    }
  | {
      readonly kind: "count";
      readonly of: CounterOf;
      readonly id: string;
      readonly until: EpochSeconds;
      readonly value: number;
    };

const ENDS: readonly string[] = ["sid", "jti", "idp"] satisfies EndOf[];
const COUNTERS: readonly string[] = ["epoch", "idp", "block"] satisfies CounterOf[];

/** Serializes entries as one log record. Inverse of {@link readEntries}. */
export function writeEntries(entries: readonly Entry[]): string {
  return JSON.stringify(
    entries.map((entry) => [
      entry.kind,
      entry.of,
      entry.id,
      entry.until,
      entry.kind === "end" ? entry.why : entry.value,
    ]),
  );
}

/** Parses a log record; entries of a later version that are not understood are skipped. Never throws. */
export function readEntries(text: string): readonly Entry[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(rows) ? rows.flatMap(readEntry) : [];
}

function readEntry(row: unknown): Entry[] {
  const [kind, of, id, until, last]: readonly unknown[] = Array.isArray(row) ? row : [];
  if (typeof id !== "string" || !isCount(until)) return [];
  if (kind === "end" && isEnd(of) && typeof last === "string") return [{ kind, of, id, until, why: last }];
  return kind === "count" && isCounter(of) && isCount(last) ? [{ kind, of, id, until, value: last }] : [];
}

function isEnd(of: unknown): of is EndOf {
  return typeof of === "string" && ENDS.includes(of);
}

function isCounter(of: unknown): of is CounterOf {
  return typeof of === "string" && COUNTERS.includes(of);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
