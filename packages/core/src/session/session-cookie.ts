import type { CookieAttributes } from "../model/cookie-options.ts";
import { JWTSessionError } from "../model/errors.ts";
import type { Awaitable, JWT } from "../model/records.ts";
import type { ResolvedCookie } from "../model/resolved-config.ts";
import type { NamedFormat } from "../model/resolved-extensions.ts";
import type { SessionFormat } from "../model/session-format.ts";
import type { Seconds } from "../model/units.ts";
import { decodeCookieValue, joinChunks, MAX_CHUNKS, splitChunks, storedChunkNames } from "../protocol/cookie-values.ts";
import { hasSealedForm } from "../protocol/session-token.ts";
import type { ReadMode, SessionContext } from "./strategy.ts";

/** `; Max-Age=…; Path=; Domain=; Expires=…; HttpOnly; Secure; SameSite=Strict; Partitioned; Priority=Medium`, rounded up. */
const FIXED_ATTRIBUTES_BYTES = 144;

/**
 * The request's session tokens, joined from its cookies: usually one. There are several if foreign or duplicate cookies
 * were sent. Each is tried, because an invalid one may come first.
 */
export function receivedSessionTokens(context: SessionContext): readonly ReceivedToken[] {
  const tokens: ReceivedToken[] = [];
  for (const { name, format } of sessionCookiesOf(context)) {
    for (const { value, isPart } of joinChunks(name, context)) {
      const token = decodeCookieValue(value);
      if (token !== value) context.redact(token);
      tokens.push({ token, name, format, isPart });
    }
  }
  return tokens;
}

/** A session token with its cookie. */
export interface ReceivedToken {
  readonly token: string;
  readonly name: string;
  /** The format of another library; undefined for our own tokens. */
  readonly format: SessionFormat | undefined;
  /** Whether further chunks may belong to it. */
  readonly isPart: boolean;
}

/**
 * The cookies that may contain a session, our own first. If sessions use the cookie of another library, only that one.
 */
function sessionCookiesOf(context: SessionContext): readonly Pick<ReceivedToken, "name" | "format">[] {
  const own = { name: context.cookies.sessionToken.name, format: undefined };
  const { extensions, jwt } = context.config;
  if (extensions?.formats === undefined) return [own];
  const named = ({ format, nameOf }: NamedFormat) => ({ name: nameOf(isSecure(context)), format });
  const emitted = emittedFormat(context);
  return emitted ? [named(emitted)] : [own, ...extensions.formats.accepted(jwt.maxAge, context.now()).map(named)];
}

/** The format whose cookie contains the session; undefined for our own. */
export function emittedFormat({ config, now }: SessionContext): NamedFormat | undefined {
  return config.extensions?.formats?.emitted(now());
}

function isSecure({ cookies }: SessionContext): boolean {
  return cookies.sessionToken.options.secure === true;
}

/** The cookie format in which sessions are written: our own, or that of another library. */
export interface WrittenCookie extends ResolvedCookie {
  readonly seal?: (claims: JWT, maxAge: Seconds) => Awaitable<string>;
}

/** The cookie that a session is written to. */
export function writtenSessionCookie(context: SessionContext): WrittenCookie {
  const own = context.cookies.sessionToken;
  const emitted = emittedFormat(context);
  if (emitted === undefined) return own;
  const name = emitted.nameOf(isSecure(context));
  const { secrets } = context.config.jwt;
  const seal = async (claims: JWT, maxAge: Seconds) =>
    (await emitted.format.seal?.(claims, name, maxAge, secrets)) ?? "";
  return { ...own, name, seal };
}

/** Clears our own cookie if sessions use that of another library; otherwise it would become the session again later. */
export function clearSupersededSession(context: SessionContext, mode: ReadMode): void {
  if (mode === "look" || emittedFormat(context) === undefined) return;
  const { name, options } = context.cookies.sessionToken;
  clearCookie(context, name, options, new Set());
}

/** Adds the session token to the jar immediately; see {@link prepareSessionCookies}. */
export function writeSessionCookies(context: SessionContext, token: string, maxAge: Seconds): void {
  prepareSessionCookies(context, token, maxAge)();
}

/**
 * Splits the session token into as many cookies as needed.
 *
 * @returns a function that adds them to the jar and clears unused ones.
 * @throws JWTSessionError if more than five are needed.
 */
export function prepareSessionCookies(context: SessionContext, token: string, maxAge: Seconds): () => void {
  const { name, options } = writtenSessionCookie(context);
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
  const isOther = ({ token, isPart }: ReceivedToken) => !isPart && hasSealedForm(token) !== sealed;
  if (mode === "renew" && receivedSessionTokens(context).some(isOther)) {
    const hint = "set `session.strategy` to match the application";
    context.logger.debug("ignored a session cookie of the other strategy", { hint });
  } else if (mode !== "look") clearSessionCookies(context);
}

/** Clears every cookie that contained a part of a session token, except those named in `kept`. */
export function clearSessionCookies(context: SessionContext, kept: ReadonlySet<string> = new Set()): void {
  const { name, options } = context.cookies.sessionToken;
  clearCookie(context, name, options, kept);
  const { extensions, jwt } = context.config;
  for (const foreign of extensions?.formats?.cleared(jwt.maxAge, context.now()) ?? [])
    clearCookie(context, foreign, foreignAttributes(foreign, options), kept);
}

/**
 * A prefix requires certain attributes (RFC 6265bis §4.1.3); otherwise ours are used, which equal those of the other
 * library.
 */
function foreignAttributes(name: string, options: CookieAttributes): CookieAttributes {
  if (name.startsWith("__Host-")) return { httpOnly: true, sameSite: "lax", path: "/", secure: true };
  return name.startsWith("__Secure-") ? { ...options, secure: true } : options;
}

function clearCookie(
  { received, jar }: SessionContext,
  name: string,
  options: CookieAttributes,
  kept: ReadonlySet<string>,
): void {
  for (const stored of storedChunkNames(name, received)) {
    if (!kept.has(stored)) jar.set({ name: stored, value: "", options: { ...options, maxAge: 0 } });
  }
}
