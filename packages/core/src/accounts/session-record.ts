import { sha256 } from "../crypto/primitives.ts";
import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { SessionTokenError } from "../model/errors.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isId, isSameId } from "../protocol/same-id.ts";
import { HASH_MARK, nameToken, readSessionName } from "../protocol/session-token.ts";
import { isOver } from "../session/check-found.ts";
import { clearEndedSession, type ReceivedToken, receivedSessionTokens } from "../session/session-cookie.ts";
import type { ReadMode } from "../session/strategy.ts";
import { callAdapter } from "./call-adapter.ts";

/** Session tokens of the strategy `database`, and their records. */

/** Tokens have 64 characters. A much longer cookie is not a token and does not need a query. */
const MAX_SESSION_TOKEN_LENGTH = 1024;

const OTHER_TOKEN =
  'The adapter returned a session with a token other than the requested one. It hashes tokens, compares them inexactly, or has a cache that mixes up sessions. It must return the requested token; to store hashes, use `sessions({ atRest: "hashed" })` of @cardea/sessions.';

const OTHER_USER =
  "The adapter returned a session with another user. `userId` of the session must be the `id` of the user, as text or a number.";

/** A session in the database. */
export interface FoundRecord {
  readonly token: string;
  /** The key of the record: the token or its hash. */
  readonly key: string;
  /** The cookies that contained the token. */
  readonly received: ReceivedToken;
  readonly record: AdapterSession;
  readonly user: AdapterUser;
}

/** The record and user of the request's session token, if valid. Of several tokens, the first with a session. */
export async function findSessionRecord(context: FlowContext, mode: ReadMode): Promise<FoundRecord | null> {
  const ended: ReceivedToken[] = [];
  for (const received of receivedTokens(context)) {
    for (const key of await keysOf(context, received.token)) {
      const stored = await findByKey(context, key, received, mode);
      if (stored === "foreign") return null;
      if (stored === "ended") ended.push(received);
      else if (stored !== null) return stored;
    }
  }
  for (const received of ended) clearEndedSession(context, mode, received);
  return null;
}

async function findByKey(
  context: FlowContext,
  key: string,
  received: ReceivedToken,
  mode: ReadMode,
): Promise<FoundRecord | "foreign" | "ended" | null> {
  const { token } = received;
  const found = await callAdapter(context.config, "getSessionAndUser", key);
  if (found === null) return null;
  const { session: record, user } = readFound(found);
  const isOther = record.sessionToken !== key;
  if (isOther || (user !== null && !isSameId(user.id, record.userId))) {
    context.logger.error(new SessionTokenError(isOther ? OTHER_TOKEN : OTHER_USER));
    return "foreign";
  }
  const isExpired = context.now() >= exactSeconds(record.expires) || isOver(context, readSessionName(token)?.at);
  if (user !== null && !isExpired) return { token, key, received, record, user };
  if (mode !== "look") await deleteRecord(context, key);
  return "ended";
}

/**
 * Creates a token. A token from `session.generateSessionToken` must be accepted when it is received later.
 *
 * @param facts Facts contained in the token; absent if not needed.
 * @throws SessionTokenError.
 */
export function createToken({ config }: FlowContext, facts?: SessionFacts): string {
  const token: unknown = config.session.generateSessionToken();
  if (typeof token === "string" && isSessionToken(token)) {
    return facts === undefined ? token : nameToken(token, facts, config.extensions?.checks);
  }
  throw new SessionTokenError(
    `\`session.generateSessionToken\` must return a different string of 1 to ${MAX_SESSION_TOKEN_LENGTH} printable ASCII characters on every call.`,
  );
}

/** Databases reject some characters (PostgreSQL: NUL) and fold others. Our tokens contain none of these. */
function isSessionToken(text: string): boolean {
  return text.length <= MAX_SESSION_TOKEN_LENGTH && /^[\x20-\x7e]+$/.test(text);
}

/**
 * The tokens of the request to look up. A stored hash is not accepted as a token, so that read access to the database
 * does not allow signing in. Another library's cookie also contains such a token.
 */
export function receivedTokens(context: FlowContext): readonly ReceivedToken[] {
  return receivedSessionTokens(context).filter(({ token }) => isSessionToken(token) && !token.startsWith(HASH_MARK));
}

/**
 * The keys of a token's record: the token or, if tokens are stored as hashes, its hash. Older records are found by the
 * token until they expire.
 */
export async function keysOf({ config }: FlowContext, token: string): Promise<readonly string[]> {
  return config.extensions?.hashesTokens === true ? [`${HASH_MARK}${await sha256(token)}`, token] : [token];
}

/** The record of a new session. */
export async function recordOf(
  context: FlowContext,
  token: string,
  userId: string,
  expires: EpochSeconds,
): Promise<AdapterSession> {
  const [sessionToken = token] = await keysOf(context, token);
  return { sessionToken, userId, expires: new Date(expires * 1000) };
}

/** Deletes a record; a failure is logged. */
export async function deleteRecord(context: FlowContext, key: string): Promise<void> {
  try {
    await callAdapter(context.config, "deleteSession", key);
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/** The user may have been deleted while the record remained; adapters then return different results. */
function readFound(found: unknown): { session: AdapterSession; user: AdapterUser | null } {
  const { session, user } = found as { session: AdapterSession; user?: Partial<AdapterUser> | null };
  return { session, user: isId(user?.id) ? (user as AdapterUser) : null };
}

/** Keeps the fractional seconds of a record written by another library, so that both agree. */
export function exactSeconds(date: Date): EpochSeconds {
  return date.getTime() / 1000;
}
