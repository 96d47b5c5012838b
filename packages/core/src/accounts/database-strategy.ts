import { guardOf } from "../context/create-context.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { AdapterSession } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { Session } from "../model/records.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import type { EpochSeconds } from "../model/units.ts";
import { readSessionName } from "../protocol/session-token.ts";
import { checkFound, isRenewalDue, lifeFrom, unavailableSession } from "../session/check-found.ts";
import { exposeSession } from "../session/expose-session.ts";
import { inBrowser, rememberReplaced } from "../session/replaced-token.ts";
import { formerOf, withEverySession } from "../session/request-sessions.ts";
import { clearEndedSession, endInBrowser, prepareSessionCookies, withSessionMark } from "../session/session-cookie.ts";
import type {
  Admitted,
  ReadMode,
  RevokedSession,
  SessionRead,
  SessionStrategy,
  SignedIn,
} from "../session/strategy.ts";
import { callAdapter, tryAdapter } from "./call-adapter.ts";
import {
  createToken,
  exactSeconds,
  type FoundRecord,
  findSessionRecord,
  keysOf,
  receivedTokens,
  recordOf,
} from "./session-record.ts";

/** Sessions in the database; the cookie holds only their token. Reading one is one query when nothing is due. */
export const databaseStrategy: SessionStrategy = withEverySession(
  withSessionMark({
    ...{ read, find, sessionId },
    ...{ issue, update, rotate, revoke },
  }),
);

/**
 * 1. No cookie, or no record: no session. The token may be that of another application on this host, so its cookie is kept.
 * 2. A record that has expired or has no user is not a session, whatever the adapter returns; it is deleted, and the cookie cleared.
 * 3. A record with a different token or user than requested is an error, and not a session.
 * 4. After `updateAge`, the expiry of record and cookie is extended; if that fails, the session is returned unchanged.
 * 5. `callbacks.session` determines what the client sees.
 */
async function read(context: FlowContext, mode: ReadMode): Promise<SessionRead> {
  try {
    const stored = await findSessionRecord(context, mode);
    if (stored === null) return { kind: "none" };
    const rejected = await checkFound(context, foundIn(stored));
    if (rejected !== null) return await endRecord(context, mode, stored, rejected);
    const ends = exactSeconds(stored.record.expires);
    const isDue = mode !== "look" && isRenewalDue(context, ends - context.config.session.maxAge);
    const expires = isDue ? await touch(context, stored, "read") : ends;
    if (expires === null) return { kind: "none" };
    const session = await exposeSession(context, { user: stored.user }, expires);
    if (session === null) return { kind: "none" };
    await context.emit("session", { session });
    return { kind: "session", session, userId: stored.user.id };
  } catch (error) {
    throw unavailableSession(error);
  }
}

async function find(context: FlowContext): Promise<FoundSession | null> {
  const stored = await findSessionRecord(context, "look");
  return stored === null ? null : foundIn(stored);
}

/** The session data passed to extensions. */
function foundIn({ token, user }: Pick<FoundRecord, "token" | "user">): FoundSession {
  return { kind: "record", userId: user.id, token };
}

/** Deletes the record of a session that an extension ended, if the response can clear its cookie. */
async function endRecord(
  context: FlowContext,
  mode: ReadMode,
  { key, received }: FoundRecord,
  end: SessionRead,
): Promise<SessionRead> {
  if (mode === "look" || end.kind !== "none") return end;
  if (end.isReplaced !== true) clearEndedSession(context, mode, received);
  await tryAdapter(context, "deleteSession", key);
  return end;
}

/** The remaining lifetime and expiry of a session. */
function lifeOf(context: FlowContext, facts: Pick<SessionFacts, "at"> | null | undefined) {
  const life = lifeFrom(context, facts?.at, context.config.session.maxAge);
  return { life, expires: context.now() + life };
}

/** The only token identifies the session, even without its record: no query is made. Of several, the one that {@link find} uses. */
async function sessionId(context: FlowContext): Promise<string> {
  const [first, ...others] = receivedTokens(context);
  if (first === undefined) return "";
  const found = others.length === 0 ? null : await findSessionRecord(context, "look").catch(rejectUnavailable);
  return idOf((found ?? first).token);
}

function rejectUnavailable(error: unknown): never {
  throw unavailableSession(error);
}

function idOf(token: string): Promise<string> {
  return sha256(`session id ${token}`);
}

async function issue(context: FlowContext, signedIn: Admitted<SignedIn>): Promise<string> {
  const { config } = context;
  const { user, facts, identity, changes } = signedIn;
  if (user.id === undefined) throw new CallbackRouteError("A database session requires a user with an `id`.");
  const token = createToken(context, facts);
  const { life, expires } = lifeOf(context, facts);
  const record = await recordOf(context, token, user.id, expires);
  const former = formerOf(context, [], signedIn);
  await callAdapter(config, "createSession", record);
  changes.undo.push({ of: "record", run: () => callAdapter(config, "deleteSession", record.sessionToken) });
  if (facts !== undefined) {
    const found: FoundSession = { kind: "record", userId: user.id, token };
    const { account } = identity;
    await guardOf(config)?.stored(context, found, { cause: "signin", expires, account, facts });
  }
  prepareSessionCookies(context, token, life)(former);
  for (const { token: former } of receivedTokens(context))
    for (const key of await keysOf(context, former)) await tryAdapter(context, "deleteSession", key);
  return idOf(token);
}

