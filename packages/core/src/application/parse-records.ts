import type { AdapterMethod, AdapterResult } from "../model/adapter.ts";
import { parseTime } from "./parse-time.ts";

/**
 * Results of a database are parsed, not cast: their times become `Date`s before anything compares them. Records whose times
 * are `Date`s already are returned unchanged.
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

/** The methods whose results contain times. One that is missing does not compile. */
const PARSERS: Partial<Record<AdapterMethod, Parse>> = {
  createUser: parseUser,
  createUserWithAccount: parseUser,
  updateUser: parseUser,
  getUser: parseUser,
  getUserByEmail: parseUser,
  getUserByAccount: parseUser,
  getSessionAndUser: parseSessionAndUser,
  useVerificationToken: parseSession,
  getSessionInfo: parseInfo,
  updateSessionInfo: parseInfo,
  listSessionInfosByUserId: (value) => parseEach(value, parseInfo),
  listSessionsByUserId: (value) => parseEach(value, parseSession),
  createCredential: parseCredential,
  listCredentialsByUserId: (value) => parseEach(value, parseCredential),
  updateCredential: parseCredential,
} satisfies Record<Exclude<MethodWithTimes, Unread>, Parse>;

/**
 * The result of an adapter method with its times parsed.
 *
 * @throws TypeError naming the member with an invalid time; never its value.
 */
export function parseRecords(method: AdapterMethod, result: unknown): unknown {
  return PARSERS[method]?.(result) ?? result;
}

function parseEach(value: unknown, parse: Parse): unknown {
  return Array.isArray(value) ? value.map(parse) : value;
}

function parseUser(value: unknown): unknown {
  return withTime(value, "emailVerified", parseOptional);
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

function parseSessionAndUser(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const session = parseSession(value.session);
  const user = parseUser(value.user);
  return session === value.session && user === value.user ? value : { ...value, session, user };
}

function withTime(record: unknown, member: string, parse: (value: unknown, member: string) => unknown): unknown {
  if (!isRecord(record)) return record;
  const parsed = parse(record[member], member);
  return parsed === record[member] ? record : { ...record, [member]: parsed };
}

function requireTime(value: unknown, member: string): Date {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
  const time = parseTime(value);
  if (time === null)
    throw new TypeError(`\`${member}\` is not a valid time: return a Date, an epoch number or ISO 8601 text`);
  return time;
}

/** A flag column contains 0 and 1, which are not times. */
function parseOptional(value: unknown, member: string): Date | null | undefined {
  if (value === null || value === undefined) return value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (isNumber && Math.abs(Number(value)) < 86_400) return requireTime(Number.NaN, member);
  return requireTime(value, member);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
