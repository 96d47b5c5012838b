import { hashAtOnce, randomUuid, sha256 } from "../crypto/primitives.ts";
import { AuthError, JWTSessionError, SessionUnavailable } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { SessionVerdict } from "../model/opened-session.ts";
import type { Awaitable, JWT, Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isPromise, whenThere } from "../model/when-there.ts";
import {
  askExtensions,
  checkFound,
  decideSessionAge,
  foundOf,
  lifeFrom,
  type OpenedToken,
  refusalBy,
  startOf,
  tellExtensions,
} from "./check-found.ts";
import { initialClaims, refuseEnded, runJwtCallback } from "./claims.ts";
import { exposeSession } from "./expose-session.ts";
import { openToken } from "./open-token.ts";
import { type Prepared, prepare } from "./prepare-token.ts";
import { clearSessionCookies, emittedFormat } from "./session-cookie.ts";
import type {
  Admitted,
  EndedSession,
  ReadMode,
  SessionContext,
  SessionIdentity,
  SessionRead,
  SessionStrategy,
  SignedIn,
} from "./strategy.ts";
import { changedClaim, hasUnproven, unprovenClaim, withCurrentAddress } from "./unproven-address.ts";

/** Sessions in an encrypted cookie. Nothing is stored, and a read takes one key lookup and one decryption. */
export const jwtStrategy: SessionStrategy = { read, identify, find, sessionId, issue, update, revoke };

/**
 * 1. No cookie, an incomplete set of chunks, or a token that is invalid or has expired: no session; its cookies are
 *    cleared.
 * 2. A session that an extension ended is cleared. If an extension requires a proof first, there is no session for now.
 * 3. A token with an unverified address that its user no longer has is rejected. Callbacks may look up users by that
 *    address, so it is checked before and after them.
 * 4. `callbacks.jwt` sees the claims; null ends the session (docs/callbacks.md).
 * 5. The session is renewed when `updateAge` has passed or the callback changed the claims, and only then (docs/behaviour.md#cookies).
 * 6. `callbacks.session` determines what the client sees.
 */
function read(context: SessionContext, mode: ReadMode): Promise<SessionRead> | SessionRead {
  const opened = openToken(context, mode);
  if (opened === null || isPromise(opened)) return readInFull(context, mode, opened);
  const verdict = verdictOn(context, opened);
  return (verdict === "valid" ? readAtOnce(context, mode, opened) : null) ?? readInFull(context, mode, opened, verdict);
}

