import type { JWT } from "../model/records.ts";
import type { Seconds } from "../model/units.ts";
import { whenThere } from "../model/when-there.ts";
import type { Purpose } from "./direct-jwe.ts";
import { openClaims, sealClaims } from "./sealed-claims.ts";

/**
 * What an encrypted cookie is bound to. It can be decrypted only for the same purpose, under the same name and for the same
 * provider.
 */
export interface CookieBinding {
  readonly secrets: readonly string[];
  readonly purpose: Exclude<Purpose, "session">;
  /** Name of the cookie, prefix included, without the suffix of a pending sign-in. */
  readonly salt: string;
  /** Id of the provider that the value belongs to; null if it belongs to none. */
  readonly provider: string | null;
}

/** Encrypts a value for a cookie. `lifetime` (seconds) is enforced at decryption, independently of the browser. */
export function sealCookie(
  value: Readonly<Record<string, string>>,
  to: CookieBinding,
  lifetime: Seconds,
): Promise<string> | string {
  return sealClaims({ value, provider: to.provider }, to, lifetime);
}

/** Decrypts a cookie. Never throws; null if it is not ours, has expired, or is bound to something else. */
export function openCookie(sealed: string, binding: CookieBinding): Promise<Opened | null> | Opened | null {
  return whenThere(openClaims(sealed, binding), (claims) =>
    claims !== null && claims.provider === binding.provider ? parseValue(claims) : null,
  );
}

type Opened = Readonly<Record<string, string>>;

/** Decrypts the first valid one of several values: a cookie may be sent more than once. */
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
  const strings: Record<string, string> = {};
  for (const [name, text] of Object.entries<unknown>({ ...value })) if (typeof text === "string") strings[name] = text;
  return strings;
}
