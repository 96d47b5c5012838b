import { sha256 } from "../crypto/primitives.ts";
import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { SessionTokenError } from "../model/errors.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isSameId } from "../protocol/same-id.ts";
import { HASH_MARK, nameToken, readSessionName } from "../protocol/session-token.ts";
import { isOver } from "../session/check-found.ts";
import { clearEndedSession, type ReceivedToken, receivedSessionTokens } from "../session/session-cookie.ts";
import type { ReadMode } from "../session/strategy.ts";
import { callAdapter, tryAdapter } from "./call-adapter.ts";

/** Session tokens of the strategy `database`, and their records. */

/** Tokens have 64 characters. A much longer cookie is not a token and does not need a query. */
const MAX_SESSION_TOKEN_LENGTH = 1024;

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
  // The user is null, whatever the type says, if they were deleted.
  const { session: record, user }: { readonly session: AdapterSession; readonly user: AdapterUser | null } = found;
  if (record.sessionToken !== key || (user !== null && !isSameId(user.id, record.userId))) {
    const error = new SessionTokenError(
      'The adapter returned another session or user than requested: it hashes or changes tokens or ids, or a cache mixes them up. It must return the token that it was given; to store hashes, use `sessions({ atRest: "hashed" })`.',
    );
    context.logger.error(error);
    return "foreign";
  }
  const isExpired = context.now() >= exactSeconds(record.expires) || isOver(context, readSessionName(token)?.at);
  if (user !== null && !isExpired) return { token, key, received, record, user };
  if (mode !== "look") await tryAdapter(context, "deleteSession", key);
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

/** Keeps the fractional seconds of a record written by another library, so that both agree. */
export function exactSeconds(date: Date): EpochSeconds {
  return date.getTime() / 1000;
}
