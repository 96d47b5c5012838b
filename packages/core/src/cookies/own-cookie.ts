import type { CookieBinding } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedCookies } from "../model/resolved-config.ts";
import type { Seconds } from "../model/units.ts";
import { cleared, withLifetime } from "../protocol/cookie-attributes.ts";

/** A cookie of the library, by its name in the configuration. */
type Kind = keyof ResolvedCookies;

/** Adds a cookie to the jar. @param lifetime undefined: until the browser is closed, unless configured. */
export function setCookie(
  { cookies, jar, now }: FlowContext,
  kind: Kind,
  value: string,
  lifetime: Seconds | undefined,
): void {
  const { name, options } = cookies[kind];
  jar.set({ name, value, options: withLifetime(options, lifetime, now()) });
}

/** Clears a cookie that the browser sent. */
export function forgetCookie({ cookies, jar, received }: FlowContext, kind: Kind): void {
  const { name, options } = cookies[kind];
  if (received.has(name)) jar.set(cleared(name, options));
}

/** An encrypted cookie, and what its key is for. */
interface SealedKind {
  readonly cookie: Kind;
  readonly purpose: CookieBinding["purpose"];
}

/** What an encrypted cookie is bound to. */
export function bindingOf(
  { config, cookies }: FlowContext,
  { cookie, purpose }: SealedKind,
  provider: string | null = null,
): CookieBinding {
  return { secrets: config.secrets, purpose, salt: cookies[cookie].salt, provider };
}
