/** `2026-11-22`, `2026-11-22 03:00:00.123456`, `2026-11-22T03:00Z`, `2026-11-22 03:00:00+00` (ISO 8601, RFC 3339, SQL). */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?)?$/i;

/**
 * `Sun, 22 Nov 2026 03:00:00 GMT` (RFC 9110 §5.6.7) and `Sun Nov 22 2026 03:00:00 GMT+0100 (CET)`: any other text with a
 * zone.
 */
const WITH_ZONE = /[A-Za-z]{3}.*\d(?: ?(?:GMT|UTC))(?:[+-]\d{4})?(?: \([^()]*\))?$/;

/** Since 1973, milliseconds since 1970 have twelve digits or more; seconds have fewer until the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The year 10000, in milliseconds since 1970. A later time was made of smaller units, such as microseconds: it would never be over. */
const END_OF_TIME = 253_402_300_800_000;

/**
 * A time as a database may return it: a `Date`, a number of seconds or milliseconds since 1970, or text. Text without a
 * zone is read as UTC, never in the time zone of the server.
 *
 * @returns null for anything that is not a single time.
 */
export function parseTime(value: unknown): Date | null {
  const milliseconds = toMilliseconds(value);
  if (milliseconds === null || Math.abs(milliseconds) >= END_OF_TIME) return null;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date;
}

function toMilliseconds(value: unknown): number | null {
  if (typeof value === "number" || typeof value === "bigint") return fromNumber(Number(value));
  if (typeof value === "string") return fromText(value.trim());
  return isDate(value) ? value.getTime() : null;
}

/** Also accepts a `Date` of another realm. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value;
}

function fromText(text: string): number | null {
  if (/^\d{9,15}$/.test(text)) return fromNumber(Number(text));
  const parts = ISO.exec(text);
  if (parts !== null) return fromParts(parts);
  return WITH_ZONE.test(text) ? Date.parse(text) : null;
}

function fromParts(parts: RegExpExecArray): number | null {
  const part = (index: number) => Number(parts[index] ?? 0);
  const [year, month, day, hours, minutes, seconds] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const fraction = Math.trunc(Number(`0.${parts[7] ?? 0}`) * 1000);
  const offset = offsetOf(parts[8]);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that does not exist in its month overflows into the next one.
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || hours > 23 || minutes > 59 || seconds > 59 || offset === null) return null;
  return date.setUTCHours(hours, minutes, seconds, fraction) - offset;
}

/** Milliseconds by which a zone is ahead of UTC; null for a zone that does not exist. */
function offsetOf(zone: string | undefined): number | null {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone ?? "") ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
