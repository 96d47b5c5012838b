import { randomUuid, sha256 } from "../crypto/primitives.ts";
import { AuthError, JWTSessionError, SessionUnavailable } from "../model/errors.ts";
import type { JWT, Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds } from "../model/units.ts";
import { decideSessionAge } from "../protocol/session-expiry.ts";
import { exposeImage, initialClaims, refuseEnded, runJwtCallback, storeImageOnce } from "./claims.ts";
import { exposeSession } from "./expose-session.ts";
import { openSessionToken } from "./open-session-token.ts";
import {
  clearInvalidSession,
  clearSessionCookies,
  prepareSessionCookies,
  receivedSessionTokens,
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
import { changedClaim, unprovenClaim, withCurrentAddress } from "./unproven-address.ts";

/** Sessions in an encrypted cookie: nothing is stored, and reading one takes one key look-up and one decryption. */
export const jwtStrategy: SessionStrategy = { read, identify, sessionId, issue, update, revoke };

/**
 * 1. No cookie, an incomplete sequence of chunks, a token that cannot be decrypted or has expired: no session, its cookies
 *    are cleared.
 * 2. A token is invalid if it contains an address that its user no longer has and never verified. The callbacks may look
 *    users up by that address, so it is checked before and after them.
 * 3. `callbacks.jwt` receives the claims; null ends the session (docs/callbacks.md).
 * 4. The session is renewed only if `updateAge` has passed or the callback changed the claims (docs/behaviour.md#cookies).
 * 5. `callbacks.session` determines what the client sees.
 */
async function read(context: SessionContext, mode: ReadMode): Promise<SessionRead> {
  const opened = await openToken(context, mode);
  if (opened === null) return { kind: "none" };
  try {
    const stored = await withCurrentAddress(context, opened);
    if (stored === null) return endOf(context, mode);
    const outcome = await runJwtCallback(context, { token: stored });
    if (outcome.kind === "ended") return endOf(context, mode);
    const claims = outcome.kind === "changed" ? await ownClaims(context, outcome.claims, stored) : stored;
    const renew = mode !== "look" && (outcome.kind === "changed" || isDue(context, stored));
    const commit = renew ? await prepareRenewal(context, claims) : null;
    const expires = commit === null ? expiresOf(context, stored) : expiry(context);
    const session = await exposeSession(context, { token: claims }, expires);
    if ((await withCurrentAddress(context, stored)) !== stored) return endOf(context, mode);
    commit?.();
    if (session === null) return { kind: "none" };
    await context.emit("session", { session, token: claims });
    return { kind: "session", session, userId: stored.sub };
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * The claims of the request's token, or null; a cookie that can never become valid is cleared. Of several tokens, the first
 * valid one is used, and the others are left alone.
 */
async function openToken(context: SessionContext, mode: ReadMode): Promise<JWT | null> {
  let failure: unknown;
  for (const token of receivedSessionTokens(context)) {
    try {
      const claims = await openSessionToken(context, token);
      if (claims !== null) return exposeImage(claims);
    } catch (error) {
      failure = error;
    }
  }
  if (failure === undefined) {
    clearInvalidSession(context, mode, true);
    return null;
  }
  // An application's `decode` throws both for an invalid token and for an outage: there is no session, but the cookie is
  // kept.
  context.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: { err: toError(failure) } }));
  return null;
}

async function identify(context: SessionContext): Promise<SessionIdentity | null> {
  const stored = await openToken(context, "look");
  if (stored?.sub === undefined) return null;
  return { userId: stored.sub, fingerprint: await fingerprintOf(stored) };
}

async function sessionId(context: SessionContext): Promise<string> {
  const stored = await openToken(context, "look");
  return stored === null ? "" : fingerprintOf(stored);
}

/** By `jti`, which does not change when a session is renewed; a custom `encode` may drop it. */
function fingerprintOf({ jti, sub = "" }: JWT): Promise<string> {
  return sha256(`session ${jti ?? sub}`);
}

async function issue(context: SessionContext, signedIn: SignedIn): Promise<string> {
  const { user, account, profile, isNewUser } = signedIn;
  const token = initialClaims(user);
  const trigger = isNewUser ? "signUp" : "signIn";
  const outcome = await runJwtCallback(context, { token, user, account, profile, trigger, isNewUser });
  if (outcome.kind === "ended") refuseEnded();
  const unproven = await unprovenClaim(context, signedIn);
  const { jti: _former, ...claims } = outcome.kind === "changed" ? outcome.claims : token;
  const own = { ...claims, jti: randomUuid(), ...(unproven === undefined ? {} : { unproven }) };
  (await prepare(context, own)).commit();
  return fingerprintOf(own);
}

async function update(context: SessionContext, data: unknown): Promise<Session | null> {
  const opened = await openToken(context, "settle");
  if (opened === null) return null;
  try {
    const stored = await withCurrentAddress(context, opened);
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
    const session = await exposeSession(context, { token: claims }, expiry(context), { data });
    (await prepare(context, claims)).commit();
    if (session !== null) await context.emit("session", { session, token: claims });
    return session;
  } catch (error) {
    throw unavailable(error);
  }
}

async function revoke(context: SessionContext): Promise<{ ended: EndedSession | null }> {
  const token = await openToken(context, "look");
  clearSessionCookies(context);
  return { ended: token === null ? null : { token } };
}

function endOf(context: SessionContext, mode: ReadMode): SessionRead {
  if (mode !== "look") clearSessionCookies(context);
  return { kind: "none" };
}

interface Prepared {
  /** Adds the cookies to the jar. */
  readonly commit: () => void;
}

async function prepare(context: SessionContext, claims: JWT): Promise<Prepared> {
  const { encode, secrets, maxAge } = context.config.jwt;
  const salt = context.cookies.sessionToken.salt;
  // A custom `encode` may keep `iat` unchanged; without a new one every read would consider the session due.
  const issued = { ...storeImageOnce(claims), iat: context.now() };
  const token = await encode({ token: issued, secret: secrets, salt, maxAge });
  return { commit: prepareSessionCookies(context, token, maxAge) };
}

/** A failed renewal is logged, and the session is returned unchanged. */
async function prepareRenewal(context: SessionContext, claims: JWT): Promise<(() => void) | null> {
  try {
    return (await prepare(context, claims)).commit;
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

const expiry = (context: SessionContext): EpochSeconds => context.now() + context.config.jwt.maxAge;

const expiresOf = (context: SessionContext, stored: JWT): EpochSeconds => stored.exp ?? expiry(context);

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
