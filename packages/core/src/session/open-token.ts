import { JWTSessionError } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import { exposeImage } from "./claims.ts";
import { lifeFrom, type OpenedToken, startOf, takeOutFacts } from "./facts.ts";
import { openSessionToken, parseDecoded } from "./open-session-token.ts";
import { clearInvalidSession, type ReceivedToken, receivedSessionTokens } from "./session-cookie.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/**
 * The claims of the token that came with the request, or null; a cookie that cannot become valid again is cleared. Of several
 * tokens the first that opens counts, and the others are left alone.
 */
export async function openToken(context: SessionContext, mode: ReadMode): Promise<OpenedToken | null> {
  let failure: unknown;
  for (const received of receivedSessionTokens(context)) {
    try {
      const token = await decodeToken(context, received);
      const opened = token === null ? null : takeOutFacts(exposeImage(token));
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

/** @throws what an application's `decode` or a format of an extension throws. */
async function decodeToken(context: SessionContext, { token, name, format }: ReceivedToken): Promise<JWT | null> {
  if (format === undefined) return openSessionToken(context, token);
  return parseDecoded(await format.open(token, name, context.config.jwt.secrets));
}

/** The absolute limit may be younger than the token. */
function isOver(context: SessionContext, { claims, facts }: OpenedToken): boolean {
  return lifeFrom(context, startOf(facts) ?? claims.iat, Number.POSITIVE_INFINITY) <= 0;
}
