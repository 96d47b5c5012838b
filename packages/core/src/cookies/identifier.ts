import { decryptFirstCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { TypedIdentifier } from "../model/result.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { bindingOf, setCookie } from "./own-cookie.ts";

/**
 * The address or user name that was typed on the built-in sign-in page, encrypted: it is not in a URL, which is logged and sent to
 * other sites, and no password is kept. It ends with the sign-in, with a sign-out, and after fifteen minutes.
 */

const SEALED = { cookie: "identifier", purpose: "identifier" } as const;

/** More than any address has (RFC 5321 §4.5.3.1), and little enough for a cookie. */
const MAX_IDENTIFIER = 320;

/** Keeps what was typed; nothing for what no form of the page could have sent. */
export async function rememberIdentifier(context: FlowContext, text: unknown, isEdited = false): Promise<void> {
  if (typeof text !== "string" || text.trim() === "" || text.length > MAX_IDENTIFIER) return;
  const value = { text, ...(isEdited ? { edited: "1" } : {}) };
  const sealed = await encryptCookie(value, bindingOf(context, SEALED), PENDING_SIGN_IN_LIFETIME);
  setCookie(context, "identifier", sealed, PENDING_SIGN_IN_LIFETIME);
}

/** What was typed in this browser; null if nothing was. */
export async function readIdentifier(context: FlowContext): Promise<TypedIdentifier | null> {
  const values = valuesOf(context.cookies.identifier.name, context);
  const { text, edited } = (await decryptFirstCookie(values, bindingOf(context, SEALED))) ?? {};
  return text === undefined ? null : { text, isEdited: edited !== undefined };
}
