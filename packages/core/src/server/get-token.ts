import { readEnvironment, runtimeEnvironment } from "../config/env.ts";
import { decode } from "../crypto/jwt.ts";
import type { JWTDecodeParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import { DEFAULT_SESSION_MAX_AGE, type Seconds } from "../model/units.ts";
import { joinChunks } from "../protocol/cookie-values.ts";
import { parseCookieHeader } from "../protocol/received-cookies.ts";
import { type FormatSource, findForeignTokens } from "./foreign-token.ts";

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
  /** Default: the library's session cookie, under the same name that `auth()` reads. */
  cookieName?: string | undefined;
  /** Default: the cookie's name. */
  salt?: string | undefined;
  /** Replaces {@link decode}. */
  decode?: ((params: JWTDecodeParams) => Promise<JWT | null>) | undefined;
  /** Extensions that accept session cookies of other libraries, such as `bridge()`; these cookies are then read as well. */
  extensions?: readonly (FormatSource | false | null | undefined)[] | undefined;
  /** How long another library's session is accepted after it was created or renewed; default 30 days, like `session.maxAge`. */
  maxAge?: Seconds | undefined;
}

/**
 * The claims of the session token in a request, from the cookie or else from an `Authorization: Bearer` header; null if
 * there is none or it is invalid. No callback is called and nothing is renewed.
 *
 * @throws TypeError if no secret is given or found in the environment.
 */
export async function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>;
/** The decrypted claims of the session token, or null; with `raw: true` the token itself is returned. */
export async function getToken(params: GetTokenParams & { raw?: false | undefined }): Promise<JWT | null>;
export async function getToken(params: GetTokenParams & { raw?: boolean | undefined }): Promise<JWT | string | null> {
  const cookies = parseCookieHeader(headerOf(params.req.headers, "cookie") ?? "");
  const scheme = params.secureCookie ?? isHttps(params.req);
  const name = params.cookieName ?? sessionCookieName(params, scheme);
  const foreign = findForeignTokens(params.extensions ?? [], {
    cookies,
    secure:
      scheme === undefined && !readEnvironment(runtimeEnvironment()).isProduction ? [true, false] : [scheme ?? true],
    maxAge: params.maxAge ?? DEFAULT_SESSION_MAX_AGE,
  });
  const fromCookie = foreign.alone ? [] : joinChunks(name, cookies).map(({ value }) => value);
  const bearer = bearerToken(headerOf(params.req.headers, "authorization"));
  const tokens = fromCookie.length > 0 || bearer === null ? fromCookie : [bearer];
  const first = tokens[0] ?? foreign.tokens[0]?.token ?? null;
  const secret = params.secret ?? readEnvironment(runtimeEnvironment()).secrets;
  if (params.raw === true && (tokens.length < 2 || secret.length === 0)) return first;
  // A bearer token has no cookie name. If the scheme is unknown, the token may be from the https or the http cookie.
  const isNameless = fromCookie.length === 0 && params.cookieName === undefined && scheme === undefined;
  const salts =
    params.salt !== undefined ? [params.salt] : isNameless ? [SECURE_SESSION_COOKIE, SESSION_COOKIE] : [name];
  for (const token of tokens) {
    for (const salt of salts) {
      const claims = await (params.decode ?? decode)({ token, secret, salt });
      if (claims !== null) return params.raw === true ? token : claims;
    }
  }
  if (params.raw === true) return first;
  for (const { claims } of foreign.tokens) {
    const opened = await claims([secret].flat());
    if (opened !== null) return opened;
  }
  return null;
}

const SESSION_COOKIE = "cardea.session-token";
const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/**
 * The default name, which `auth()` also reads. On https only the `__Host-` cookie is accepted: a sibling domain and a page
 * on plain http can set a cookie without the prefix (RFC 6265bis §4.1.3.2).
 */
function sessionCookieName({ req }: GetTokenParams, secure: boolean | undefined): string {
  const { isProduction } = readEnvironment(runtimeEnvironment());
  const isSent = (headerOf(req.headers, "cookie") ?? "").includes(SECURE_SESSION_COOKIE);
  return (secure ?? (isProduction || isSent)) ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
}

/** As `auth()` decides; undefined if unknown. */
function isHttps({ headers, url, protocol }: GetTokenParams["req"]): boolean | undefined {
  const forwarded = headerOf(headers, "x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
  const publicUrl = readEnvironment(runtimeEnvironment()).url;
  const scheme = schemeOf(publicUrl) ?? forwarded ?? schemeOf(url) ?? protocol;
  return scheme === undefined ? undefined : scheme === "https";
}

/** The scheme of an absolute URL; undefined for a path, which is all that Node's own requests have. */
function schemeOf(url: string | undefined): string | undefined {
  return /^(https?):/i.exec(url ?? "")?.[1]?.toLowerCase();
}

function headerOf(headers: GetTokenParams["req"]["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = headers[name];
  return typeof value === "string" ? value : (value?.join("; ") ?? null);
}

/** RFC 6750 §2.1: `Bearer` and a b64token; anything else is not a token. */
function bearerToken(header: string | null): string | null {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "")?.[1] ?? null;
}