/** Asks extensions once per read, on both paths. @throws SessionUnavailable, synchronously or as a rejection. */
function verdictOn(context: SessionContext, opened: OpenedToken): Awaitable<SessionVerdict> {
  try {
    return askExtensions(context, foundOf(opened));
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * The synchronous result of {@link readInFull}: for a valid token without pending renewal and without application
 * callbacks. Otherwise null.
 */
function readAtOnce(context: SessionContext, mode: ReadMode, { claims, facts }: OpenedToken): SessionRead | null {
  const { callbacks, events } = context.config;
  const isWatched = callbacks.jwt !== undefined || callbacks.session !== undefined || events.session !== undefined;
  if (isWatched || hasUnproven(claims)) return null;
  if (mode !== "look" && isDue(context, claims)) return null;
  try {
    const session = exposeSession(context, { token: claims }, expiresOf(context, claims, facts));
    return isPromise(session) ? null : { kind: "session", session, userId: claims.sub };
  } catch (error) {
    throw unavailable(error);
  }
}

async function readInFull(
  context: SessionContext,
  mode: ReadMode,
  opening: ReturnType<typeof openToken>,
  asked?: Awaitable<SessionVerdict>,
): Promise<SessionRead> {
  const opened = isPromise(opening) ? await opening : opening;
  if (opened === null) return { kind: "none" };
  const { facts } = opened;
  try {
    const refused = refusalBy(context, mode, await (asked ?? askExtensions(context, foundOf(opened))));
    if (refused !== null) return refused;
    const stored = await withCurrentAddress(context, opened.claims);
    if (stored === null) return endOf(context, mode);
    const outcome = await runJwtCallback(context, { token: stored });
    if (outcome.kind === "ended") return endOf(context, mode);
    const claims = outcome.kind === "changed" ? await ownClaims(context, outcome.claims, stored) : stored;
    const renew = mode !== "look" && (outcome.kind === "changed" || isDue(context, stored));
    const renewal = renew ? await prepareRenewal(context, claims, facts) : null;
    const expires = renewal?.expires ?? expiresOf(context, stored, facts);
    const session = await exposeSession(context, { token: claims }, expires);
    if ((await withCurrentAddress(context, stored)) !== stored) return endOf(context, mode);
    if (renewal !== null) await commitRenewal(context, renewal);
    if (session === null) return { kind: "none" };
    await context.emit("session", { session, token: claims });
    return { kind: "session", session, userId: stored.sub };
  } catch (error) {
    throw unavailable(error);
  }
}

async function identify(context: SessionContext, isFresh?: boolean): Promise<SessionIdentity | null> {
  const opened = await openToken(context, "look");
  if (opened?.claims.sub === undefined) return null;
  if ((await checkFound(context, "look", foundOf(opened), isFresh)) !== null) return null;
  return { userId: opened.claims.sub, fingerprint: await fingerprintOf(opened.claims) };
}

async function find(context: SessionContext): Promise<FoundSession | null> {
  const opened = await openToken(context, "look");
  return opened === null ? null : foundOf(opened);
}

function sessionId(context: SessionContext): Promise<string> | string {
  return whenThere(openToken(context, "look"), (opened) => (opened === null ? "" : fingerprintOf(opened.claims)));
}

/** By `jti`, which does not change when a session is renewed; a custom `encode` may drop it. */
function fingerprintOf({ jti, sub = "" }: JWT): Promise<string> | string {
  const text = `session ${jti ?? sub}`;
  return hashAtOnce(text) ?? sha256(text);
}

async function issue(context: SessionContext, signedIn: Admitted<SignedIn>): Promise<string> {
  const { user, account, profile, isNewUser, facts, context: own } = signedIn;
  const token = initialClaims(user);
  const trigger = isNewUser ? "signUp" : "signIn";
  const carried = own && { context: own };
  const outcome = await runJwtCallback(context, { token, user, account, profile, trigger, isNewUser, ...carried });
  if (outcome.kind === "ended") refuseEnded();
  const unproven = await unprovenClaim(context, signedIn);
  const { jti: _former, ...claims } = outcome.kind === "changed" ? outcome.claims : token;
  const made = { ...claims, jti: randomUuid(), ...(unproven === undefined ? {} : { unproven }) };
  const { commit, found, expires } = await prepare(context, made, facts);
  if (facts !== undefined) await tellExtensions(context, found, { cause: "signin", expires, account, facts });
  commit();
  return fingerprintOf(made);
}

async function update(context: SessionContext, data: unknown): Promise<Session | null> {
  const opened = await openToken(context, "settle");
  if (opened === null) return null;
  try {
    if ((await checkFound(context, "settle", foundOf(opened))) !== null) return null;
    const stored = await withCurrentAddress(context, opened.claims);
    if (stored === null) {
      clearSessionCookies(context);
      return null;
    }
    const outcome = await runJwtCallback(context, { token: stored, trigger: "update", session: data });
    if (outcome.kind === "ended" || (await withCurrentAddress(context, stored)) !== stored) {
      clearSessionCookies(context);
      return null;
    }
    const claims = outcome.kind === "changed" ? await ownClaims(context, outcome.claims, stored) : stored;
    const prepared = await prepare(context, claims, opened.facts);
    const session = await exposeSession(context, { token: claims }, prepared.expires, { data });
    await commitRenewal(context, prepared);
    if (session !== null) await context.emit("session", { session, token: claims });
    return session;
  } catch (error) {
    throw unavailable(error);
  }
}

async function revoke(context: SessionContext): Promise<{ ended: EndedSession | null }> {
  const opened = await openToken(context, "look");
  clearSessionCookies(context);
  return { ended: opened === null ? null : { token: opened.claims } };
}

function endOf(context: SessionContext, mode: ReadMode): SessionRead {
  if (mode !== "look") clearSessionCookies(context);
  return { kind: "none" };
}

async function commitRenewal(context: SessionContext, { commit, found, expires }: Prepared): Promise<void> {
  commit();
  if (context.config.extensions === undefined) return;
  await tellExtensions(context, found, { cause: "renewal", expires, account: undefined });
}

/** A failed renewal is logged, and the session is served unchanged. */
async function prepareRenewal(context: SessionContext, claims: JWT, facts: unknown): Promise<Prepared | null> {
  try {
    return await prepare(context, claims, facts);
  } catch (error) {
    const failed = new JWTSessionError("The session could not be renewed.", { cause: { err: toError(error) } });
    context.logger.error(error instanceof AuthError ? error : failed);
    return null;
  }
}

/** Claims that identify a session and its user, or limit its lifetime (RFC 7519 §4.1). */
const OWN_CLAIMS = ["sub", "jti", "iat", "exp", "nbf", "unproven"] as const;

/**
 * A session keeps its user, its id and its times for its whole lifetime. `callbacks.jwt` can set `sub` at sign-in only: in
 * an update it may merge data from the browser into the token, which must not transfer the session to another user.
 */
function copyOwnClaims(claims: JWT, stored: JWT): JWT {
  const kept: JWT = { ...claims };
  for (const name of OWN_CLAIMS) {
    if (stored[name] === undefined) delete kept[name];
    else Object.assign(kept, { [name]: stored[name] });
  }
  return kept;
}

/**
 * The claims returned by the callback. If they contain a different address, the new one may also have been removed from the
 * user.
 */
async function ownClaims(context: SessionContext, claims: JWT, stored: JWT): Promise<JWT> {
  const kept = copyOwnClaims(claims, stored);
  if (kept.email === stored.email || kept.unproven !== undefined) return kept;
  const unproven = await changedClaim(context, kept);
  return unproven === undefined ? kept : { ...kept, unproven };
}

/** A limit configured after the token was issued also applies. */
function expiresOf(context: SessionContext, { exp, iat }: JWT, facts: unknown): EpochSeconds {
  // Another library that shares the session extends it on each read, to the millisecond.
  const isShared = emittedFormat(context) !== undefined;
  const now = isShared ? Date.now() / 1000 : context.now();
  const sealed = (isShared ? undefined : exp) ?? now + context.config.jwt.maxAge;
  return now + lifeFrom(context, startOf(facts) ?? iat, sealed - now);
}

function isDue(context: SessionContext, stored: JWT): boolean {
  const { session, jwt } = context.config;
  const { updateAge } = session;
  // A custom `encode` may also drop `iat`; the creation time is then derived from the expiry.
  const issuedAt = stored.iat ?? (stored.exp === undefined ? 0 : stored.exp - jwt.maxAge);
  const age = { now: context.now(), issuedAt, expires: Number.POSITIVE_INFINITY, updateAge };
  return decideSessionAge(age) === "due";
}

function unavailable(error: unknown): SessionUnavailable {
  const err = toError(error);
  return new SessionUnavailable("The session could not be read. The cookie was kept; retry later.", {
    cause: { err },
  });
}
