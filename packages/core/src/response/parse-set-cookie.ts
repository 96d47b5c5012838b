import type { CookieAttributes } from "../model/config.ts";
import type { Cookie } from "../model/result.ts";

/** By the name of the attribute in lower case; null for a value that a browser ignores. */
const ATTRIBUTES: Readonly<Record<string, (value: string) => CookieAttributes | null>> = {
  httponly: () => ({ httpOnly: true }),
  secure: () => ({ secure: true }),
  partitioned: () => ({ partitioned: true }),
  domain: (domain) => ({ domain }),
  path: (path) => ({ path }),
  "max-age": (value) => (/^-?\d+$/.test(value) ? { maxAge: Number(value) } : null),
  expires: (value) => (Number.isNaN(Date.parse(value)) ? null : { expires: new Date(value) }),
  priority: (value) => oneOf(["low", "medium", "high"] as const, value, (priority) => ({ priority })),
  samesite: (value) => oneOf(["strict", "lax", "none"] as const, value, (sameSite) => ({ sameSite })),
};

/** Reads a `Set-Cookie` value (RFC 6265 §5.2); the cookie's own value stays as it is written. Never throws. */
export function parseSetCookie(line: string): Cookie {
  const [pair = "", ...attributes] = line.split(";");
  const [name, value] = split(pair);
  const known = attributes.map((attribute) => {
    const [key, text] = split(attribute);
    return Object.hasOwn(ATTRIBUTES, key.toLowerCase()) ? ATTRIBUTES[key.toLowerCase()]?.(text) : null;
  });
  return { name, value, options: Object.assign({}, ...known) };
}

/** `name=value` without surrounding blanks; without `=` all of it is the name. */
function split(text: string): readonly [string, string] {
  const equals = text.indexOf("=");
  return equals === -1 ? [text.trim(), ""] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function oneOf<T extends string>(values: readonly T[], given: string, make: (value: T) => CookieAttributes) {
  const value = values.find((one) => one === given.toLowerCase());
  return value === undefined ? null : make(value);
}
