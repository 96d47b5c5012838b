import { JWTSessionError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { joinChunks, MAX_CHUNKS, splitChunks, storedChunkNames } from "../protocol/cookie-chunks.ts";
import { decodeCookieValue } from "../protocol/cookie-value.ts";
import { hasSealedForm } from "../protocol/sealed-form.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/** `; Max-Age=…; Path=; Domain=; Expires=…; HttpOnly; Secure; SameSite=Strict; Partitioned; Priority=Medium`, rounded up. */
const FIXED_ATTRIBUTES_BYTES = 144;

/**
 * The session tokens that came with the request, put together from its cookies: usually one. There are several where a cookie
 * was sent more than once with different values; each is tried, since the wrong one may come first.
 */
export function receivedSessionTokens(context: SessionContext): readonly string[] {
  const values = joinChunks(context.cookies.sessionToken.name, context);
  return values.map((value) => {
    const token = decodeCookieValue(value);
    if (token !== value) context.redact(token);
    return token;
  });
}

/** Puts the session token in the jar, as {@link prepareSessionCookies} does, at once. */
export function writeSessionCookies(context: SessionContext, token: string, maxAge: Seconds): void {
  prepareSessionCookies(context, token, maxAge)();
}

/**
 * Splits the session token over as many cookies as it takes.
 *
 * @returns puts them in the jar, and clears those that it no longer takes.
 * @throws JWTSessionError when it takes more than five.
 */
export function prepareSessionCookies(context: SessionContext, token: string, maxAge: Seconds): () => void {
  const { name, options } = context.cookies.sessionToken;
  const attributes = FIXED_ATTRIBUTES_BYTES + (options.path?.length ?? 0) + (options.domain?.length ?? 0);
  const value = encodeURIComponent(token);
  const chunks = splitChunks(name, value, attributes);
  if (chunks === null) {
    throw new JWTSessionError(
      `The session takes ${value.length} bytes, more than fit in ${MAX_CHUNKS} cookies. Keep less in the token (callbacks.jwt), or use database sessions.`,
    );
  }
  if (chunks.length > 1 && value !== token) {
    throw new JWTSessionError(
      "What `jwt.encode` returned takes several cookies and holds characters that a cookie cannot. Return base64url, for example.",
    );
  }
  const kept = new Set(chunks.map((chunk) => chunk.name));
  return () => {
    clearSessionCookies(context, kept);
    for (const chunk of chunks) context.jar.set({ ...chunk, options: { ...options, maxAge } });
  };
}

/**
 * Clears a token that is no session, as far as the mode allows.
 *
 * @param sealed whether the tokens of this strategy are sealed.
 */
export function clearInvalidSession(context: SessionContext, mode: ReadMode, sealed: boolean): void {
  const tokens = receivedSessionTokens(context);
  if (mode === "renew" && tokens.some((token) => hasSealedForm(token) !== sealed)) {
    const hint = "if sessions are kept otherwise there, say so here in `session.strategy`";
    context.logger.debug("a session cookie of another kind was left alone", { hint });
  } else if (mode !== "look") clearSessionCookies(context);
}

/** Clears every cookie under which a part of a session token came, but for those named in `kept`. */
export function clearSessionCookies(context: SessionContext, kept: ReadonlySet<string> = new Set()): void {
  const { name, options } = context.cookies.sessionToken;
  for (const stored of storedChunkNames(name, context.received)) {
    if (!kept.has(stored)) context.jar.set({ name: stored, value: "", options: { ...options, maxAge: 0 } });
  }
}
