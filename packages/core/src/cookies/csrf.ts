import { randomHex } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import { CSRF_TOKEN_LIFETIME } from "../model/units.ts";
import { isPromise } from "../model/when-there.ts";
import { valuesOf } from "../protocol/received-cookies.ts";

/** A CSRF token in this browser's encrypted cookie, of which there may be several values. */
export interface CsrfPair {
  readonly token: string;
  /** The session in which it was created; empty for a visitor. */
  readonly session: string;
}

/** Every CSRF token in this browser's cookie, of any session. */
export async function readCsrfPairs(context: FlowContext): Promise<readonly CsrfPair[]> {
  const pairs: CsrfPair[] = [];
  for (const sealed of valuesOf(context.cookies.csrfToken.name, context)) {
    const opening = openCookie(sealed, bindingOf(context));
    const { token, session = "" } = (isPromise(opening) ? await opening : opening) ?? {};
    if (token !== undefined) pairs.push({ token, session });
  }
  return pairs;
}

/**
 * A new CSRF token; its encrypted cookie is added to the jar. A browser-session cookie, whose content is valid for a day.
 *
 * @param session the id of its session; empty for a visitor.
 */
export async function issueCsrfToken(context: FlowContext, session: string): Promise<string> {
  const token = randomHex();
  const { name, options } = context.cookies.csrfToken;
  const value = await sealCookie({ token, session }, bindingOf(context), CSRF_TOKEN_LIFETIME);
  context.jar.set({ name, value, options });
  return token;
}

/**
 * Replaces the token at sign-in and at sign-out.
 *
 * @param session the id of the new session; empty at sign-out, when the new token belongs to a visitor.
 */
export async function renewCsrfToken(context: FlowContext, session: string): Promise<void> {
  if (context.config.csrfEnabled) await issueCsrfToken(context, session);
}

function bindingOf(context: FlowContext) {
  const { csrfToken } = context.cookies;
  return { secrets: context.config.secrets, purpose: "csrf-token", salt: csrfToken.salt, provider: null } as const;
}
