import type { SessionFacts } from "../model/session-facts.ts";

/**
 * Tokens of database sessions. Where an application uses extensions, a token ends in what identifies its session: public id, time of
 * the sign-in and the user's epoch. The record in the database is found by the whole token, so that no one can change that part, and
 * reading it takes no further query (decisions/025).
 */

/** What a token says of its session. */
export type SessionName = Pick<SessionFacts, "sid" | "at" | "e">;

/** Marks a stored token as a hash. What comes from a browser and begins like this is refused. */
export const HASH_MARK = "h1:";

const NAMED = /~([\w-]{16,64})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

/** Adds its name to a token. Inverse of {@link readSessionName}. */
export function nameToken(token: string, { sid, at, e }: SessionName): string {
  return `${token}~${sid}.${at.toString(36)}.${e.toString(36)}`;
}

/** Reads the name of a token; null when it has none: the session was issued before there were extensions. Never throws. */
export function readSessionName(token: string): SessionName | null {
  const [, sid = "", at = "", e = ""] = NAMED.exec(token) ?? [];
  if (sid === "") return null;
  const name = { sid, at: Number.parseInt(at, 36), e: Number.parseInt(e, 36) };
  return Number.isSafeInteger(name.at) && Number.isSafeInteger(name.e) ? name : null;
}
