import { type CookieBinding, decryptFirstCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { TypedIdentifier } from "../model/result.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { withLifetime } from "../protocol/cookie-attributes.ts";
import { valuesOf } from "../protocol/cookie-values.ts";

/**
 * The address or user name that was typed on the built-in sign-in page, encrypted: it is not in a URL, which is logged and sent to
 * other sites, and no password is kept. It ends with the sign-in, with a sign-out, and after fifteen minutes.
 */

/** More than any address has (RFC 5321 §4.5.3.1), and little enough for a cookie. */
const MAX_IDENTIFIER = 320;

/** Keeps what was typed; nothing for what no form of the page could have sent. */
export async function rememberIdentifier(context: FlowContext, text: unknown, isEdited = false): Promise<void> {
  if (typeof text !== "string" || text.trim() === "" || text.length > MAX_IDENTIFIER) return;
  const { name, options } = context.cookies.identifier;
  const value = { text, ...(isEdited ? { edited: "1" } : {}) };
  const sealed = await encryptCookie(value, bindingOf(context), PENDING_SIGN_IN_LIFETIME);
  const limited = withLifetime(options, PENDING_SIGN_IN_LIFETIME, context.now());
  context.jar.set({ name, value: sealed, options: limited });
}

/** What was typed in this browser; null if nothing was. */
export async function readIdentifier(context: FlowContext): Promise<TypedIdentifier | null> {
  const { text, edited } =
    (await decryptFirstCookie(valuesOf(context.cookies.identifier.name, context), bindingOf(context))) ?? {};
  return text === undefined ? null : { text, isEdited: edited !== undefined };
}

/** Clears what was typed. */
export function forgetIdentifier(context: FlowContext): void {
  const { name, options } = context.cookies.identifier;
  if (context.received.has(name)) context.jar.set({ name, value: "", options: { ...options, maxAge: 0 } });
}

function bindingOf({ config, cookies }: FlowContext): CookieBinding {
  return { secrets: config.secrets, purpose: "identifier", salt: cookies.identifier.salt, provider: null };
}
