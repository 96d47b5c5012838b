import { sha256 } from "../crypto/primitives.ts";
import { AuthError, JWTSessionError, SessionUnavailable } from "../model/errors.ts";
import type { JWT, Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds } from "../model/units.ts";
import { decideSessionAge } from "../protocol/session-expiry.ts";
import {
  describe,
  exposeImage,
  initialClaims,
  isClaims,
  refuseEnded,
  runJwtCallback,
  storeImageOnce,
} from "./claims.ts";
import { exposeSession } from "./expose-session.ts";
import {
  clearInvalidSession,
  clearSessionCookies,
  prepareSessionCookies,
  receivedSessionToken,
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

/** Sessions in a sealed cookie: nothing is stored, and reading one is one key look-up and one decryption. */
export const jwtStrategy: SessionStrategy = { read, identify, issue, update, revoke };

/**
 * 1. No cookie, an incomplete row of chunks, a token that does not open or has expired: no session, its cookies are cleared.
 * 2. `callbacks.jwt` sees the claims; null ends the session (spec 6).
 * 3. The session is renewed when `updateAge` has passed or the callback changed the claims, and only then (contract 4).
 * 4. `callbacks.session` makes what the client sees.
 */
async function read(context: SessionContext, mode: ReadMode): Promise<SessionRead> {
  const stored = await openToken(context, mode);
  if (stored === null) return { kind: "none" };
  try {
    const outcome = await runJwtCallback(context, { token: stored });
    if (outcome.kind === "ended") return endOf(context, mode);
    const claims = outcome.kind === "changed" ? outcome.claims : stored;
    const renew = mode !== "look" && (outcome.kind === "changed" || isDue(context, stored));
    const commit = renew ? await prepareRenewal(context, keepId(claims, stored)) : null;
    const expires = commit === null ? expiresOf(context, stored) : expiry(context);
    const session = await exposeSession(context, { token: claims }, expires);
    commit?.();
    if (session === null) return { kind: "none" };
    await context.emit("session", { session, token: claims });
    return { kind: "session", session, userId: stored.sub };
  } catch (error) {
    throw unavailable(error);
  }
}

/** The claims of the token that came with the request, or null; a cookie that cannot become valid again is cleared. */
async function openToken(context: SessionContext, mode: ReadMode): Promise<JWT | null> {
  const token = receivedSessionToken(context);
  const { decode, secrets } = context.config.jwt;
  try {
    const salt = context.cookies.sessionToken.salt;
    const claims: unknown = token === null ? null : await decode({ token, secret: secrets, salt });
    if (isClaims(claims)) return exposeImage(claims);
    if (claims !== null) throw new TypeError(`it returned ${describe(claims)}; return the claims, or null`);
  } catch (error) {
    // An application's own `decode` throws for a bad token and for an outage alike: no session, but the cookie stays.
    context.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: { err: toError(error) } }));
    return null;
  }
  clearInvalidSession(context, mode, true);
  return null;
}

async function identify(context: SessionContext): Promise<SessionIdentity | null> {
  const stored = await openToken(context, "look");
  if (stored?.sub === undefined) return null;
  return { userId: stored.sub, fingerprint: await sha256(`session ${stored.jti ?? stored.sub}`) };
}

async function issue(context: SessionContext, signedIn: SignedIn): Promise<void> {
  const { user, account, profile, isNewUser } = signedIn;
  const token = initialClaims(user);
  const trigger = isNewUser ? "signUp" : "signIn";
  const outcome = await runJwtCallback(context, { token, user, account, profile, trigger, isNewUser });
  if (outcome.kind === "ended") refuseEnded();
  const { jti: _former, ...claims } = outcome.kind === "changed" ? outcome.claims : token;
  await write(context, claims);
}

async function update(context: SessionContext, data: unknown): Promise<Session | null> {
  const stored = await openToken(context, "settle");
  if (stored === null) return null;
  try {
    const outcome = await runJwtCallback(context, { token: stored, trigger: "update", session: data });
    if (outcome.kind === "ended") {
      clearSessionCookies(context);
      return null;
    }
    const claims = outcome.kind === "changed" ? outcome.claims : stored;
    const session = await exposeSession(context, { token: claims }, expiry(context), { data });
    await write(context, keepId(claims, stored));
    if (session !== null) await context.emit("session", { session, token: claims });
    return session;
  } catch (error) {
    throw unavailable(error);
  }
}

async function revoke(context: SessionContext): Promise<{ ended: EndedSession }> {
  const token = await openToken(context, "look");
  clearSessionCookies(context);
  return { ended: { token } };
}

function endOf(context: SessionContext, mode: ReadMode): SessionRead {
  if (mode !== "look") clearSessionCookies(context);
  return { kind: "none" };
}

async function write(context: SessionContext, claims: JWT): Promise<void> {
  const commit = await prepare(context, claims);
  commit();
}

async function prepare(context: SessionContext, claims: JWT): Promise<() => void> {
  const { encode, secrets, maxAge } = context.config.jwt;
  const salt = context.cookies.sessionToken.salt;
  // An `encode` of the application may leave `iat` as it is; without it every read would take the session for an old one.
  const issued = { ...storeImageOnce(claims), iat: context.now() };
  const token = await encode({ token: issued, secret: secrets, salt, maxAge });
  return prepareSessionCookies(context, token, maxAge);
}

/** A renewal that fails is logged, and the session is served as it was (safety R43). */
async function prepareRenewal(context: SessionContext, claims: JWT): Promise<(() => void) | null> {
  try {
    return await prepare(context, claims);
  } catch (error) {
    const failed = new JWTSessionError("The session could not be renewed.", { cause: { err: toError(error) } });
    context.logger.error(error instanceof AuthError ? error : failed);
    return null;
  }
}

/** A session keeps its id while it is renewed, whatever the callback returned. */
const keepId = (claims: JWT, stored: JWT): JWT => ({ ...claims, jti: stored.jti });

const expiry = (context: SessionContext): EpochSeconds => context.now() + context.config.jwt.maxAge;

const expiresOf = (context: SessionContext, stored: JWT): EpochSeconds => stored.exp ?? expiry(context);

function isDue(context: SessionContext, stored: JWT): boolean {
  const { session, jwt } = context.config;
  const { updateAge } = session;
  // An `encode` of the application may drop `iat` as well; then the expiry says when the token was made.
  const issuedAt = stored.iat ?? (stored.exp === undefined ? 0 : stored.exp - jwt.maxAge);
  const age = { now: context.now(), issuedAt, expires: Number.POSITIVE_INFINITY, updateAge };
  return decideSessionAge(age) === "due";
}

function unavailable(error: unknown): SessionUnavailable {
  const err = toError(error);
  return new SessionUnavailable("The session could not be read. Its cookie is left as it is; try again.", {
    cause: { err },
  });
}
