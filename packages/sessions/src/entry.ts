import type { EpochSeconds } from "@cardea/core/extend";

/** What an end is about: a session by its public id, the authentication behind a token, or a session at a provider. */
export type EndOf = "sid" | "jti" | "idp";

/** What a counter is about: how often all sessions of a user, or of an account at a provider, were ended; or whether a user is blocked. */
export type CounterOf = "epoch" | "idp" | "block";

/**
 * One negative fact. Each can be applied again and in any order: an end stays an end, and of a counter the greater value counts. So two
 * servers that know different ones come to the same by telling each other.
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

/** Several entries as one text of the log. Inverse of {@link readEntries}. */
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

/** The entries of a text of the log; what a later version may have added is left out. Never throws. */
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
