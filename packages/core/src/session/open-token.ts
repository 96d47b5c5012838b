import { JWTSessionError } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { isPromise } from "../model/when-there.ts";
import { lifeFrom, type OpenedToken, startOf, takeOutFacts } from "./check-found.ts";
import { exposeImage } from "./claims.ts";
import { openSessionToken } from "./open-session-token.ts";
import {
  clearInvalidSession,
  clearSupersededSession,
  type ReceivedToken,
  receivedSessionTokens,
} from "./session-cookie.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/**
 * The claims of the request's token, or null. A cookie that cannot become valid again is cleared. Of several tokens,
 * the first valid one is used, and the others are left unchanged.
 */
export function openToken(context: SessionContext, mode: ReadMode): Promise<OpenedToken | null> | OpenedToken | null {
  clearSupersededSession(context, mode);
  const tokens = receivedSessionTokens(context);
  if (context.config.jwt.decode === undefined) {
    // Nearly every token is the first one, and in our format; it is decrypted synchronously.
    const [first] = tokens;
    if (first === undefined) {
      clearInvalidSession(context, mode, true);
      return null;
    }
    const opening = first.format === undefined ? openSessionToken(context, first.token) : null;
    const opened = opening === null || isPromise(opening) ? null : accept(context, opening);
    if (opened !== null) return opened;
  }
  return openAny(context, mode, tokens);
}

async function openAny(
  context: SessionContext,
  mode: ReadMode,
  tokens: readonly ReceivedToken[],
): Promise<OpenedToken | null> {
  let failure: unknown;
  for (const received of tokens) {
    try {
      const decoding = decodeToken(context, received);
      // Forgeries in our format are refused at once, and a turn of the event loop for each would take as long again.
      const decoded = isPromise(decoding) ? await decoding : decoding;
      const opened = decoded && accept(context, decoded);
      if (opened !== null) return opened;
    } catch (error) {
      failure = error;
    }
  }
  if (failure === undefined) {
    clearInvalidSession(context, mode, true);
    return null;
  }
  // The application's `decode` may throw for an invalid token or an outage: no session, but the cookie is kept.
  context.logger.error(new JWTSessionError("`jwt.decode` failed.", { cause: { err: toError(failure) } }));
  return null;
}

/** The claims as used in this request; null for an expired session. */
function accept(context: SessionContext, opened: OpenedToken): OpenedToken | null {
  if (isOver(context, opened)) return null;
  return isShown(context) ? { claims: exposeImage(opened.claims), facts: opened.facts } : opened;
}

/** Whether an application function receives the claims, which then contain the user's image under both names. */
function isShown({ config: { callbacks, events } }: SessionContext): boolean {
  const { jwt, session } = callbacks;
  return jwt !== undefined || session !== undefined || events.session !== undefined || events.signOut !== undefined;
}

/** @throws errors of the application's `decode` or of an extension's session format. */
function decodeToken(
  context: SessionContext,
  { token, name, format }: ReceivedToken,
): Promise<OpenedToken | null> | OpenedToken | null {
  const { extensions, jwt } = context.config;
  if (format === undefined || extensions?.formats === undefined) return openSessionToken(context, token);
  const opening = extensions.formats.open(format, token, name, jwt, context.now());
  return Promise.resolve(opening).then((claims) => claims && takeOutFacts(claims));
}

/** The absolute limit may have been configured after the token was issued. */
function isOver(context: SessionContext, { claims, facts }: OpenedToken): boolean {
  if (context.config.session.absolute === undefined) return false;
  return lifeFrom(context, startOf(facts) ?? claims.iat, Number.POSITIVE_INFINITY) <= 0;
}
