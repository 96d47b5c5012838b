import { JWTSessionError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { joinChunks, MAX_CHUNKS, splitChunks, storedChunkNames } from "../protocol/cookie-chunks.ts";
import { decodeCookieValue } from "../protocol/cookie-value.ts";
import { hasSealedForm } from "../protocol/sealed-form.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/** `; Max-Age=…; Path=; Domain=; Expires=…; HttpOnly; Secure; SameSite=Strict; Partitioned; Priority=Medium`, rounded up. */
const FIXED_ATTRIBUTES_BYTES = 144;

/**
 * The request's session tokens, joined from its cookies: usually one. There are several if a cookie was sent more than once
 * with different values; each is tried, because the wrong one may come first.
 */
export function receivedSessionTokens(context: SessionContext): readonly string[] {
  const values = joinChunks(context.cookies.sessionToken.name, context);
  return values.map((value) => {
    const token = decodeCookieValue(value);
    if (token !== value) context.redact(token);
    return token;
  });
}

/** Adds the session token to the jar immediately; see {@link prepareSessionCookies}. */
export function writeSessionCookies(context: SessionContext, token: string, maxAge: Seconds): void {
  prepareSessionCookies(context, token, maxAge)();
}

/**
 * Splits the session token over as many cookies as needed.
 *
 * @returns a function that adds them to the jar and clears unused ones.
 * @throws JWTSessionError if more than five are needed.
 */
export function prepareSessionCookies(context: SessionContext, token: string, maxAge: Seconds): () => void {
  const { name, options } = context.cookies.sessionToken;
  const attributes = FIXED_ATTRIBUTES_BYTES + (options.path?.length ?? 0) + (options.domain?.length ?? 0);
  const value = encodeURIComponent(token);
  const chunks = splitChunks(name, value, attributes);
  if (chunks === null) {
    throw new JWTSessionError(
      `The session takes ${value.length} bytes, more than fit in ${MAX_CHUNKS} cookies. Store less data in the token (see callbacks.jwt), or use database sessions.`,
    );
  }
  if (chunks.length > 1 && value !== token) {
    throw new JWTSessionError(
      "The token returned by `jwt.encode` needs several cookies and contains characters that cookies do not allow. Return base64url, for example.",
    );
  }
  const kept = new Set(chunks.map((chunk) => chunk.name));
  return () => {
    clearSessionCookies(context, kept);
    for (const chunk of chunks) context.jar.set({ ...chunk, options: { ...options, maxAge } });
  };
}

/**
 * Clears an invalid session token, as far as the mode allows.
 *
 * @param sealed whether this strategy's tokens are encrypted.
 */
export function clearInvalidSession(context: SessionContext, mode: ReadMode, sealed: boolean): void {
  const tokens = receivedSessionTokens(context);
  if (mode === "renew" && tokens.some((token) => hasSealedForm(token) !== sealed)) {
    const hint = "set `session.strategy` to match the application";
    context.logger.debug("ignored a session cookie of the other strategy", { hint });
  } else if (mode !== "look") clearSessionCookies(context);
}

/** Clears every cookie that contained a part of a session token, except those named in `kept`. */
export function clearSessionCookies(context: SessionContext, kept: ReadonlySet<string> = new Set()): void {
  const { name, options } = context.cookies.sessionToken;
  for (const stored of storedChunkNames(name, context.received)) {
    if (!kept.has(stored)) context.jar.set({ name: stored, value: "", options: { ...options, maxAge: 0 } });
  }
}
