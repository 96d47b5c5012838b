import { JWTSessionError } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
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
export async function openToken(context: SessionContext, mode: ReadMode): Promise<OpenedToken | null> {
  clearSupersededSession(context, mode);
  let failure: unknown;
  for (const received of receivedSessionTokens(context)) {
    try {
      const token = await decodeToken(context, received);
      const opened = token === null ? null : takeOutFacts(isShown(context) ? exposeImage(token) : token);
      if (opened !== null && !isOver(context, opened)) return opened;
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
  return lifeFrom(context, startOf(facts) ?? claims.iat, Number.POSITIVE_INFINITY) <= 0;
}
