import { decode } from "./crypto/jwt.ts";
import type { JWTDecodeParams } from "./model/config.ts";
import type { JWT } from "./model/records.ts";
import { joinChunks } from "./protocol/cookie-chunks.ts";

/** Where {@link getToken} looks. */
export interface GetTokenParams {
  /** The request, or anything with its headers. */
  req: { headers: Headers | Record<string, string | readonly string[] | undefined> };
  secret: string | readonly string[];
  /** Whether the cookie has the prefix of secure cookies; default: whether such a cookie is there. */
  secureCookie?: boolean | undefined;
  /** Default: our session cookie. */
  cookieName?: string | undefined;
  /** Default: the cookie's name. */
  salt?: string | undefined;
  /** Replaces {@link decode}. */
  decode?: ((params: JWTDecodeParams) => Promise<JWT | null>) | undefined;
}

/**
 * The claims of the session token that came with a request, from the cookie or else from an `Authorization: Bearer` header;
 * null when there is none or it is not valid. No callback is called and nothing is renewed.
 *
 * @throws TypeError when no secret is given.
 */
export async function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>;
export async function getToken(params: GetTokenParams & { raw?: false | undefined }): Promise<JWT | null>;
export async function getToken(params: GetTokenParams & { raw?: boolean | undefined }): Promise<JWT | string | null> {
  const cookies = parseCookieHeader(headerOf(params.req.headers, "cookie") ?? "");
  const candidates = params.cookieName === undefined ? defaultNames(params.secureCookie) : [params.cookieName];
  const name = candidates.find((candidate) => joinChunks(candidate, cookies) !== null) ?? candidates[0] ?? "";
  const token = joinChunks(name, cookies) ?? bearerToken(headerOf(params.req.headers, "authorization"));
  if (token === null) return null;
  if (params.raw === true) return token;
  return (params.decode ?? decode)({ token, secret: params.secret, salt: params.salt ?? name });
}

const SESSION_COOKIE = "cardea.session-token";

function defaultNames(secure: boolean | undefined): readonly string[] {
  const prefixed = [`__Host-${SESSION_COOKIE}`, `__Secure-${SESSION_COOKIE}`];
  if (secure === undefined) return [...prefixed, SESSION_COOKIE];
  return secure ? prefixed : [SESSION_COOKIE];
}

function headerOf(headers: GetTokenParams["req"]["headers"], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = headers[name];
  return typeof value === "string" ? value : (value?.join("; ") ?? null);
}

/** RFC 6750 §2.1: `Bearer` and a b64token; anything else is no token. */
function bearerToken(header: string | null): string | null {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header ?? "")?.[1] ?? null;
}

// The `cookie` package belongs to the rooms that read requests; a session token needs no unescaping.
function parseCookieHeader(header: string): ReadonlyMap<string, string> {
  const pairs = header.split(";").map((pair) => pair.trim().split("="));
  return new Map(pairs.toReversed().map(([name = "", ...value]) => [name, value.join("=")]));
}