async function update(context: FlowContext, data: unknown): Promise<Session | null> {
  try {
    const stored = await findSessionRecord(context, "renew");
    if (stored === null) return null;
    const refused = await checkFound(context, foundIn(stored));
    if (refused !== null) {
      await endRecord(context, "renew", stored, refused);
      return null;
    }
    const expires = await touch(context, stored, "renewal");
    if (expires === null) return null;
    const session = await exposeSession(context, { user: stored.user }, expires, { data });
    if (session !== null) await context.emit("session", { session });
    return session;
  } catch (error) {
    throw unavailableSession(error);
  }
}

/**
 * The new record is created before the previous one is deleted, so that a failure in between does not sign the user
 * out.
 */
async function rotate(
  context: FlowContext,
  expected: FoundSession,
  change: (facts: unknown) => SessionFacts,
): Promise<boolean> {
  const stored = await findSessionRecord(context, "look");
  if (stored === null || expected.kind !== "record" || stored.token !== expected.token) return false;
  const { user, key, token: former } = stored;
  const facts = change(readSessionName(former) ?? undefined);
  const token = createToken(context, facts);
  const { life, expires } = lifeOf(context, facts);
  const record = await recordOf(context, token, user.id, expires);
  await callAdapter(context.config, "createSession", record);
  await rememberReplaced(context, expected);
  try {
    const cause = { cause: "rotation", expires, account: undefined, replaces: undefined, facts } as const;
    await guardOf(context.config)?.stored(context, foundIn({ token, user }), cause);
    if (!(await replace(context, key, record))) return false;
  } catch (error) {
    await tryAdapter(context, "deleteSession", record.sessionToken);
    throw error;
  }
  const browser = inBrowser(context, [stored.received], []);
  prepareSessionCookies(context, token, life)({ of: browser, cause: "rotation" });
  return !browser.hasEnded();
}

/**
 * Deletes the previous record. If a sign-out was faster, the session has ended and the new record is also deleted. Some
 * adapters do not report whether a record existed; they are detected by how they delete the new record, and queried
 * first.
 *
 * @returns Whether the previous record existed.
 */
async function replace({ config }: FlowContext, former: string, record: AdapterSession): Promise<boolean> {
  const isThere = (await callAdapter(config, "getSessionAndUser", former)) !== null;
  if (isThere && (await callAdapter(config, "deleteSession", former)) !== null) return true;
  const isTelling = (await callAdapter(config, "deleteSession", record.sessionToken)) !== null;
  if (!isThere || isTelling) return false;
  await callAdapter(config, "createSession", record);
  return true;
}

/**
 * 1. The session is looked up first, because some adapters do not report whether a deleted record existed.
 * 2. Every record of every token of the request is deleted, even if the lookup or one of the others failed.
 */
async function revoke(context: FlowContext): Promise<{ ended: RevokedSession | null; error?: Error }> {
  const tokens = receivedTokens(context);
  endInBrowser(context, []);
  const stored = await findSessionRecord(context, "look").catch(() => undefined);
  const keys = (await Promise.all(tokens.map(({ token }) => keysOf(context, token)))).flat();
  const deleted = await Promise.allSettled(keys.map((key) => callAdapter(context.config, "deleteSession", key)));
  const failed = deleted.find((one) => one.status === "rejected");
  if (failed !== undefined) return { ended: null, error: toError(failed.reason) };
  if (stored !== undefined) return { ended: stored && { session: stored.record } };
  const isDeleted = deleted.some((one) => one.status === "fulfilled" && one.value !== null);
  return { ended: isDeleted ? { session: null } : null };
}

/**
 * Extends the expiry.
 *
 * @returns The new expiry; null if the session was ended concurrently.
 */
async function touch(
  context: FlowContext,
  stored: FoundRecord,
  cause: "renewal" | "read",
): Promise<EpochSeconds | null> {
  const expires = exactSeconds(stored.record.expires);
  const name = readSessionName(stored.token);
  // A session that predates the absolute limit has no start time: it is not renewed.
  if (context.config.session.absolute !== undefined && name === null) return expires;
  const { life, expires: renewed } = lifeOf(context, name);
  try {
    const change = { sessionToken: stored.key, expires: new Date(renewed * 1000) };
    const updated = await callAdapter(context.config, "updateSession", change);
    // A missing record may mean that it was deleted, or that the adapter never returns one, as some Auth.js adapters.
    if (updated === null && (await findSessionRecord(context, "renew")) === null) return null;
    const found = foundIn(stored);
    prepareSessionCookies(context, stored.token, life)({ of: inBrowser(context, [stored.received], []), cause });
    await guardOf(context.config)?.stored(context, found, { cause: "renewal", expires: renewed, account: undefined });
    return renewed;
  } catch (error) {
    context.logger.error(toError(error));
    return expires;
  }
}
