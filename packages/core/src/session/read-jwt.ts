import { warnOnce } from "../log/warn-once.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { JWTSessionError } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import type { EpochSeconds } from "../model/units.ts";
import { hasSealedForm } from "../protocol/session-token.ts";
import {
  checkFound,
  foundOf,
  isOver,
  isRenewalDue,
  lifeFrom,
  type OpenedToken,
  startOf,
  takeOutFacts,
  unavailableSession,
} from "./check-found.ts";
import { exposeImage, runJwtCallback } from "./claims.ts";
import { type DecryptedToken, decryptSessionToken } from "./decrypt-session-token.ts";
import { exposeSession } from "./expose-session.ts";
import { commitRenewal, ownClaims, prepareRenewal } from "./prepare-token.ts";
import {
  clearEndedSession,
  clearReceived,
  emittedFormat,
  type ReceivedToken,
  receivedSessionTokens,
  supersededTokens,
} from "./session-cookie.ts";
import type { ReadMode, SessionRead } from "./strategy.ts";
import { withCurrentAddress } from "./unproven-address.ts";

/**
 * Reads the session in an encrypted cookie.
 *
 * 1. No cookie, an incomplete set of chunks, or a token that none of our secrets made: no session. The cookies of an expired token
 *    are cleared.
 * 2. A session that an extension ended is cleared as well. If an extension requires a proof first, there is no session for now.
 * 3. A token with an unverified address that its user no longer has is rejected. Callbacks may look up users by that
 *    address, so it is checked before and after them.
 * 4. `callbacks.jwt` sees the claims; null ends the session (docs/callbacks.md).
 * 5. The session is renewed when `updateAge` has passed or the callback changed what is stored, and only then (docs/behaviour.md#cookies).
 * 6. `callbacks.session` determines what the client sees.
 */
export async function readJwt(context: FlowContext, mode: ReadMode): Promise<SessionRead> {
  const opened = await decryptToken(context, mode);
  if (opened === null) return { kind: "none" };
  const { facts } = opened;
  try {
    const rejected = await checkFound(context, foundOf(opened));
    if (rejected !== null) return endOf(context, mode, opened, rejected);
    const stored = await withCurrentAddress(context, opened.claims);
    if (stored === null) return endOf(context, mode, opened);
    const outcome = await runJwtCallback(context, { token: stored });
    if (outcome.kind === "ended") return endOf(context, mode, opened);
    const claims = outcome.kind === "changed" ? await ownClaims(context, outcome, stored) : stored;
    const renew = mode !== "look" && (claims !== stored || isDue(context, stored));
    const renewal = renew ? await prepareRenewal(context, claims, facts) : null;
    const expires = renewal?.expires ?? expiresOf(context, stored, facts);
    const session = await exposeSession(context, { token: claims }, expires);
    if ((await withCurrentAddress(context, stored)) !== stored) return endOf(context, mode, opened);
    if (renewal !== null) await commitRenewal(context, renewal, "read");
    if (session === null) return { kind: "none" };
    await context.emit("session", { session, token: claims });
    return { kind: "session", session, userId: stored.sub };
  } catch (error) {
    throw unavailableSession(error);
  }
}

/** The result of a read whose session has ended; its cookies are cleared, unless they may contain a newer token. */
export function endOf(
  context: FlowContext,
  mode: ReadMode,
  opened: FoundToken,
  end: SessionRead = { kind: "none" },
): SessionRead {
  if (end.kind === "none" && end.isReplaced !== true)
    clearEndedSession(context, mode, opened.received, foundOf(opened));
  return end;
}

/** A limit configured after the token was issued also applies. */
function expiresOf(context: FlowContext, { exp, iat }: JWT, facts: unknown): EpochSeconds {
  // Another library that shares the session extends it on each read, to the millisecond.
  const isShared = emittedFormat(context) !== undefined;
  const now = isShared ? Date.now() / 1000 : context.now();
  const sealed = (isShared ? undefined : exp) ?? now + context.config.jwt.maxAge;
  return now + lifeFrom(context, startOf(facts) ?? iat, sealed - now);
}

/** A custom `encode` may also drop `iat`; the creation time is then derived from the expiry. */
function isDue(context: FlowContext, { iat, exp }: JWT): boolean {
  return isRenewalDue(context, iat ?? (exp === undefined ? 0 : exp - context.config.jwt.maxAge));
}

/** A valid token, with its cookie. */
interface FoundToken extends OpenedToken {
  readonly received: ReceivedToken;
}

/**
 * The claims of the request's token, or null. Of several tokens, the first valid one is used, and nothing is cleared; if none is
 * valid, the cookies of those that have ended are.
 */
export async function decryptToken(context: FlowContext, mode: ReadMode): Promise<FoundToken | null> {
  let failure: unknown;
  const open = async (received: ReceivedToken) => {
    try {
      return accept(context, received, await decodeToken(context, received));
    } catch (error) {
      failure = error;
      return null;
    }
  };
  // Such a token would become the session again when sessions use our cookie.
  for (const received of supersededTokens(context))
    if ((await open(received)) !== null) clearReceived(context, mode, received);
  const ended: ReceivedToken[] = [];
  for (const received of receivedSessionTokens(context)) {
    const opened = await open(received);
    if (opened === null) warnOfOtherSecret(context, received);
    if (opened === "ended") ended.push(received);
    else if (opened !== null) return opened;
  }
  for (const received of ended) clearEndedSession(context, mode, received);
  if (failure === undefined) return null;
  // The application's `decode` may throw for an invalid token, as many libraries do, or because its key service is unavailable; the two
  // cannot be told apart. There is no session, and the cookie is kept: clearing it would make an outage of a minute sign everyone
  // out, and a 503 would let a garbage cookie block every page.
  context.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: { err: toError(failure) } }));
  return null;
}

/** After a change of the secret without rotation, every session of before is like this. */
function warnOfOtherSecret(context: FlowContext, { token, format }: ReceivedToken): void {
  const isOurs = format === undefined && context.config.jwt.decode === undefined && hasSealedForm(token);
  if (!isOurs) return;
  warnOnce(
    context,
    "other-secret: sessions made with another secret were seen; their users count as signed out. If AUTH_SECRET has changed, set the former one as AUTH_SECRET_1. If it is not set, each start makes another one. If another application shares the host, change `cookies.sessionToken.name`.",
  );
}

/** The claims as used in this request. */
function accept(context: FlowContext, received: ReceivedToken, opened: DecryptedToken): FoundToken | "ended" | null {
  if (opened === null || opened === "ended") return opened;
  if (isOver(context, startOf(opened.facts) ?? opened.claims.iat)) return "ended";
  const claims = isShown(context) ? exposeImage(opened.claims) : opened.claims;
  return { claims, facts: opened.facts, received };
}

/** Whether an application function receives the claims, which then contain the user's image under both names. */
function isShown({ config: { callbacks, events } }: FlowContext): boolean {
  const { jwt, session } = callbacks;
  return jwt !== undefined || session !== undefined || events.session !== undefined || events.signOut !== undefined;
}

/** @throws errors of the application's `decode` or of an extension's session format. */
async function decodeToken(context: FlowContext, { token, name, format }: ReceivedToken): Promise<DecryptedToken> {
  const { extensions, jwt } = context.config;
  if (format === undefined || extensions?.formats === undefined) return decryptSessionToken(context, token);
  const claims = await extensions.formats.open(format, token, name, jwt, context.now());
  return claims && takeOutFacts(claims);
}
