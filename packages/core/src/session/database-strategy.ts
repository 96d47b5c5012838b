import { callAdapter } from "../application/call-adapter.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import {
  AccessDenied,
  AuthError,
  CallbackRouteError,
  SessionTokenError,
  SessionUnavailable,
  Verification,
} from "../model/errors.ts";
import type { Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isId, isSameId } from "../protocol/same-id.ts";
import { decideSessionAge } from "../protocol/session-expiry.ts";
import { exposeSession } from "./expose-session.ts";
import {
  clearInvalidSession,
  clearSessionCookies,
  receivedSessionTokens,
  writeSessionCookies,
} from "./session-cookie.ts";
import type {
  EndedSession,
  ReadMode,
  SessionContext,
  SessionIdentity,
  SessionRead,
  SessionStrategy,
  SignedIn,
} from "./strategy.ts";
import { wayInRemains } from "./unproven-address.ts";

/** Database sessions; the cookie contains only their token. Reading one takes one query if no renewal is due. */
export const databaseStrategy: SessionStrategy = { read, identify, sessionId, issue, update, revoke };

/** Tokens have 64 characters; a much longer cookie is not one of them and not worth a query. */
const MAX_TOKEN_LENGTH = 1024;

interface StoredSession {
  readonly token: string;
  readonly record: AdapterSession;
  readonly user: AdapterUser;
}

/**
 * 1. No cookie, no record, or a record without a user: no session, the cookie is cleared.
 * 2. An expired record is not a session, whatever the adapter returns; it is deleted.
 * 3. A record with a different token or user than requested is an error, and not a session.
 * 4. After `updateAge`, the expiry of record and cookie is extended; if that fails, the session is returned unchanged.
 * 5. `callbacks.session` determines what the client sees.
 */
async function read(context: SessionContext, mode: ReadMode): Promise<SessionRead> {
  try {
    const stored = await findSession(context, mode);
    if (stored === null) return { kind: "none" };
    const expires = mode !== "look" ? await touch(context, stored) : epochSeconds(stored.record.expires);
    if (expires === null) return { kind: "none" };
    const session = await exposeSession(context, { user: stored.user }, expires);
    if (session === null) return { kind: "none" };
    await context.emit("session", { session });
    return { kind: "session", session, userId: stored.user.id };
  } catch (error) {
    throw unavailable(error);
  }
}

async function identify(context: SessionContext): Promise<SessionIdentity | null> {
  const stored = await findSession(context, "look");
  return stored === null ? null : { userId: stored.user.id, fingerprint: await sha256(`session ${stored.token}`) };
}

/** The token identifies the session, even if its record no longer exists: no query is made. */
async function sessionId(context: SessionContext): Promise<string> {
  const [token] = receivedTokens(context);
  return token === undefined ? "" : idOf(token);
}

function idOf(token: string): Promise<string> {
  return sha256(`session id ${token}`);
}

async function issue(context: SessionContext, signedIn: SignedIn): Promise<string> {
  const { config } = context;
  const { user } = signedIn;
  if (user.id === undefined) throw new CallbackRouteError("A database session needs a user with an `id`.");
  const sessionToken = createToken(context);
  const expires = new Date((context.now() + config.session.maxAge) * 1000);
  await callAdapter(config, "createSession", { sessionToken, userId: user.id, expires });
  await requireWayIn(context, signedIn, sessionToken);
  writeSessionCookies(context, sessionToken, config.session.maxAge);
  for (const former of receivedTokens(context)) await deleteQuietly(context, former);
  return idOf(sessionToken);
}

/** If this is unknown, the session is removed as well. */
async function requireWayIn(context: SessionContext, signedIn: SignedIn, sessionToken: string): Promise<void> {
  const remains = await wayInRemains(context, signedIn).catch((error: unknown) => toError(error));
  if (remains === true) return;
  await callAdapter(context.config, "deleteSession", sessionToken);
  if (remains !== false) throw remains;
  // Not a refusal: the link stays usable.
  if (signedIn.account.type === "email")
    throw new Verification("The user changed during the sign-in. Open the link again.");
  throw new AccessDenied("The account or passkey was removed from the user during the sign-in. Sign in again.");
}

/** The result of `session.generateSessionToken` must survive storage and a round trip through a cookie. */
function createToken({ config }: SessionContext): string {
  const token: unknown = config.session.generateSessionToken();
  if (typeof token === "string" && isToken(token)) return token;
  throw new SessionTokenError(
    `\`session.generateSessionToken\` must return a different string of 1 to ${MAX_TOKEN_LENGTH} printable ASCII characters on every call.`,
  );
}

