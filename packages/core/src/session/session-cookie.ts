import { JWTSessionError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { joinChunks, MAX_CHUNKS, splitChunks, storedChunkNames } from "../protocol/cookie-chunks.ts";
import type { SessionContext } from "./strategy.ts";

/** `; Max-Age=…; Path=; Domain=; Expires=…; HttpOnly; Secure; SameSite=Strict; Partitioned; Priority=Medium`, rounded up. */
const FIXED_ATTRIBUTES_BYTES = 144;

/** The session token that came with the request, put together from its cookies; null when there is none. */
export function receivedSessionToken(context: SessionContext): string | null {
  return joinChunks(context.cookies.sessionToken.name, context.received);
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
  const chunks = splitChunks(name, token, attributes);
  if (chunks === null) {
    throw new JWTSessionError(
      `The session takes ${token.length} bytes, more than fit in ${MAX_CHUNKS} cookies. Keep less in the token (callbacks.jwt), or use database sessions.`,
    );
  }
  const kept = new Set(chunks.map((chunk) => chunk.name));
  return () => {
    clearSessionCookies(context, kept);
    for (const chunk of chunks) context.jar.set({ ...chunk, options: { ...options, maxAge } });
  };
}

/** Clears every cookie under which a part of a session token came, but for those named in `kept`. */
export function clearSessionCookies(context: SessionContext, kept: ReadonlySet<string> = new Set()): void {
  const { name, options } = context.cookies.sessionToken;
  for (const stored of storedChunkNames(name, context.received)) {
    if (!kept.has(stored)) context.jar.set({ name: stored, value: "", options: { ...options, maxAge: 0 } });
  }
}
