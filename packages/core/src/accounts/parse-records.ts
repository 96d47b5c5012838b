import type { AdapterMethod, AdapterResult } from "../model/adapter.ts";
import { isId, toPlain } from "../protocol/same-id.ts";

/**
 * Results of a database are parsed, not cast: a user has an id, a list is one, and times become `Date`s before anything compares them.
 * Records whose times are `Date`s already are returned unchanged.
 */

type Parse = (value: unknown) => unknown;

/** Methods with times in a result that nothing reads. */
type Unread =
  | "deleteUser"
  | "createSession"
  | "updateSession"
  | "deleteSession"
  | "createVerificationToken"
  | "createSessionInfo"
  | "createAuthenticator"
  | "updateAuthenticatorCounter"
  | "updateAuthenticator"
  | "deleteCredential";

/** Whether a record, or a record in it or in a list of it, has a time. Members of unknown type are not times. */
type HasTime<R> = R extends readonly (infer One)[]
  ? HasTime<One>
  : R extends Date
    ? true
    : R extends object
      ? { [K in keyof R]-?: unknown extends R[K] ? never : HasTime<NonNullable<R[K]>> }[keyof R]
      : never;

type MethodWithTimes = {
  [M in AdapterMethod]: true extends HasTime<NonNullable<AdapterResult<M>>> ? M : never;
}[AdapterMethod];

/** A method whose result is a list of records without times. */
type OtherMethod = "listAccountsByUserId";

/** The methods whose results contain times and lists. One that is missing does not compile. */
const PARSERS: Partial<Record<AdapterMethod, Parse>> = {
  createUser: parseCreated,
  createUserWithAccount: parseCreated,
  updateUser: parseUser,
  getUser: parseFound,
  getUserByEmail: parseFound,
  getUserByAccount: parseFound,
  getSessionAndUser: parseSessionAndUser,
  useVerificationToken: parseSession,
  getSessionInfo: parseInfo,
  updateSessionInfo: parseInfo,
  listSessionInfosByUserId: (value) => parseEach(value, parseInfo),
  listSessionsByUserId: (value) => parseEach(value, parseSession),
  listAccountsByUserId: requireList,
  listAuthenticatorsByUserId: (value) => parseEach(value, parseAuthenticator),
  getAuthenticator: (value) => (value === null || value === undefined ? null : parseAuthenticator(value)),
  createCredential: parseCredential,
  listCredentialsByUserId: (value) => parseEach(value, parseCredential),
  updateCredential: parseCredential,
} satisfies Record<Exclude<MethodWithTimes, Unread> | OtherMethod, Parse>;

/**
 * The result of an adapter method with its times parsed.
 *
 * @throws TypeError for a result that is not what the method must return, naming the member with an invalid time; never its
 *   value.
 */
export function parseRecords(method: AdapterMethod, result: unknown): unknown {
  const parse = PARSERS[method] ?? ((value) => value);
  return parse(Array.isArray(result) ? result.map(readRecord) : readRecord(result));
}

/** A driver that reads 64-bit keys as doubles gives several records one id; then no result can be trusted. */
function readRecord(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const isInexact = (id: unknown) => typeof id === "number" && !Number.isSafeInteger(id);
  if (![value.id, value.userId, value.providerAccountId].some(isInexact)) return value;
  throw new TypeError(
    "it returned a numeric id that is not a safe integer; configure the driver to return such ids as text",
  );
}

function parseEach(value: unknown, parse: Parse): unknown {
  return requireList(value).map(parse);
}

/** The result of a driver is not a list: its length is not that of its rows, so a user would seem to have no accounts. */
function requireList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError("it must return a list");
}

const NOT_A_USER = "it must return null, or a user whose `id` is text or a number: convert an ObjectId to text";

function parseUser(value: unknown): unknown {
  // Sessions contain the id as text, of which no object is made again.
  if (isRecord(value) && isRecord(value.id)) throw new TypeError(NOT_A_USER);
  return withTime(value, "emailVerified", parseOptional);
}

function parseFound(value: unknown): unknown {
  return value === null || value === undefined ? null : parseCreated(value);
}

/** Anyone without a row would be signed in as the user without an id. */
function parseCreated(value: unknown): unknown {
  const user = parseUser(value);
  if (isRecord(user) && !Array.isArray(user) && isId(user.id)) return user;
  throw new TypeError(NOT_A_USER);
}

/** Columns of 64 bits return the counter as text or as a bigint, and 0 would not equal it. */
function parseAuthenticator(value: unknown): unknown {
  if (!isRecord(value) || typeof value.credentialID !== "string")
    throw new TypeError("it must return an authenticator with a `credentialID`");
  const { counter } = value;
  const isExact = typeof counter === "bigint" || (typeof counter === "string" && /^\d{1,10}$/.test(counter));
  const counted = isExact ? { ...toPlain(value), counter: Number(counter) } : value;
  return withTime(withTime(counted, "createdAt", parseShown), "usedAt", parseShown);
}

function parseSession(value: unknown): unknown {
  return withTime(value, "expires", requireTime);
}

function parseInfo(value: unknown): unknown {
  const info = ["createdAt", "seenAt", "expires"].reduce((one, member) => withTime(one, member, requireTime), value);
  return withTime(info, "endedAt", parseOptional);
}

function parseCredential(value: unknown): unknown {
  return withTime(withTime(value, "createdAt", requireTime), "usedAt", parseOptional);
}

/** The user is null if their row was deleted, and that of the session was not. Adapters then return different results. */
function parseSessionAndUser(value: unknown): unknown {
  const { session, user }: { readonly session?: unknown; readonly user?: unknown } = Object(value ?? { session: null });
  if (session === null) return null;
  if (!isRecord(session)) throw new TypeError("it must return `session` and `user`, or null");
  const found = parseUser(readRecord(user));
  return { session: parseSession(readRecord(session)), user: isRecord(found) && isId(found.id) ? found : null };
}

function withTime(record: unknown, member: string, parse: (value: unknown, member: string) => unknown): unknown {
  if (!isRecord(record)) return record;
  const parsed = parse(record[member], member);
  return parsed === record[member] ? record : { ...toPlain(record), [member]: parsed };
}

function requireTime(value: unknown, member: string): Date {
  const time = parseTime(value);
  if (time === null)
    throw new TypeError(`\`${member}\` is not a valid time: return a Date, an epoch number or ISO 8601 text`);
  return value instanceof Date ? value : time;
}

/** A flag column contains 0 and 1, which are not times. */
function parseOptional(value: unknown, member: string): Date | null | undefined {
  if (value === null || value === undefined) return value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (isNumber && Math.abs(Number(value)) < 86_400) return requireTime(Number.NaN, member);
  return requireTime(value, member);
}

/** A time that is only shown: the column may be the application's own, and must not keep anyone out. */
function parseShown(value: unknown): unknown {
  return value === undefined || value instanceof Date ? value : parseTime(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

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
