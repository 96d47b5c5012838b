import {
  type CookieAttributes,
  type CookieOption,
  type CookiesOptions,
  SESSION_COOKIE,
} from "../model/cookie-options.ts";
import type { ResolvedCookie, ResolvedCookies } from "../model/resolved-config.ts";
import { MAX_LIFETIME } from "../model/units.ts";

/** The names of the library's cookies without prefix (docs/behaviour.md#cookies). */
const NAMES = {
  sessionToken: SESSION_COOKIE,
  sessionMark: "cardea.session-mark",
  callbackUrl: "cardea.callback-url",
  csrfToken: "cardea.csrf-token",
  state: "cardea.state",
  webauthnChallenge: "cardea.challenge",
  address: "cardea.address",
  identifier: "cardea.identifier",
  lastMethod: "cardea.last-method",
  signInTime: "cardea.sign-in-time",
  error: "cardea.error",
} as const satisfies Record<keyof ResolvedCookies, string>;

/**
 * The library's cookies with the application's changes (docs/behaviour.md#cookies): `HttpOnly`, `SameSite=Lax`, `Path=/`.
 * Secure cookies also have `Secure` and a prefix: `__Host-` if path and domain allow it, else `__Secure-` (RFC 6265bis
 * §4.1.3).
 */
export function resolveCookies(options: CookiesOptions, secure: boolean): ResolvedCookies {
  const given: CookiesOptions = Object.fromEntries(
    Object.entries({ ...options }).map(([key, one]) => [key, foldCase(one)]),
  );
  const overrides = { ...given, state: pendingSignInOption(given), sessionMark: sessionMarkOption(given) };
  const resolve = (key: keyof ResolvedCookies): ResolvedCookie => {
    const own = overrides[key];
    const all: CookieAttributes = { httpOnly: true, sameSite: "lax", path: "/", secure, ...own?.options };
    const options = all.maxAge === undefined ? all : { ...all, maxAge: Math.min(all.maxAge, MAX_LIFETIME) };
    const isHostOnly = options.path === "/" && (options.domain === undefined || options.domain === "");
    const prefix = options.secure !== true ? "" : isHostOnly ? "__Host-" : "__Secure-";
    const name = own?.name ?? `${prefix}${NAMES[key]}`;
    return { name, options, salt: name };
  };
  return {
    sessionToken: resolve("sessionToken"),
    sessionMark: resolve("sessionMark"),
    callbackUrl: resolve("callbackUrl"),
    csrfToken: resolve("csrfToken"),
    state: resolve("state"),
    webauthnChallenge: resolve("webauthnChallenge"),
    address: resolve("address"),
    identifier: resolve("identifier"),
    lastMethod: resolve("lastMethod"),
    signInTime: resolve("signInTime"),
    error: resolve("error"),
  };
}

/** The mark goes where the session goes. Scripts can read it. A renewal does not set it, so that it must not end with the session. */
function sessionMarkOption({ sessionToken, sessionMark }: CookiesOptions): Partial<CookieOption> {
  const { maxAge: _age, expires: _end, ...scope } = sessionToken?.options ?? {};
  return { ...sessionMark, options: { ...scope, httpOnly: false, ...sessionMark?.options } };
}

/** The names of the session cookie with these options; without any, those that options without a name may produce. */
export function sessionCookieNames(given: CookiesOptions | undefined, secure: boolean): readonly string[] {
  if (given !== undefined) return [resolveCookies(given, secure).sessionToken.name];
  return secure ? [`__Host-${SESSION_COOKIE}`, `__Secure-${SESSION_COOKIE}`] : [SESSION_COOKIE];
}

/** From the laxest to the strictest; browsers treat a cookie without a value as `Lax`. */
const SAME_SITE = ["none", false, "lax", true, "strict"] as const;

/** `sameSite` may be given in any letter case. */
function foldCase(option: Partial<CookieOption> | undefined): Partial<CookieOption> | undefined {
  const { sameSite } = option?.options ?? {};
  if (typeof sameSite !== "string") return option;
  const folded = SAME_SITE.find((value) => value === sameSite.toLowerCase());
  return { ...option, options: { ...option?.options, sameSite: folded } };
}

/**
 * A pending sign-in is one cookie, where Auth.js uses three. The names of the other two options are unused, but the attributes of
 * all three apply: those of `state` take precedence, except that the laxest `SameSite` and the smallest `maxAge` are used.
 */
function pendingSignInOption({ state, pkceCodeVerifier, nonce }: CookiesOptions): Partial<CookieOption> {
  const all = [nonce, pkceCodeVerifier, state].map((one) => one?.options ?? {});
  const sameSite = SAME_SITE.find((value) => all.some((one) => (one.sameSite ?? "lax") === value));
  const ages = all.flatMap(({ maxAge }) => maxAge ?? []);
  const maxAge = ages.length === 0 ? {} : { maxAge: Math.min(...ages) };
  return { ...state, options: { ...all[0], ...all[1], ...all[2], sameSite, ...maxAge } };
}