/** Databases reject some characters (PostgreSQL: NUL) and fold others; our own tokens contain none of them. */
function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && /^[\x20-\x7e]+$/.test(text);
}

/** The tokens of the request that are worth a query. */
function receivedTokens(context: SessionContext): readonly string[] {
  return receivedSessionTokens(context).filter(isToken);
}

async function update(context: SessionContext, data: unknown): Promise<Session | null> {
  try {
    const stored = await findSession(context, "settle");
    if (stored === null) return null;
    const expires = await touch(context, stored, "always");
    return expires === null ? null : await exposeSession(context, { user: stored.user }, expires, { data });
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * 1. The session is looked up first: adapters that delete without returning the record do not tell whether there was one.
 * 2. Every token of the request is deleted, even if that look-up failed.
 */
async function revoke(context: SessionContext): Promise<{ ended: EndedSession | null; error?: Error }> {
  const tokens = receivedTokens(context);
  clearSessionCookies(context);
  try {
    const stored = await findSession(context, "look").catch(() => undefined);
    const deleted: unknown[] = [];
    for (const token of tokens) deleted.push(await callAdapter(context.config, "deleteSession", token));
    if (stored !== undefined) return { ended: stored && { session: stored.record } };
    return { ended: deleted.some((one) => one !== null) ? { session: null } : null };
  } catch (error) {
    return { ended: null, error: toError(error) };
  }
}

/** The record and user of the request's session token, if valid. Of several tokens, the first with a session. */
async function findSession(context: SessionContext, mode: ReadMode): Promise<StoredSession | null> {
  for (const token of receivedTokens(context)) {
    const stored = await findByToken(context, token, mode);
    if (stored === "foreign") return null;
    if (stored !== null) return stored;
  }
  clearInvalidSession(context, mode, false);
  return null;
}

async function findByToken(
  context: SessionContext,
  token: string,
  mode: ReadMode,
): Promise<StoredSession | "foreign" | null> {
  const found = await callAdapter(context.config, "getSessionAndUser", token);
  if (found === null) return null;
  const { session: record, user } = readFound(found);
  const isForeign = record.sessionToken !== token || (user !== null && !isSameId(user.id, record.userId));
  if (isForeign) {
    context.logger.error(new SessionTokenError("The adapter returned a session with a different token."));
    return "foreign";
  }
  const age = decideSessionAge({
    now: context.now(),
    issuedAt: 0,
    expires: epochSeconds(record.expires),
    updateAge: Number.POSITIVE_INFINITY,
  });
  if (user !== null && age !== "expired") return { token, record, user };
  if (mode !== "look") await deleteQuietly(context, token);
  return null;
}

/**
 * Extends the expiry if that is due.
 *
 * @returns when the session expires now; null if it was ended at the same time.
 */
async function touch(
  context: SessionContext,
  stored: StoredSession,
  when: "due" | "always" = "due",
): Promise<EpochSeconds | null> {
  const { maxAge, updateAge } = context.config.session;
  const expires = epochSeconds(stored.record.expires);
  const now = context.now();
  const age = decideSessionAge({ now, issuedAt: expires - maxAge, expires, updateAge });
  if (age === "fresh" && when === "due") return expires;
  const renewed = now + maxAge;
  try {
    const change = { sessionToken: stored.token, expires: new Date(renewed * 1000) };
    const updated = await callAdapter(context.config, "updateSession", change);
    // A missing record may mean that it was deleted, or that the adapter returns none: some written for Auth.js never do.
    if (updated === null && (await findSession(context, "settle")) === null) return null;
    writeSessionCookies(context, stored.token, maxAge);
    return renewed;
  } catch (error) {
    context.logger.error(toError(error));
    return expires;
  }
}

async function deleteQuietly(context: SessionContext, token: string): Promise<void> {
  try {
    await callAdapter(context.config, "deleteSession", token);
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/** The user may be deleted while the record still exists; adapters differ in what they return then. */
function readFound(found: unknown): { session: AdapterSession; user: AdapterUser | null } {
  const { session, user } = found as { session: AdapterSession; user?: Partial<AdapterUser> | null };
  return { session, user: isId(user?.id) ? (user as AdapterUser) : null };
}

function epochSeconds(date: Date): EpochSeconds {
  return Math.floor(date.getTime() / 1000);
}

function unavailable(error: unknown): SessionUnavailable {
  const err = error instanceof AuthError ? error : toError(error);
  return new SessionUnavailable("The session could not be read. The cookie was kept; retry later.", {
    cause: { err },
  });
}
