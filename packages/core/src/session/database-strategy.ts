import { sha256 } from "../crypto/primitives.ts";
import type { AdapterSession, AdapterUser } from "../model/adapter.ts";
import { AuthError, CallbackRouteError, SessionTokenError, SessionUnavailable } from "../model/errors.ts";
import type { Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isId, isSameId } from "../protocol/same-id.ts";
import { decideSessionAge } from "../protocol/session-expiry.ts";
import { callAdapter } from "./call-adapter.ts";
import { exposeSession } from "./expose-session.ts";
import {
  clearInvalidSession,
  clearSessionCookies,
  receivedSessionToken,
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

/** Sessions in the database; the cookie holds only their token. Reading one is one query when nothing is due. */
export const databaseStrategy: SessionStrategy = { read, identify, issue, update, revoke };

/** Tokens are 64 characters; a cookie that holds much more is not one of them and is not worth a query. */
const MAX_TOKEN_LENGTH = 1024;

interface StoredSession {
  readonly token: string;
  readonly record: AdapterSession;
  readonly user: AdapterUser;
}

/**
 * 1. No cookie, no record, or a record without a user: no session, the cookie is cleared.
 * 2. An expired record is no session, whatever the adapter returns; it is deleted.
 * 3. A record of another token or user than asked for is an error, and no session (safety R46).
 * 4. When `updateAge` has passed, the record's expiry and the cookie's are moved; if that fails, the session is served as it was.
 * 5. `callbacks.session` makes what the client sees.
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

async function issue(context: SessionContext, { user }: SignedIn): Promise<void> {
  const { config } = context;
  if (user.id === undefined) throw new CallbackRouteError("A database session needs a user with an `id`.");
  const former = receivedSessionToken(context);
  const sessionToken = makeToken(context);
  const expires = new Date((context.now() + config.session.maxAge) * 1000);
  await callAdapter(config, "createSession", { sessionToken, userId: user.id, expires });
  writeSessionCookies(context, sessionToken, config.session.maxAge);
  if (former !== null && former.length <= MAX_TOKEN_LENGTH) await deleteQuietly(context, former);
}

/** What `session.generateSessionToken` makes must be found again when it comes back. */
function makeToken({ config }: SessionContext): string {
  const token: unknown = config.session.generateSessionToken();
  if (typeof token === "string" && token !== "" && token.length <= MAX_TOKEN_LENGTH) return token;
  throw new SessionTokenError(
    `\`session.generateSessionToken\` must return a string of 1 to ${MAX_TOKEN_LENGTH} characters, ever another one.`,
  );
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

async function revoke(context: SessionContext): Promise<{ ended: EndedSession; error?: Error }> {
  const token = receivedSessionToken(context);
  clearSessionCookies(context);
  if (token === null || token.length > MAX_TOKEN_LENGTH) return { ended: { session: null } };
  try {
    const session = await callAdapter(context.config, "deleteSession", token);
    return { ended: { session: session ?? null } };
  } catch (error) {
    return { ended: { session: null }, error: toError(error) };
  }
}

/** The record and user of the request's session token, as far as they count. */
async function findSession(context: SessionContext, mode: ReadMode): Promise<StoredSession | null> {
  const token = receivedSessionToken(context);
  if (token === null) return none(context, mode);
  const found = token.length > MAX_TOKEN_LENGTH ? null : await callAdapter(context.config, "getSessionAndUser", token);
  if (found === null || found === undefined) return none(context, mode);
  const { session: record, user } = parseFound(found);
  const isForeign = record.sessionToken !== token || (user !== null && !isSameId(user.id, record.userId));
  if (isForeign) {
    context.logger.error(new SessionTokenError("The adapter returned a session that was not asked for."));
    return null;
  }
  const age = decideSessionAge({
    now: context.now(),
    issuedAt: 0,
    expires: epochSeconds(record.expires),
    updateAge: Number.POSITIVE_INFINITY,
  });
  if (user !== null && age !== "expired") return { token, record, user };
  if (mode !== "look") await deleteQuietly(context, token);
  return none(context, mode);
}

function none(context: SessionContext, mode: ReadMode): null {
  clearInvalidSession(context, mode, false);
  return null;
}

/**
 * Moves the expiry when that is due.
 *
 * @returns when the session expires now; null when it was ended while we looked.
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
    // No row may mean that there is none any more, or that the adapter returns none: some written for Auth.js never do.
    if ((updated ?? null) === null && (await findSession(context, "settle")) === null) return null;
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

/** The user may be gone while the record stayed; adapters differ in what they return then (safety H244). */
function parseFound(found: unknown): { session: AdapterSession; user: AdapterUser | null } {
  const { session, user } = found as { session: AdapterSession; user?: Partial<AdapterUser> | null };
  return { session, user: isId(user?.id) ? (user as AdapterUser) : null };
}

function epochSeconds(date: Date): EpochSeconds {
  return Math.floor(new Date(date).getTime() / 1000);
}

function unavailable(error: unknown): SessionUnavailable {
  const err = error instanceof AuthError ? error : toError(error);
  return new SessionUnavailable("The session could not be read. Its cookie is left as it is; try again.", {
    cause: { err },
  });
}
