import * as z from "zod/mini";
import { isProxyOriginEntry } from "../protocol/proxy-origin.ts";
import type { Problem } from "./resolution.ts";

/**
 * One kind of value. zod walks the configuration and collects what is wrong with it; what a value must be is said here, so that
 * every message is ours and none of zod's own kinds has to be loaded at the start.
 */
const required = (message: string, accepts: (value: unknown) => boolean) =>
  z.custom<unknown>(accepts, `must be ${message}`);
const must = (message: string, accepts: (value: unknown) => boolean) => z.optional(required(message, accepts));
const matching = (pattern: RegExp, message: string) => must(message, (value) => isString(value) && pattern.test(value));
const oneOf = (values: readonly string[], message: string) =>
  must(message, (value) => isString(value) && values.includes(value));
const OBJECT = "must be an object";
const members = <S extends z.core.$ZodLooseShape>(shape: S) => z.optional(z.looseObject(shape, OBJECT));

const isString = (value: unknown): value is string => typeof value === "string";

const text = must("a string", isString);
const bool = must("a boolean", (value) => typeof value === "boolean");
const callable = must("a function", (value) => typeof value === "function");
/** A hundred years: beyond it there are no dates, and every read of a session would fail. */
const MAX_SECONDS = 100 * 366 * 24 * 60 * 60;
const seconds = (minimum: number) =>
  must(
    `a whole number of seconds from ${minimum} to ${MAX_SECONDS}`,
    (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= MAX_SECONDS,
  );
const cookie = members({
  // RFC 6265 §4.1.1: a cookie name is a token.
  name: matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "a cookie name (RFC 6265 §4.1.1)"),
  options: members({
    domain: matching(/^\.?[A-Za-z0-9.-]*$/, "a domain name"),
    path: matching(/^\/[\x21-\x3a\x3c-\x7e]*$/, "a path"),
    // What cannot be written would otherwise fail at each answer that sets the cookie.
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
const page = must("a path that starts with / or an http(s) URL", (value) => isString(value) && isPage(value));
/** Segments that a URL parser would take away or join are no part of it: no request could ever match. */
const basePath = matching(/^(?=\/)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, "a path that starts with /");
const secret = must("a string or a list of strings", (value) => isString(value) || isListOfStrings(value));

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => member === undefined || isString(member));
}

function isPage(value: string): boolean {
  return /^(?:\/(?![\\/])|https?:\/\/)[\x21-\x7e]*$/.test(value) && URL.canParse(value, "https://app.example.com");
}

function isSecureUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname));
}

/** The configuration object, option by option (spec 9). Options that are not listed here are left alone. */
const schema = z.looseObject(
  {
    providers: z.array(z.unknown(), "must be a list of providers"),
    adapter: z.optional(z.looseObject({}, "must be an adapter")),
    basePath,
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
      callbackUrl: cookie,
      csrfToken: cookie,
      pkceCodeVerifier: cookie,
      state: cookie,
      nonce: cookie,
      webauthnChallenge: cookie,
    }),
    debug: bool,
    events: z.optional(z.catchall(z.object({}, OBJECT), callable)),
    experimental: members({ enableWebAuthn: bool }),
    jwt: members({ secret, maxAge: seconds(1), encode: callable, decode: callable }),
    logger: members({ error: callable, warn: callable, debug: callable }),
    pages: members({ signIn: page, signOut: page, error: page, verifyRequest: page, newUser: page }),
    redirectProxyUrl: must("an https URL, or http on a loopback host", isSecureUrl),
    redirectProxyOrigins: z.optional(
      z.array(
        required(
          "an origin such as https://app.example.com or https://*.previews.example.com",
          (value) => isString(value) && isProxyOriginEntry(value),
        ),
        "must be a list of origins",
      ),
    ),
    secret,
    session: members({
      strategy: oneOf(["jwt", "database"], '"jwt" or "database"'),
      maxAge: seconds(1),
      updateAge: seconds(0),
      generateSessionToken: callable,
    }),
    theme: members({
      colorScheme: oneOf(["auto", "dark", "light"], '"auto", "dark" or "light"'),
      brandColor: text,
      buttonText: text,
      logo: text,
    }),
    trustHost: bool,
    useSecureCookies: bool,
  },
  OBJECT,
);

/**
 * Checks the configuration's shape. Never throws.
 *
 * @returns every problem at once, each with the option, what is accepted, and what kind of value was given; never the value.
 */
export function findShapeProblems(config: unknown): readonly Problem[] {
  const result = schema.safeParse(config);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const option = issue.path.map(String).join(".") || "config";
    return { option, message: `${issue.message} (given: ${kindAt(config, issue.path)})` };
  });
}

function kindAt(config: unknown, path: readonly PropertyKey[]): string {
  let value = config;
  for (const key of path) value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
