import { randomHex, sha256 } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import { CSRF_TOKEN_LIFETIME, type EpochSeconds } from "../model/units.ts";

/** The CSRF token of this browser, from its sealed cookie; null when it has none that counts. */
export async function readCsrfToken(context: FlowContext): Promise<string | null> {
  const sealed = context.received.get(context.cookies.csrfToken.name);
  if (sealed === undefined) return null;
  return (await openCookie(sealed, bindingOf(context)))?.token ?? null;
}

/** A new CSRF token; its sealed cookie goes into the jar. A browser-session cookie, but sealed for a day. */
export async function issueCsrfToken(
  context: FlowContext,
  signedIn: Readonly<Record<string, string>> = {},
): Promise<string> {
  const token = randomHex();
  const { name, options } = context.cookies.csrfToken;
  const value = await sealCookie({ token, ...signedIn }, bindingOf(context), CSRF_TOKEN_LIFETIME);
  context.jar.set({ name, value, options });
  return token;
}

/** The CSRF token for a form: the one there is, else a new one; null when CSRF protection is off. */
export async function csrfTokenForForm(context: FlowContext): Promise<string | null> {
  if (!context.config.csrfEnabled) return null;
  return (await readCsrfToken(context)) ?? issueCsrfToken(context);
}

/** Replaces the token at sign-out, as at sign-in, so that one learned before is worth nothing after (safety, settled decisions). */
export async function renewCsrfToken(context: FlowContext): Promise<void> {
  if (context.config.csrfEnabled) await issueCsrfToken(context);
}

/**
 * Replaces the token at sign-in. Where a provider asks how long ago that was, the cookie says so: it is new at each sign-in,
 * ends with each sign-out and is never renewed in between, whatever the session does.
 */
export async function markSignIn(context: FlowContext, userId: string | undefined): Promise<void> {
  if (!context.config.csrfEnabled) return;
  const isAsked = [...context.config.providers.values()].some((one) => one.kind === "webauthn" && one.maxSignInAge);
  const by = userId === undefined || !isAsked ? undefined : await digestOf(userId);
  await issueCsrfToken(context, by === undefined ? {} : { by, at: String(context.now()) });
}

/** When this browser signed this user in, within the last day; null when that is not known. */
export async function readSignIn(context: FlowContext, userId: string): Promise<EpochSeconds | null> {
  const sealed = context.received.get(context.cookies.csrfToken.name);
  const { by, at = "" } = (sealed === undefined ? null : await openCookie(sealed, bindingOf(context))) ?? {};
  return by === (await digestOf(userId)) && at !== "" ? Number(at) : null;
}

function digestOf(userId: string): Promise<string> {
  return sha256(`signed in ${userId}`);
}

function bindingOf(context: FlowContext) {
  const { csrfToken } = context.cookies;
  return { secrets: context.config.secrets, purpose: "csrf-token", salt: csrfToken.salt, provider: null } as const;
}
