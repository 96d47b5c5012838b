import type { JWT } from "../model/records.ts";
import type { Seconds } from "../model/units.ts";
import type { Purpose } from "./keys.ts";
import { openClaims, sealClaims } from "./sealed-claims.ts";

/** What a sealed cookie is bound to: it opens for the same purpose, under the same name, for the same provider, and nowhere else. */
export interface CookieBinding {
  readonly secrets: readonly string[];
  readonly purpose: Exclude<Purpose, "session">;
  /** Name of the cookie, prefix included, without the suffix of a pending sign-in. */
  readonly salt: string;
  /** Id of the provider that the value belongs to; null for values of no provider. */
  readonly provider: string | null;
}

/** Seals a value for a cookie; `lifetime` in seconds is part of the seal, whatever the browser does. */
export function sealCookie(
  value: Readonly<Record<string, string>>,
  to: CookieBinding,
  lifetime: Seconds,
): Promise<string> {
  return sealClaims({ value, provider: to.provider }, to, lifetime);
}

/** Opens a sealed cookie. Never throws; null when it is not ours, too old, or bound to something else. */
export async function openCookie(
  sealed: string,
  binding: CookieBinding,
): Promise<Readonly<Record<string, string>> | null> {
  const claims = await openClaims(sealed, binding);
  return claims !== null && claims.provider === binding.provider ? parseValue(claims) : null;
}

/** Opens the first of several values that is ours: a cookie may have been sent more than once. */
export async function openFirstCookie(
  values: readonly string[],
  binding: CookieBinding,
): Promise<Readonly<Record<string, string>> | null> {
  for (const sealed of values) {
    const opened = await openCookie(sealed, binding);
    if (opened !== null) return opened;
  }
  return null;
}

function parseValue(claims: JWT): Readonly<Record<string, string>> | null {
  const { value } = claims;
  if (typeof value !== "object" || value === null) return null;
  const entries: [string, unknown][] = Object.entries(value);
  const strings = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(strings);
}
