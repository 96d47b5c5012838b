import * as z from "zod/mini";
import { isProxyOriginEntry } from "../protocol/proxy-origin.ts";
import type { Problem } from "./resolution.ts";

const text = z.string();
const bool = z.boolean();
const callable = z.custom<(...args: never[]) => unknown>((value) => typeof value === "function", "must be a function");
/** A hundred years: beyond it there are no dates, and every read of a session would fail. */
const MAX_SECONDS = 100 * 366 * 24 * 60 * 60;
const seconds = (minimum: number) => {
  const message = `must be a whole number of seconds from ${minimum} to ${MAX_SECONDS}`;
  return z.int().check(z.minimum(minimum, message), z.maximum(MAX_SECONDS, message));
};
const SAME_SITE = 'must be true, false, "lax", "strict" or "none"';
const cookie = z.looseObject({
  // RFC 6265 §4.1.1: a cookie name is a token.
  name: z.optional(
    z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be a cookie name (RFC 6265 §4.1.1)")),
  ),
  options: z.optional(
    z.looseObject({
      domain: z.optional(z.string().check(z.regex(/^\.?[A-Za-z0-9.-]*$/, "must be a domain name"))),
      path: z.optional(z.string().check(z.regex(/^\/[\x21-\x3a\x3c-\x7e]*$/, "must be a path"))),
      // What cannot be written would otherwise fail at each answer that sets the cookie.
      sameSite: z.optional(z.union([bool, text.check(z.regex(/^(?:lax|strict|none)$/i))], SAME_SITE)),
      priority: z.optional(text.check(z.regex(/^(?:low|medium|high)$/i, 'must be "low", "medium" or "high"'))),
      httpOnly: z.optional(bool),
      secure: z.optional(bool),
      partitioned: z.optional(bool),
      maxAge: z.optional(seconds(0)),
      expires: z.optional(z.date()),
    }),
  ),
});
const PAGE = "must be a path that starts with / or an http(s) URL";
const page = z.string().check(
  z.regex(/^(?:\/(?![\\/])|https?:\/\/)[\x21-\x7e]*$/, PAGE),
  z.refine((value) => URL.canParse(value, "https://app.example.com"), PAGE),
);
/** Segments that a URL parser would take away or join are no part of it: no request could ever match. */
const basePath = z
  .string()
  .check(z.regex(/^(?=\/)(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, "must be a path that starts with /"));
const secret = z.union([text, z.array(z.union([text, z.undefined()]))], "must be a string or a list of strings");

function isSecureUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname));
}

/** The configuration object, option by option (spec 9). Options that are not listed here are left alone. */
const schema = z.looseObject({
  providers: z.array(z.unknown(), "must be a list of providers"),
  adapter: z.optional(z.looseObject({}, "must be an adapter")),
  basePath: z.optional(basePath),
  callbacks: z.optional(
    z.looseObject({
      signIn: z.optional(callable),
      redirect: z.optional(callable),
      jwt: z.optional(callable),
      session: z.optional(callable),
      authorized: z.optional(callable),
    }),
  ),
  cookies: z.optional(
    z.looseObject({
      sessionToken: z.optional(cookie),
      callbackUrl: z.optional(cookie),
      csrfToken: z.optional(cookie),
      pkceCodeVerifier: z.optional(cookie),
      state: z.optional(cookie),
      nonce: z.optional(cookie),
      webauthnChallenge: z.optional(cookie),
    }),
  ),
  debug: z.optional(bool),
  events: z.optional(z.record(text, z.optional(callable))),
  experimental: z.optional(z.looseObject({ enableWebAuthn: z.optional(bool) })),
  jwt: z.optional(
    z.looseObject({
      secret: z.optional(secret),
      maxAge: z.optional(seconds(1)),
      encode: z.optional(callable),
      decode: z.optional(callable),
    }),
  ),
  logger: z.optional(
    z.looseObject({ error: z.optional(callable), warn: z.optional(callable), debug: z.optional(callable) }),
  ),
  pages: z.optional(
    z.looseObject({
      signIn: z.optional(page),
      signOut: z.optional(page),
      error: z.optional(page),
      verifyRequest: z.optional(page),
      newUser: z.optional(page),
    }),
  ),
  redirectProxyUrl: z.optional(z.custom<string>(isSecureUrl, "must be an https URL, or http on a loopback host")),
  redirectProxyOrigins: z.optional(
    z.array(
      z.custom<string>(
        (value) => typeof value === "string" && isProxyOriginEntry(value),
        "must be an origin such as https://app.example.com or https://*.previews.example.com",
      ),
    ),
  ),
  secret: z.optional(secret),
  session: z.optional(
    z.looseObject({
      strategy: z.optional(z.enum(["jwt", "database"], 'must be "jwt" or "database"')),
      maxAge: z.optional(seconds(1)),
      updateAge: z.optional(seconds(0)),
      generateSessionToken: z.optional(callable),
    }),
  ),
  theme: z.optional(
    z.looseObject({
      colorScheme: z.optional(z.enum(["auto", "dark", "light"], 'must be "auto", "dark" or "light"')),
      brandColor: z.optional(text),
      buttonText: z.optional(text),
      logo: z.optional(text),
    }),
  ),
  trustHost: z.optional(bool),
  useSecureCookies: z.optional(bool),
});

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
    return { option, message: `${acceptedBy(issue)} (given: ${kindAt(config, issue.path)})` };
  });
}

function acceptedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${article(issue.expected)}`;
  return issue.message;
}

function article(expected: string): string {
  const name = expected === "int" ? "whole number" : expected;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function kindAt(config: unknown, path: readonly PropertyKey[]): string {
  let value = config;
  for (const key of path) value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : article(typeof value);
}
