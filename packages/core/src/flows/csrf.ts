import { randomHex } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import type { Seconds } from "../model/units.ts";

/** How long a form may stay open before its token is refused. */
const CSRF_LIFETIME: Seconds = 24 * 60 * 60;

/** The CSRF token of this browser, from its sealed cookie; null when it has none that counts. */
export async function readCsrfToken(context: FlowContext): Promise<string | null> {
  const sealed = context.received.get(context.cookies.csrfToken.name);
  if (sealed === undefined) return null;
  return (await openCookie(sealed, bindingOf(context)))?.token ?? null;
}

/** A new CSRF token; its sealed cookie goes into the jar. A browser-session cookie, but sealed for a day. */
export async function issueCsrfToken(context: FlowContext): Promise<string> {
  const token = randomHex();
  const { name, options } = context.cookies.csrfToken;
  context.jar.set({ name, value: await sealCookie({ token }, bindingOf(context), CSRF_LIFETIME), options });
  return token;
}

/** The CSRF token for a form: the one there is, else a new one; null when CSRF protection is off. */
export async function csrfTokenForForm(context: FlowContext): Promise<string | null> {
  if (!context.config.csrfEnabled) return null;
  return (await readCsrfToken(context)) ?? issueCsrfToken(context);
}

/** Replaces the token at sign-in and sign-out, so that one learned before is worth nothing after (safety, settled decisions). */
export async function renewCsrfToken(context: FlowContext): Promise<void> {
  if (context.config.csrfEnabled) await issueCsrfToken(context);
}

function bindingOf(context: FlowContext) {
  const { csrfToken } = context.cookies;
  return { secrets: context.config.secrets, purpose: "csrf-token", salt: csrfToken.salt, provider: null } as const;
}
