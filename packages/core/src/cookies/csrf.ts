import { randomHex } from "../crypto/random-hex.ts";
import { decryptCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { CsrfPair, FlowContext } from "../model/context.ts";
import { CSRF_TOKEN_LIFETIME } from "../model/units.ts";
import { cleared } from "../protocol/cookie-attributes.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { bindingOf, setCookie } from "./own-cookie.ts";

const SEALED = { cookie: "csrfToken", purpose: "csrf-token" } as const;

/** The first CSRF token in this browser's cookie that fits; undefined without one. Values after it are not opened. */
export async function findCsrfPair(
  context: FlowContext,
  fits: (pair: CsrfPair) => boolean,
): Promise<CsrfPair | undefined> {
  const { csrf } = context.tried;
  let index = 0;
  for (const sealed of valuesOf(context.cookies.csrfToken.name, context)) {
    if (index === csrf.length) csrf.push(decryptPair(context, sealed));
    const pair = (await csrf[index]) ?? null;
    if (pair !== null && fits(pair)) return pair;
    index += 1;
  }
  return undefined;
}

async function decryptPair(context: FlowContext, sealed: string): Promise<CsrfPair | null> {
  const { token, session = "" } = (await decryptCookie(sealed, bindingOf(context, SEALED))) ?? {};
  return token === undefined ? null : { token, session };
}

/**
 * A new CSRF token; its encrypted cookie is added to the jar. A browser-session cookie, whose content is valid for a day.
 *
 * @param session the id of its session; empty for a visitor.
 */
export async function issueCsrfToken(context: FlowContext, session: string): Promise<string> {
  const token = randomHex();
  const value = await encryptCookie({ token, session }, bindingOf(context, SEALED), CSRF_TOKEN_LIFETIME);
  setCookie(context, "csrfToken", value, undefined);
  return token;
}

/**
 * Replaces the token at sign-in. The new one is issued with the session, so that concurrent first requests of its pages get the
 * same token.
 *
 * @param session the id of the new session.
 */
export async function renewCsrfToken(context: FlowContext, session: string): Promise<void> {
  if (context.config.csrfEnabled) await issueCsrfToken(context, session);
}

/** Clears the token at sign-out. The next form gets a new one: no page could know one that was issued now. */
export function forgetCsrfToken({ config, cookies, jar }: FlowContext): void {
  const { name, options } = cookies.csrfToken;
  if (config.csrfEnabled) jar.set(cleared(name, options));
}
