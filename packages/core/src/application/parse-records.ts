import type { AdapterMethod } from "../model/adapter.ts";
import { parseTime } from "./parse-time.ts";

/**
 * Results of a database are parsed, not cast: their times become `Date`s before anything compares them. Records whose times
 * are `Date`s already are returned unchanged.
 */

type Parse = (value: unknown) => unknown;

/** The methods whose results contain times that decisions depend on. */
const PARSERS: Partial<Record<AdapterMethod, Parse>> = {
  createUser: parseUser,
  createUserWithAccount: parseUser,
  updateUser: parseUser,
  getUser: parseUser,
  getUserByEmail: parseUser,
  getUserByAccount: parseUser,
  getSessionAndUser: parseSessionAndUser,
  useVerificationToken: (value) => withTime(value, "expires", requireTime),
  getSessionInfo: parseInfo,
  updateSessionInfo: parseInfo,
  listSessionInfosByUserId: (value) => (Array.isArray(value) ? value.map(parseInfo) : value),
  listSessionsByUserId: (value) => (Array.isArray(value) ? value.map(parseSession) : value),
};

/**
 * The result of an adapter method with its times parsed.
 *
 * @throws TypeError naming the member with an invalid time; never its value.
 */
export function parseRecords(method: AdapterMethod, result: unknown): unknown {
  return PARSERS[method]?.(result) ?? result;
}

function parseUser(value: unknown): unknown {
  return withTime(value, "emailVerified", parseProven);
}

function parseSession(value: unknown): unknown {
  return withTime(value, "expires", requireTime);
}

function parseInfo(value: unknown): unknown {
  return ["createdAt", "seenAt", "expires"].reduce((info, member) => withTime(info, member, requireTime), value);
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
function parseProven(value: unknown, member: string): Date | null | undefined {
  if (value === null || value === undefined) return value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (isNumber && Math.abs(Number(value)) < 86_400) return requireTime(Number.NaN, member);
  return requireTime(value, member);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
