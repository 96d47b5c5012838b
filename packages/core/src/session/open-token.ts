import { JWTSessionError } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import { isPromise } from "../model/when-there.ts";
import { exposeImage } from "./claims.ts";
import { lifeFrom, type OpenedToken, startOf, takeOutFacts } from "./facts.ts";
import { openSessionToken } from "./open-session-token.ts";
import {
  clearInvalidSession,
  clearSupersededSession,
  type ReceivedToken,
  receivedSessionTokens,
} from "./session-cookie.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/**
 * The claims of the token that came with the request, or null; a cookie that cannot become valid again is cleared. Of several
 * tokens the first that opens counts, and the others are left alone.
 */
export function openToken(context: SessionContext, mode: ReadMode): Promise<OpenedToken | null> | OpenedToken | null {
  clearSupersededSession(context, mode);
  const { extensions, jwt } = context.config;
  if (extensions === undefined && jwt.decode === undefined) {
    // Nearly every token is the first, and one of ours: it opens without a turn of the event loop.
    const { value: first } = receivedSessionTokens(context).next();
    if (first === undefined) {
      clearInvalidSession(context, mode, true);
      return null;
    }
    const claims = openSessionToken(context, first.token);
    const opened = claims === null || isPromise(claims) ? null : accept(context, claims);
    if (opened !== null) return opened;
  }
  return openAny(context, mode);
}

async function openAny(context: SessionContext, mode: ReadMode): Promise<OpenedToken | null> {
  let failure: unknown;
  for (const received of receivedSessionTokens(context)) {
    try {
      const claims = await decodeToken(context, received);
      const opened = claims === null ? null : accept(context, claims);
      if (opened !== null) return opened;
    } catch (error) {
      failure = error;
    }
  }
  if (failure === undefined) {
    clearInvalidSession(context, mode, true);
    return null;
  }
  // An application's own `decode` throws for a bad token and for an outage alike: no session, but the cookie stays.
  context.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: { err: toError(failure) } }));
  return null;
}

/** The claims as the parts of this request see them; null for a session that is over. */
function accept(context: SessionContext, token: JWT): OpenedToken | null {
  const opened = takeOutFacts(isShown(context) ? exposeImage(token) : token);
  return isOver(context, opened) ? null : opened;
}

/** Whether a function of the application sees the claims: it finds the image of the user under both names. */
function isShown({ config: { callbacks, events } }: SessionContext): boolean {
  const { jwt, session } = callbacks;
  return jwt !== undefined || session !== undefined || events.session !== undefined || events.signOut !== undefined;
}

/** @throws what an application's `decode` or a format of an extension throws. */
async function decodeToken(context: SessionContext, { token, name, format }: ReceivedToken): Promise<JWT | null> {
  const { extensions, jwt } = context.config;
  if (format === undefined || extensions === undefined) return openSessionToken(context, token);
  return extensions.formats.open(format, token, name, jwt, context.now());
}

/** The absolute limit may be younger than the token. */
function isOver(context: SessionContext, { claims, facts }: OpenedToken): boolean {
  if (context.config.session.absolute === undefined) return false;
  return lifeFrom(context, startOf(facts) ?? claims.iat, Number.POSITIVE_INFINITY) <= 0;
}
