import type { SessionFacts } from "../model/session-facts.ts";

/**
 * Tokens of database sessions. If the application uses extensions, a token ends with the name of its session: public id, time of
 * sign-in and the user's epoch. The database looks up the whole token, so the name cannot be forged, and reading it takes no
 * additional query and no column that tables made for Auth.js lack. With the default token it has 96 characters, below the 191 that
 * MySQL indexes in tables made by Prisma. A signed second part of the cookie would hide the row from other programs that look the
 * cookie up in the table. Facts that change or are long, such as proofs, are in the record `SessionInfo`.
 */

/** The facts about a session that its token contains. */
type SessionName = Pick<SessionFacts, "sid" | "at" | "e">;

/** Whether a text can be the id of a session, in a token too. */
export function isSessionId(text: string): boolean {
  return /^[\w-]{16,64}$/.test(text);
}

/** Marks a stored token as a hash. A token from a browser that starts like this is rejected. */
export const HASH_MARK = "h1:";

const NAMED = /(?:~c((?:\.[a-z][a-z0-9-]{0,63})+))?~([\w-]{16,64})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/;

/**
 * Adds the session's name to a token, and before it the checks that it is issued under. Inverse of {@link readSessionName}
 * and {@link readTokenChecks}.
 */
export function nameToken(token: string, { sid, at, e }: SessionName, checks: readonly string[] = []): string {
  const named = checks.length === 0 ? token : `${token}~c.${checks.join(".")}`;
  return `${named}~${sid}.${at.toString(36)}.${e.toString(36)}`;
}

/** Reads the session's name from a token; null if the session was issued before extensions were used. Never throws. */
export function readSessionName(token: string): SessionName | null {
  const [, , sid = "", at = "", e = ""] = NAMED.exec(token) ?? [];
  if (sid === "") return null;
  const name = { sid, at: Number.parseInt(at, 36), e: Number.parseInt(e, 36) };
  return Number.isSafeInteger(name.at) && Number.isSafeInteger(name.e) ? name : null;
}

/** The checks that a session was issued under: ids of extensions. Never throws. */
export function readTokenChecks(token: string): readonly string[] {
  return token.includes("~c.") ? (NAMED.exec(token)?.[1]?.slice(1).split(".") ?? []) : [];
}

/** Five base64url parts (RFC 7516 §7.1); with a direct key the second is empty. */
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;

/**
 * Whether a session token has the form of an encrypted one, unlike those of the database strategy. Does not check its
 * content.
 */
export function hasSealedForm(token: string): boolean {
  return COMPACT_JWE.test(token);
}
