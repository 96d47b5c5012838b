import type { CookieAttributes, CookiesOptions } from "../model/config.ts";
import type { ResolvedCookie, ResolvedCookies } from "../model/resolved-config.ts";
import { MAX_LIFETIME } from "../model/units.ts";

/** The names of our cookies without prefix (docs/behaviour.md#cookies). */
const NAMES = {
  sessionToken: "cardea.session-token",
  callbackUrl: "cardea.callback-url",
  csrfToken: "cardea.csrf-token",
  pkceCodeVerifier: "cardea.pkce.code_verifier",
  state: "cardea.state",
  nonce: "cardea.nonce",
  webauthnChallenge: "cardea.challenge",
  address: "cardea.address",
} as const satisfies Record<keyof ResolvedCookies, string>;

/**
 * Our cookies with the application's changes (docs/behaviour.md#cookies): `HttpOnly`, `SameSite=Lax`, `Path=/`, and where they are secure
 * `Secure` and a prefix: `__Host-` while path and domain allow it, else `__Secure-` (RFC 6265bis §4.1.3).
 */
export function resolveCookies(overrides: CookiesOptions, secure: boolean): ResolvedCookies {
  const resolve = (key: keyof ResolvedCookies): ResolvedCookie => {
    const own = overrides[key];
    const given: CookieAttributes = { httpOnly: true, sameSite: "lax", path: "/", secure, ...own?.options };
    const options = given.maxAge === undefined ? given : { ...given, maxAge: Math.min(given.maxAge, MAX_LIFETIME) };
    const isHostOnly = options.path === "/" && (options.domain === undefined || options.domain === "");
    const prefix = options.secure !== true ? "" : isHostOnly ? "__Host-" : "__Secure-";
    const name = own?.name ?? `${prefix}${NAMES[key]}`;
    return { name, options, salt: name };
  };
  return {
    sessionToken: resolve("sessionToken"),
    callbackUrl: resolve("callbackUrl"),
    csrfToken: resolve("csrfToken"),
    pkceCodeVerifier: resolve("pkceCodeVerifier"),
    state: resolve("state"),
    nonce: resolve("nonce"),
    webauthnChallenge: resolve("webauthnChallenge"),
    address: resolve("address"),
  };
}
