import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig, ResolvedCookie, ResolvedCookies } from "../model/resolved-config.ts";
import type { Problem } from "../model/sign-in-method.ts";

/** Cookies without which no user can sign in. */
const NEEDED = new Set(["sessionToken", "csrfToken", "state"]);

/**
 * Finds cookies that no browser stores, whatever the request (RFC 6265bis §4.1.3, §5.7). Unless the application is on https, a cookie
 * without `secure` is only a warning ({@link findCookieWarnings}): one whose `secure` is that of production must start in development, and
 * in a test suite.
 *
 * 1. A `__Host-` cookie has no `domain`, and the path `/`.
 * 2. A `__Host-` or `__Secure-` cookie, and one with `SameSite=None`, is `secure`. Without a setting it is on https.
 * 3. With a `maxAge` of 0, browsers delete the cookie.
 *
 * @param scheme `https:` or `http:`; undefined if it may be either.
 */
export function findCookieProblems(
  given: AuthConfig,
  { secure, plain }: ResolvedConfig["cookies"],
  scheme: string | undefined,
): Problem[] {
  const isOff = given.useSecureCookies === false;
  const although = isOff ? " although `useSecureCookies` is false" : "";
  return configured(given, isOff ? plain : secure).flatMap(([key, cookie]) => {
    const { domain, path, maxAge } = cookie.options;
    const because = `because the name \`${cookie.name}\` begins with \`__Host-\` (RFC 6265bis §4.1.3)`;
    const isHost = /^__Host-/i.test(cookie.name);
    const reason = scheme === "https:" ? reasonForSecure(cookie) : undefined;
    return [
      ...(isHost && domain ? [{ option: "domain", message: `must be absent, ${because}` }] : []),
      ...(isHost && path !== "/" ? [{ option: "path", message: `must be "/", ${because}` }] : []),
      ...(reason
        ? [{ option: "secure", message: `must be true${although}, because ${reason} (RFC 6265bis §5.7)` }]
        : []),
      ...(maxAge === 0 && NEEDED.has(key) ? [{ option: "maxAge", message: "must be at least 1" }] : []),
    ].map(({ option, message }) => ({ option: `cookies.${key}.options.${option}`, message }));
  });
}

/** Warns about cookies that browsers store on https only, or with the options of production only. */
export function findCookieWarnings(
  given: AuthConfig,
  { plain, secure }: ResolvedConfig["cookies"],
  scheme: string | undefined,
): string[] {
  if (scheme === "https:") return [];
  const { useSecureCookies: isSecure = scheme !== "http:" } = given;
  return configured(given, isSecure ? secure : plain).flatMap(([key, cookie]) => {
    const reason = reasonForSecure(cookie);
    if (reason === undefined) return [];
    return [
      `cookie-on-http: browsers do not store the cookie of \`cookies.${key}\` without \`secure\`, because ${reason}. Use https, or set other \`cookies\` on http.`,
    ];
  });
}

/** The attributes of the mark are those of the session, unless it has an option. */
function configured(
  { cookies }: AuthConfig,
  resolved: ResolvedCookies,
): readonly (readonly [string, ResolvedCookie])[] {
  return Object.entries(resolved).filter(([key]) => key !== "sessionMark" || cookies?.sessionMark !== undefined);
}

/** Why browsers store a cookie only with `Secure`, which it has not. */
function reasonForSecure({ name, options }: ResolvedCookie): string | undefined {
  if (options.secure === true) return undefined;
  const [prefix] = /^__(?:Host|Secure)-/i.exec(name) ?? [];
  if (prefix !== undefined) return `the name \`${name}\` begins with \`${prefix}\``;
  return options.sameSite === "none" ? '`sameSite` is "none"' : undefined;
}
