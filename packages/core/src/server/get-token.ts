import { sessionCookieNames } from "../config/cookie-defaults.ts";
import { readEnvironment, runtimeEnvironment } from "../config/env.ts";
import { decode } from "../crypto/jwt.ts";
import type { JWTDecodeParams } from "../model/config.ts";
import type { CookiesOptions } from "../model/cookie-options.ts";
import type { JWT } from "../model/records.ts";
import type { SessionFormat } from "../model/session-format.ts";
import { MAX_LIFETIME, type Seconds } from "../model/units.ts";
import { decodeCookieValue, joinChunks } from "../protocol/cookie-values.ts";
import { requestScheme } from "../protocol/parse-url.ts";
import { parseCookieHeader } from "../protocol/received-cookies.ts";
import { claimedChecks, requireChecks } from "../protocol/session-facts.ts";
import { createSessionFormats } from "../session/session-formats.ts";

/** An extension that may accept session cookies of other libraries. */
interface FormatSource {
  /** The formats; absent for most extensions. */
  readonly sessionFormats?: readonly SessionFormat[] | undefined;
}

/** Parameters of {@link getToken}. */
export interface GetTokenParams {
  /** The request, or anything with its headers. `url` (and, in Express, `protocol`) distinguish https from http. */
  req: {
    headers: Headers | Record<string, string | readonly string[] | undefined>;
    url?: string | undefined;
    protocol?: string | undefined;
  };
  /** One secret or several; each of them can decrypt. Default: `AUTH_SECRET` and its rotated predecessors. */
  secret?: string | readonly string[] | undefined;
  /**
   * Whether the cookie has the prefix of secure cookies. Default: whether the request came over https, as `auth()` decides
   * (`AUTH_URL`, then `X-Forwarded-Proto`, then the URL). If that is unknown, production means https.
   */
  secureCookie?: boolean | undefined;
  /**
   * The option `cookies` of the configuration, whose session cookie is then read under the one name that `auth()` uses. Without it, the
   * names that a configuration without a custom name may produce: on https first `__Host-`, then `__Secure-`.
   */
  cookies?: CookiesOptions | undefined;
  /** The full name of the session cookie. Default: see `cookies`. */
  cookieName?: string | undefined;
  /** Default: the cookie's name. */
  salt?: string | undefined;
  /** Replaces {@link decode}. */
  decode?: ((params: JWTDecodeParams) => Promise<JWT | null>) | undefined;
  /**
   * Extensions that accept sessions of other libraries, such as `bridge()`. Their cookies, and tokens of their formats in the header, are
   * then read as well.
   */
  extensions?: readonly (FormatSource | false | null | undefined)[] | undefined;
  /** How long another library's session is accepted after it was created or renewed, like `session.maxAge`; default: as long as its token. */
  maxAge?: Seconds | undefined;
}

/**
 * The claims of the session token in a request, from the cookie or else from an `Authorization: Bearer` header; null if
 * there is none or it is invalid. No callback is called and nothing is renewed.
 *
 * @throws TypeError if no secret is given or found in the environment; SessionUnavailable if extensions of the application check its
 * sessions, or if the token holds an address that its user has not verified: only `auth()` can ask whether such a session has ended.
 */
export async function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>;
/** The decrypted claims of the session token, or null; with `raw: true` the token itself is returned. */
export async function getToken(params: GetTokenParams & { raw?: false | undefined }): Promise<JWT | null>;
export async function getToken(params: GetTokenParams & { raw?: boolean | undefined }): Promise<JWT | string | null> {
  const tokens = tokensToTry(params);
  const secret = params.secret ?? readEnvironment(runtimeEnvironment()).secrets;
  const first = tokens[0]?.token ?? null;
  if (params.raw === true && (tokens.length < 2 || secret.length === 0)) return first;
  for (const { token, open } of tokens) {
    const claims = await open(secret);
    if (claims === null) continue;
    if (params.raw === true) return token;
    // Nothing but the token is at hand here.
    requireChecks(claimedChecks(claims));
    return claims;
  }
  return params.raw === true ? first : null;
}

/** A token that a request contains, with the format of its cookie. */
interface SentToken {
  readonly token: string;
  open(secret: string | readonly string[]): Promise<JWT | null>;
}

/**
 * The tokens in the order in which they are tried:
 *
 * 1. Those of our cookie, under the names that `auth()` writes; if there is none, the one in the `Authorization` header.
 * 2. Those of the cookies that the extensions accept; in the header, in their formats. Only these, if sessions use such a cookie.
 */
