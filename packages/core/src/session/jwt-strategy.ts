import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { encode as encodeOwn } from "../crypto/jwt.ts";
import { hashAtOnce, randomUuid, sha256 } from "../crypto/primitives.ts";
import { sealClaims } from "../crypto/sealed-claims.ts";
import { AuthError, JWTSessionError, SessionUnavailable } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { JWT, Session } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { isPromise, whenThere } from "../model/when-there.ts";
import { decideSessionAge } from "../protocol/session-expiry.ts";
import { checkFound, tellExtensions } from "./check-found.ts";
import { describe, initialClaims, refuseEnded, runJwtCallback, storeImageOnce } from "./claims.ts";
import { exposeSession } from "./expose-session.ts";
import { firstFacts, lifeFrom, type OpenedToken, putBackFacts, startOf } from "./facts.ts";
import { openToken } from "./open-token.ts";
import { clearSessionCookies, emittedFormat, prepareSessionCookies, writtenSessionCookie } from "./session-cookie.ts";
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

/** Sessions in a sealed cookie: nothing is stored, and reading one is one key look-up and one decryption. */
export const jwtStrategy: SessionStrategy = { read, identify, find, sessionId, issue, update, revoke };

/**
 * 1. No cookie, an incomplete row of chunks, a token that does not open or has expired: no session, its cookies are cleared.
 * 2. A session that an extension ended is cleared. If an extension asks for something first, there is no session for now.
 * 3. A token that names an address which its user no longer has, and never proved, is over. The callbacks may look users up by
 *    that address, so it is looked at before and after them.
 * 4. `callbacks.jwt` sees the claims; null ends the session (docs/callbacks.md).
 * 5. The session is renewed when `updateAge` has passed or the callback changed the claims, and only then (docs/behaviour.md#cookies).
 * 6. `callbacks.session` makes what the client sees.
 */
function read(context: SessionContext, mode: ReadMode): Promise<SessionRead> | SessionRead {
  const opened = openToken(context, mode);
  const isReady = opened !== null && !isPromise(opened);
  return (isReady ? readAtOnce(context, mode, opened) : null) ?? readInFull(context, mode, opened);
}

/**
 * What {@link readInFull} comes to where nothing is to be waited for: a good token, nothing due, and no function of the application or
 * of an extension that would be called. Null for any other.
 */
function readAtOnce(context: SessionContext, mode: ReadMode, { claims, facts }: OpenedToken): SessionRead | null {
  const { callbacks, events, extensions } = context.config;
  const isWatched = callbacks.jwt !== undefined || callbacks.session !== undefined || events.session !== undefined;
  if (isWatched || extensions !== undefined || hasUnproven(claims)) return null;
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
): Promise<SessionRead> {
  const opened = await opening;
  if (opened === null) return { kind: "none" };
  const { facts } = opened;
  try {
    const refused = await checkFound(context, mode, foundOf(opened));
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

async function identify(context: SessionContext): Promise<SessionIdentity | null> {
  const opened = await openToken(context, "look");
  if (opened?.claims.sub === undefined || (await checkFound(context, "look", foundOf(opened))) !== null) return null;
  return { userId: opened.claims.sub, fingerprint: await fingerprintOf(opened.claims) };
}

async function find(context: SessionContext): Promise<FoundSession | null> {
  const opened = await openToken(context, "look");
  return opened === null ? null : foundOf(opened);
}

/**
 * A session as extensions' callers get it. One whose token names no user, as of another library, is a user of its own: two of them must not
 * see or end each other's sessions.
 */
function foundOf({ claims: { sub, jti }, facts }: OpenedToken): FoundSession {
  return { kind: "claims", userId: sub || (jti === undefined ? "" : `session ${jti}`), jti, facts };
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

interface Prepared {
  /** Adds the cookies to the jar. */
  readonly commit: () => void;
  readonly found: FoundSession;
  readonly expires: EpochSeconds;
}

/** Seals a token and prepares its cookies; `known` are the facts of the session, as they were stored. */
export async function prepare(context: SessionContext, claims: JWT, known: unknown): Promise<Prepared> {
  const facts = known ?? firstFacts(context, claims.iat ?? context.now());
  const life = lifeFrom(context, startOf(facts), context.config.jwt.maxAge);
  // An `encode` of the application may leave `iat` as it is; without it every read would take the session for an old one.
  const token = { ...putBackFacts(storeImageOnce(claims), facts), iat: context.now() };
  const { jwt, extensions } = context.config;
  const isOurs = extensions === undefined && jwt.encode === undefined;
  const sealed = isOurs ? sealOurs(context, token, life) : encodeToken(context, token, life);
  const commit = prepareSessionCookies(context, isPromise(sealed) ? await sealed : sealed, life);
  return { commit, found: foundOf({ claims, facts }), expires: context.now() + life };
}

/** What our own `encode` does, at once where it can be. */
function sealOurs({ config, cookies }: SessionContext, token: JWT, life: Seconds): Promise<string> | string {
  const keys = { secrets: config.jwt.secrets, purpose: "session", salt: cookies.sessionToken.salt } as const;
  try {
    return sealClaims(token, keys, life);
  } catch (error) {
    throw encodeFailed(error);
  }
}

/** Claims of the application may be nothing that can be written, such as a bigint. */
function encodeFailed(error: unknown): AuthError {
  return error instanceof AuthError
    ? error
    : new JWTSessionError("`jwt.encode` failed.", { cause: { err: toError(error) } });
}

/** @throws JWTSessionError where a function of the application fails, or returns something other than text. */
async function encodeToken(context: SessionContext, token: JWT, maxAge: Seconds): Promise<string> {
  const { encode = encodeOwn, secrets } = context.config.jwt;
  const { salt, seal } = writtenSessionCookie(context);
  const encoded: unknown = await callEncode(() =>
    seal === undefined ? encode({ token, secret: secrets, salt, maxAge }) : seal(token, maxAge),
  );
  if (typeof encoded === "string" && encoded !== "") return encoded;
  throw new JWTSessionError(
    `\`jwt.encode\` returned ${encoded === "" ? "an empty string" : describe(encoded)}; return the token.`,
  );
}

async function callEncode(call: () => unknown): Promise<unknown> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    throw encodeFailed(error);
  }
}

async function commitRenewal(context: SessionContext, { commit, found, expires }: Prepared): Promise<void> {
  commit();
  if (context.config.extensions === undefined) return;
  await tellExtensions(context, found, { cause: "renewal", expires, account: undefined });
}

/** A renewal that fails is logged, and the session is served as it was. */
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

/** A limit that was set after the token was made counts as well. */
function expiresOf(context: SessionContext, { exp, iat }: JWT, facts: unknown): EpochSeconds {
  // Another library that shares the session counts from each read, to the millisecond.
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
