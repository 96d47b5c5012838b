import { setCookie } from "../cookies/own-cookie.ts";
import { randomToken } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { CookieAttributes } from "../model/cookie-options.ts";
import { JWTSessionError } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { Awaitable, JWT } from "../model/records.ts";
import type { ResolvedCookie } from "../model/resolved-config.ts";
import type { NamedFormat } from "../model/resolved-extensions.ts";
import type { SessionFormat } from "../model/session-format.ts";
import { MAX_LIFETIME, type Seconds } from "../model/units.ts";
import { cleared, otherScopes, withLifetime } from "../protocol/cookie-attributes.ts";
import { decodeCookieValue, joinChunks, MAX_CHUNKS, splitChunks, storedChunkNames } from "../protocol/cookie-values.ts";
import { type InBrowser, inBrowser } from "./replaced-token.ts";
import type { ReadMode, SessionStrategy } from "./strategy.ts";

/** `; Max-Age=…; Path=; Domain=; Expires=…; HttpOnly; Secure; SameSite=Strict; Partitioned; Priority=Medium`, rounded up. */
const FIXED_ATTRIBUTES_BYTES = 144;

/**
 * The session tokens of a request, joined from its cookies: usually one. There are several if foreign or duplicate cookies
 * were sent. Each is tried, because an invalid one may come first.
 */
export function receivedSessionTokens(context: FlowContext): readonly ReceivedToken[] {
  return sessionCookiesOf(context).flatMap((cookie) => tokensOf(context, cookie));
}

function tokensOf(context: FlowContext, { name, format }: SessionCookie): readonly ReceivedToken[] {
  return joinChunks(name, context).map(({ value, names }) => {
    const token = decodeCookieValue(value);
    if (token !== value) context.redact(token);
    return { token, name, format, names };
  });
}

/** A cookie that may contain a session. */
interface SessionCookie {
  readonly name: string;
  /** The format of another library; undefined for our own tokens. */
  readonly format: SessionFormat | undefined;
}

/** A session token with its cookie. */
export interface ReceivedToken extends SessionCookie {
  readonly token: string;
  /** The cookies that it was sent in: one, or its chunks. */
  readonly names: readonly string[];
}

/**
 * The cookies that may contain a session, our own first. If sessions use the cookie of another library, only that one.
 */
function sessionCookiesOf(context: FlowContext): readonly SessionCookie[] {
  const own = { name: context.cookies.sessionToken.name, format: undefined };
  const { extensions, jwt } = context.config;
  if (extensions?.formats === undefined) return [own];
  const named = ({ format, nameOf }: NamedFormat) => ({ name: nameOf(isSecure(context)), format });
  const emitted = emittedFormat(context);
  return emitted ? [named(emitted)] : [own, ...extensions.formats.accepted(jwt.maxAge, context.now()).map(named)];
}

/** The format whose cookie contains the session; undefined for our own. */
export function emittedFormat({ config, now }: FlowContext): NamedFormat | undefined {
  return config.extensions?.formats?.emitted(now());
}

function isSecure({ cookies }: FlowContext): boolean {
  return cookies.sessionToken.options.secure === true;
}

/** The cookie format in which sessions are written: our own, or that of another library. */
interface WrittenCookie extends ResolvedCookie {
  readonly seal?: (claims: JWT, maxAge: Seconds) => Awaitable<string>;
}

/** The cookie that a session is written to. */
export function writtenSessionCookie(context: FlowContext): WrittenCookie {
  const own = context.cookies.sessionToken;
  const emitted = emittedFormat(context);
  if (emitted === undefined) return own;
  const name = emitted.nameOf(isSecure(context));
  const { secrets } = context.config.jwt;
  const seal = async (claims: JWT, maxAge: Seconds) =>
    (await emitted.format.seal?.(claims, name, maxAge, secrets)) ?? "";
  return { ...own, name, seal };
}

/** Tokens in our own cookie while sessions use that of another library: they are not read. */
export function supersededTokens(context: FlowContext): readonly ReceivedToken[] {
  if (emittedFormat(context) === undefined) return [];
  return tokensOf(context, { name: context.cookies.sessionToken.name, format: undefined });
}

/** The sessions whose place a token takes in the browser, and why it does. */
export interface Succession {
  readonly of: InBrowser;
  /**
   * - `signin`: they end.
   * - `rotation`: they get another token. It is not set if they end in the meantime.
   * - `renewal`, and `read`, which changes nothing else: they stay what they are, unless they end or get another token in the meantime.
   */
  readonly cause: "signin" | "rotation" | "renewal" | "read";
}

/** Adds the cookies of a session to the jar. */
export type Commit = (succession: Succession) => void;

/** Remembers what became of the former sessions. @returns whether the cookies of the new one may be set, also later. */
function succeed({ of, cause }: Succession): (() => boolean) | undefined {
  if (cause === "signin") return void of.end();
  if (cause !== "rotation") return () => !of.isSuperseded();
  of.supersede();
  return () => !of.hasEnded();
}

/** The context, with a jar whose cookies are set only while the session that they are about `isCurrent`. */
function whileCurrent(context: FlowContext, isCurrent: (() => boolean) | undefined): FlowContext {
  const { jar } = context;
  return { ...context, jar: { ...jar, set: (cookie) => jar.set({ ...cookie, isCurrent }) } };
}

