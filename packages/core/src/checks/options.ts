import { isBasePath, isProxyUrl } from "../config/resolve-address.ts";
import type { AuthConfig } from "../model/config.ts";
import { MAX_SECONDS } from "../model/units.ts";
import { hasControlCharacter, parseUrl } from "../protocol/parse-url.ts";
import { isProxyOriginEntry } from "../protocol/proxy-origin.ts";
import { hasMembers, type IssueCheck, type Members, type Rule } from "./find-issues.ts";

const required = (message: string, accepts: (value: unknown) => boolean): Rule => ({ kind: "value", message, accepts });
const must = (message: string, accepts: (value: unknown) => boolean) =>
  required(message, (value) => value === undefined || accepts(value));
const members = <S extends Members["members"]>(inner: S, others?: IssueCheck) =>
  ({ kind: "members", members: inner, others }) as const;
const matching = (pattern: RegExp, message: string) => must(message, (value) => isString(value) && pattern.test(value));
const oneOf = (values: readonly string[], message: string) =>
  must(message, (value) => isString(value) && values.includes(value));
const isString = (value: unknown): value is string => typeof value === "string";

/** Text that is used in a URL, a header, a style sheet or the subject of an e-mail. */
const line = must("a string without control characters", (value) => isString(value) && !hasControlCharacter(value));
const bool = must("a boolean", (value) => typeof value === "boolean");
const callable = must("a function", (value) => typeof value === "function");
const seconds = (minimum: number) =>
  must(
    `a whole number of seconds from ${minimum} to ${MAX_SECONDS}`,
    (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= MAX_SECONDS,
  );
const bytes = must("an integer of at least 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const cookie = members({
  // A cookie name is a token (RFC 6265 §4.1.1).
  name: matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "a cookie name (RFC 6265 §4.1.1)"),
  options: members({
    domain: matching(/^\.?[A-Za-z0-9.-]*$/, "a domain name"),
    path: matching(/^\/[\x21-\x3a\x3c-\x7e]*$/, "a path"),
    // A value that cannot be serialised would otherwise fail in each response that sets the cookie.
    sameSite: must(
      'true, false, "lax", "strict" or "none"',
      (value) => typeof value === "boolean" || (isString(value) && /^(?:lax|strict|none)$/i.test(value)),
    ),
    priority: matching(/^(?:low|medium|high)$/i, '"low", "medium" or "high"'),
    httpOnly: bool,
    secure: bool,
    partitioned: bool,
    maxAge: seconds(0),
    expires: must("a date", (value) => value instanceof Date && !Number.isNaN(value.getTime())),
  }),
});
const page = must("a path that starts with / or an http(s) URL", (value) => isString(value) && isPageUrl(value));
const basePath = must("a path such as /auth, without wildcards", (value) => isString(value) && isBasePath(value));
const secret = must("a string or a list of strings", (value) => isString(value) || isListOfStrings(value));

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => member === undefined || isString(member));
}

const isFunctionOf = (value: object, name: string) => typeof Reflect.get(value, name) === "function";

/** Whether a value has the four operations of a store and, if it has a log, both of the log's. */
function isStore(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const log: unknown = Reflect.get(value, "log") ?? null;
  const hasLog =
    log === null || (typeof log === "object" && ["append", "since"].every((name) => isFunctionOf(log, name)));
  return hasLog && ["get", "set", "add", "swap"].every((name) => isFunctionOf(value, name));
}

function isPageUrl(value: string): boolean {
  return /^(?:\/(?![\\/])|https?:\/\/)[\x21-\x7e]*$/.test(value) && parseUrl(value, "https://app.example.com") !== null;
}

const anything = required("anything", () => true);

/** A description of every member, so that none counts as unknown. */
type Described<T> = Record<keyof T, IssueCheck>;

/** The configuration object, option by option. Options that are not listed here are ignored. */
export const OPTIONS: Members = members({
  providers: required("a list of providers", Array.isArray),
  adapter: must("an adapter", hasMembers),
  basePath,
  strippedPrefix: basePath,
  callbacks: members({
    allowAttempt: callable,
    signIn: callable,
    redirect: callable,
    jwt: callable,
    session: callable,
    authorized: callable,
  }),
  cookies: members({
    sessionToken: cookie,
    sessionMark: cookie,
    callbackUrl: cookie,
    csrfToken: cookie,
    pkceCodeVerifier: cookie,
    state: cookie,
    nonce: cookie,
    webauthnChallenge: cookie,
    address: cookie,
    identifier: cookie,
    lastMethod: cookie,
    signInTime: cookie,
    error: cookie,
  }),
  debug: bool,
  encodedSlashes: oneOf(["allow", "refuse"], '"allow" or "refuse"'),
  events: members(
    {
      signIn: callable,
      signOut: callable,
      createUser: callable,
      updateUser: callable,
      linkAccount: callable,
      session: callable,
    } satisfies Described<NonNullable<AuthConfig["events"]>>,
    callable,
  ),
  extensions: must("a list of extensions", Array.isArray),
  experimental: members({ enableWebAuthn: bool }),
  jwt: members({ secret, maxAge: seconds(1), encode: callable, decode: callable, tokenCache: bytes }),
  logger: members({ error: callable, warn: callable, debug: callable }),
  maxTenants: must("an integer of at least 1", (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  origins: { kind: "list", message: "a list of origins", each: required("a string", isString) },
  pages: members({ signIn: page, signOut: page, error: page, verifyRequest: page, newUser: page }),
  redirectProxyUrl: must(
    "an https URL, or http on a loopback host",
    (value) => (isString(value) || value instanceof URL) && isProxyUrl(String(value)),
  ),
  redirectProxyOrigins: {
    kind: "list",
    message: "a list of origins",
    each: required(
      "an origin such as https://app.example.com or https://*.previews.example.com",
      (value) => isString(value) && isProxyOriginEntry(value),
    ),
  },
  redirectSchemes: {
    kind: "list",
    message: "a list of schemes",
    each: required(
      "a lower-case scheme without colon, not javascript, data, file or blob",
      (value) => isString(value) && REDIRECT_SCHEME.test(value),
    ),
  },
  secret,
  session: members({
    strategy: oneOf(["jwt", "database"], '"jwt" or "database"'),
    maxAge: seconds(1),
    updateAge: seconds(0),
    absolute: seconds(1),
    generateSessionToken: callable,
  }),
  store: must("a store: `get`, `set`, `add` and `swap` (docs/stores.md)", isStore),
  theme: members({
    colorScheme: oneOf(["auto", "dark", "light"], '"auto", "dark" or "light"'),
    brandName: line,
    brandColor: line,
    buttonText: line,
    logo: line,
    homeUrl: page,
    lastMethod: bool,
  }),
  trustHost: bool,
  useSecureCookies: bool,
  texts: members({}),
  skipCSRFCheck: anything,
  raw: anything,
} satisfies Described<AuthConfig>);

/** RFC 3986 §3.1; schemes that run code, or show what a visitor sent, are excluded. */
const REDIRECT_SCHEME = /^(?!(?:javascript|data|file|blob)$)[a-z][a-z\d+.-]*$/;