function tokensToTry(params: GetTokenParams): readonly SentToken[] {
  const { headers } = params.req;
  const cookies = parseCookieHeader(headerOf(headers, "cookie") ?? "");
  const schemes = schemesOf(params);
  const { formats, read, isShared } = acceptedFormats(params);
  const sent = (name: string) => joinChunks(name, cookies).map(({ value }) => decodeCookieValue(value));
  const own = isShared ? [] : namesOf(params, schemes).flatMap((name) => sent(name).map((token) => ({ token, name })));
  const bearer = own.length === 0 ? bearerTokens(headerOf(headers, "authorization")) : [];
  const openOwn = (token: string, names: readonly string[]): SentToken => ({
    token,
    open: (secret) => decryptWith(params, token, secret, names),
  });
  return [
    ...own.map(({ token, name }) => openOwn(token, [name])),
    // The header names no cookie, and a key may have been made where the scheme was another.
    ...bearer.map((token) => openOwn(token, namesOf(params, [true, false]))),
    ...read.flatMap(({ format, nameOf }) => {
      const open = (token: string, name: string): SentToken => ({
        token,
        open: (secret) =>
          formats.open(format, token, name, { secrets: [secret].flat(), maxAge: maxAgeOf(params) }, now()),
      });
      const inCookies = namesBy(nameOf, schemes).flatMap((name) => sent(name).map((token) => open(token, name)));
      return [
        ...inCookies,
        ...bearer.flatMap((token) => namesBy(nameOf, [true, false]).map((name) => open(token, name))),
      ];
    }),
  ];
}

async function decryptWith(
  { salt, decode: opens = decode }: GetTokenParams,
  token: string,
  secret: string | readonly string[],
  names: readonly string[],
): Promise<JWT | null> {
  for (const one of salt === undefined ? names : [salt]) {
    const claims = await opens({ token, secret, salt: one });
    if (claims !== null) return claims;
  }
  return null;
}

/** The session formats of the extensions. With `isShared`, only their cookie contains sessions, not ours. */
function acceptedFormats(params: GetTokenParams) {
  const given = (params.extensions ?? []).flatMap((extension) => (extension ? (extension.sessionFormats ?? []) : []));
  const formats = createSessionFormats(given);
  const shared = formats.emitted(now());
  const read = shared === undefined ? formats.accepted(maxAgeOf(params), now()) : [shared];
  return { formats, read, isShared: shared !== undefined };
}

const now = () => Math.floor(Date.now() / 1000);

/** Without a configuration the lifetime is the token's own. */
function maxAgeOf({ maxAge = MAX_LIFETIME }: GetTokenParams): Seconds {
  return maxAge;
}

/** The names of our session cookie: those of the given configuration, or those that any configuration may produce. */
function namesOf({ cookieName, cookies }: GetTokenParams, schemes: readonly boolean[]): readonly string[] {
  if (cookieName !== undefined) return [cookieName];
  return [...new Set(schemes.flatMap((secure) => sessionCookieNames(cookies, secure)))];
}

function namesBy(nameOf: (secure: boolean) => string, schemes: readonly boolean[]): readonly string[] {
  return [...new Set(schemes.map(nameOf))];
}

/**
 * Whether the names of https apply, or those of http, as `auth()` decides; both if that is unknown, except in production. None for any
 * other scheme, with which `auth()` finds no session.
 */
function schemesOf({ req, secureCookie }: GetTokenParams): readonly boolean[] {
  if (secureCookie !== undefined) return [secureCookie];
  const scheme = schemeOfRequest(req);
  if (scheme !== undefined) return [true, false].filter((secure) => scheme === (secure ? "https" : "http"));
  return readEnvironment(runtimeEnvironment()).isProduction ? [true] : [true, false];
}

/** Undefined if unknown. */
function schemeOfRequest({ headers, url, protocol }: GetTokenParams["req"]): string | undefined {
  const forwarded = headerOf(headers, "x-forwarded-proto")?.split(",")[0]?.trim();
  const publicUrl = readEnvironment(runtimeEnvironment()).url;
  const scheme = schemeOf(publicUrl) ?? forwarded ?? schemeOf(url) ?? protocol?.replace(/:$/, "");
  return scheme === undefined ? undefined : requestScheme(scheme, headerOf(headers, "upgrade"));
}

/** The scheme of an absolute URL; undefined for a path, which is all that Node's own requests have. */
function schemeOf(url: string | undefined): string | undefined {
  return /^(https?|wss?):/i.exec(url ?? "")?.[1];
}

function headerOf(headers: GetTokenParams["req"]["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = headers[name];
  return typeof value === "string" ? value : (value?.join("; ") ?? null);
}

/** RFC 6750 §2.1: `Bearer` and a b64token; anything else is not a token. */
function bearerTokens(header: string | null): readonly string[] {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "")?.slice(1) ?? [];
}
