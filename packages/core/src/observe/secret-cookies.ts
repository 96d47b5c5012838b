import type { ResolvedCookies } from "../model/resolved-config.ts";
import { isSecretShaped } from "./secret-shape.ts";

/** Minimum lengths of values that count as secrets: in our own cookies, and in others. */
const MIN_OWN = 8;
const MIN_OTHER = 16;

/** Values to redact: our cookies, and others that look like a secret, except the callback URL. */
export function* secretCookies(
  cookies: ResolvedCookies,
  received: ReadonlyMap<string, string>,
  repeated: ReadonlyMap<string, readonly string[]>,
): Generator<string> {
  const own = Object.entries(cookies).flatMap(([key, { name }]) => (key === "callbackUrl" ? [] : [name]));
  for (const [name, value] of received) {
    if (name === cookies.callbackUrl.name) continue;
    const minimum = own.some((one) => name.startsWith(one)) ? MIN_OWN : MIN_OTHER;
    for (const one of repeated.get(name) ?? [value]) if (isSecretShaped(one, minimum)) yield one;
  }
}