/**
 * Splits the session token into as many cookies as needed.
 *
 * @returns a function that adds them to the jar and clears unused ones.
 * @throws JWTSessionError if more than five are needed.
 */
export function prepareSessionCookies(context: FlowContext, token: string, maxAge: Seconds): Commit {
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
  return (succession) => {
    const judged = whileCurrent(context, succeed(succession));
    clearOthers(judged, kept, succession.cause === "read");
    const limited = withLifetime(options, maxAge, context.now());
    for (const chunk of chunks) judged.jar.set({ ...chunk, options: limited });
  };
}

/**
 * Clears the cookies of a session that has ended, and no others: another application on this host may use the same name, with
 * another secret. If the browser sent a name several times, a valid session may be among the values, and the cookie is kept. A sign-in
 * that received the same token replaces the cookie: if that happens before the response, nothing is cleared.
 */
export function clearEndedSession(
  context: FlowContext,
  mode: ReadMode,
  ended: ReceivedToken,
  session?: FoundSession,
): void {
  const browser = inBrowser(context, [ended], session === undefined ? [] : [session]);
  const judged = whileCurrent(context, () => !browser.isSuperseded());
  if (clearReceived(judged, mode, ended)) clearMark(judged);
}

/**
 * Clears the cookies of one token, while another may be the session.
 *
 * @returns whether they are cleared.
 */
export function clearReceived(context: FlowContext, mode: ReadMode, { names, format }: ReceivedToken): boolean {
  if (mode === "look" || names.some((name) => context.repeated.has(name))) return false;
  const { options } = context.cookies.sessionToken;
  for (const name of names) {
    const attributes = format === undefined ? options : foreignAttributes(name, options);
    context.jar.set(cleared(name, attributes));
  }
  return true;
}

/**
 * Ends the sessions of a request in its browser: clears every cookie that contained a part of a session token, in every scope, and the
 * mark. A response that is under way brings none of them back.
 *
 * @param sessions Those that are known of the request.
 */
export function endInBrowser(context: FlowContext, sessions: readonly FoundSession[]): void {
  inBrowser(context, receivedSessionTokens(context), sessions).end();
  clearOthers(context, new Set(), false);
  clearMark(context);
}

/**
 * Clears every such cookie except those named in `kept`, and these in other scopes: an older one comes first, and would be read instead
 * of what is written. A read leaves other scopes alone, because it must not end a session that is valid in another application.
 */
function clearOthers(context: FlowContext, kept: ReadonlySet<string>, isRead: boolean): void {
  const { name, options } = context.cookies.sessionToken;
  clearCookie(context, name, options, kept, isRead);
  const { extensions, jwt } = context.config;
  for (const foreign of extensions?.formats?.cleared(jwt.maxAge, context.now()) ?? [])
    clearCookie(context, foreign, foreignAttributes(foreign, options), kept, isRead);
}

/**
 * A prefix requires certain attributes (RFC 6265bis §4.1.3); otherwise ours are used, which equal those of the other
 * library.
 */
function foreignAttributes(name: string, options: CookieAttributes): CookieAttributes {
  if (name.startsWith("__Host-")) return { httpOnly: true, sameSite: "lax", path: "/", secure: true };
  return name.startsWith("__Secure-") ? { ...options, secure: true } : options;
}

/** The present scope comes last: Next.js keeps the last cookie of each name. */
function clearCookie(
  { received, jar, origin }: FlowContext,
  name: string,
  options: CookieAttributes,
  kept: ReadonlySet<string>,
  isRead: boolean,
): void {
  for (const stored of storedChunkNames(name, received)) {
    const others = isRead ? [] : otherScopes(stored, options, new URL(origin).hostname);
    const scopes = kept.has(stored) ? others : [...others, options];
    for (const scope of scopes) jar.set(cleared(stored, scope));
  }
}

/*
 * The mark of the session: a random text in a cookie that scripts can read. Hooks compare it, and fetch the session if server code has
 * begun, changed or ended one. It is cleared with the session's cookies, wherever that happens. A read that renews
 * them leaves it alone, and so sets one cookie at most.
 */

/** Adds the mark to a strategy. */
export function withSessionMark<S extends Omit<SessionStrategy, "findAll" | "findSole">>(strategy: S): S {
  return {
    ...strategy,
    issue: async (context, signedIn) => {
      const id = await strategy.issue(context, signedIn);
      changeMark(context);
      return id;
    },
    update: async (context, data) => {
      const session = await strategy.update(context, data);
      if (session !== null) changeMark(context);
      return session;
    },
    rotate: async (context, expected, change) => {
      const isRotated = await strategy.rotate(context, expected, change);
      if (isRotated) changeMark(context);
      return isRotated;
    },
  };
}

/** Sets a new mark: the session is another one, or has changed. It outlives any session, which renewals extend without it. */
const changeMark = (context: FlowContext): void => setCookie(context, "sessionMark", randomToken(9), MAX_LIFETIME);

/** Clears the mark: there is no session any more. */
const clearMark = (context: FlowContext): void =>
  context.received.has(context.cookies.sessionMark.name) ? setCookie(context, "sessionMark", "", 0) : undefined;
