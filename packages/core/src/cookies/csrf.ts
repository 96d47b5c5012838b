import { randomHex, sha256 } from "../crypto/primitives.ts";
import { openCookie, openFirstCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import { CSRF_TOKEN_LIFETIME, type EpochSeconds } from "../model/units.ts";
import { valuesOf } from "../protocol/received-cookies.ts";

/** The CSRF tokens of this browser: those in its sealed cookie, of which there may be several values. */
export interface CsrfPair {
  readonly token: string;
  /** The session under which it was made; empty for a visitor. */
  readonly session: string;
}

/** Every CSRF token that this browser's cookie holds, whatever session it belongs to. */
export async function readCsrfPairs(context: FlowContext): Promise<readonly CsrfPair[]> {
  const pairs: CsrfPair[] = [];
  for (const sealed of valuesOf(context.cookies.csrfToken.name, context)) {
    const { token, session = "" } = (await openCookie(sealed, bindingOf(context))) ?? {};
    if (token !== undefined) pairs.push({ token, session });
  }
  return pairs;
}

/**
 * A new CSRF token; its sealed cookie goes into the jar. A browser-session cookie, but sealed for a day.
 *
 * @param session the id of the session that it belongs to; empty for a visitor.
 */
export async function issueCsrfToken(
  context: FlowContext,
  session: string,
  signedIn: Readonly<Record<string, string>> = {},
): Promise<string> {
  const token = randomHex();
  const { name, options } = context.cookies.csrfToken;
  const value = await sealCookie({ token, session, ...signedIn }, bindingOf(context), CSRF_TOKEN_LIFETIME);
  context.jar.set({ name, value, options });
  return token;
}

/** Replaces the token at sign-out: the new one belongs to a visitor. */
export async function renewCsrfToken(context: FlowContext): Promise<void> {
  if (context.config.csrfEnabled) await issueCsrfToken(context, "");
}

/**
 * Replaces the token at sign-in. Where a provider sets `maxSignInAge`, the cookie holds the time of the sign-in: it changes at
 * each sign-in, ends with each sign-out and is never renewed in between, whatever the session does.
 *
 * @param at when the user signed in; null when that is unknown or was not a sign-in of this user.
 * @param session the id of the new session.
 */
export async function markSignIn(
  context: FlowContext,
  userId: string | undefined,
  at: EpochSeconds | null,
  session: string,
): Promise<void> {
  if (!context.config.csrfEnabled) return;
  const isAsked = [...context.config.providers.values()].some((one) => one.kind === "webauthn" && one.maxSignInAge);
  const by = userId === undefined || at === null || !isAsked ? undefined : await digestOf(userId);
  await issueCsrfToken(context, session, by === undefined ? {} : { by, at: String(at) });
}

/** When this browser signed this user in, within the last day; null when that is not known. */
export async function readSignIn(context: FlowContext, userId: string): Promise<EpochSeconds | null> {
  const values = valuesOf(context.cookies.csrfToken.name, context);
  const { by, at = "" } = (await openFirstCookie(values, bindingOf(context))) ?? {};
  return by === (await digestOf(userId)) && at !== "" ? Number(at) : null;
}

function digestOf(userId: string): Promise<string> {
  return sha256(`signed in ${userId}`);
}

function bindingOf(context: FlowContext) {
  const { csrfToken } = context.cookies;
  return { secrets: context.config.secrets, purpose: "csrf-token", salt: csrfToken.salt, provider: null } as const;
}
