import { dropOldestPending, findPendingCookie, pendingSuffix } from "../../cookies/pending.ts";
import { sha256 } from "../../crypto/primitives.ts";
import { openFirstCookie, sealCookie } from "../../crypto/sealed-cookie.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../../model/units.ts";
import { isEqualInConstantTime } from "../../protocol/csrf-token.ts";
import { valuesOf } from "../../protocol/received-cookies.ts";

/**
 * The mark of the browser that asked for a link, so that the link signs in at once there and nowhere else: mail scanners open
 * links, too (docs/behaviour.md#e-mail). It lives as long as every pending sign-in; a link opened later asks for one more click.
 */

/** Puts the mark in the jar. */
export async function rememberEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<void> {
  const { suffix, hash } = await pendingSuffix(context, token);
  const name = `${context.cookies.state.name}.${suffix}`;
  const value = await sealCookie({ of: hash }, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
  context.jar.set({ name, value, options: { ...context.cookies.state.options, maxAge: PENDING_SIGN_IN_LIFETIME } });
  dropOldestPending(context, name.length + value.length);
}

/** Whether this browser asked for the link with this token. */
export async function isRequestingBrowser(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<boolean> {
  const hash = await sha256(token);
  const name = findPendingCookie(context, context.cookies.state, hash);
  if (name === undefined) return false;
  const value = await openFirstCookie(valuesOf(name, context), bindingOf(context, provider));
  return value !== null && isEqualInConstantTime(value.of ?? "", hash);
}

/** Takes the mark away once the link was used. */
export async function forgetEmailSignIn(context: FlowContext, token: string): Promise<void> {
  const { state } = context.cookies;
  const name = findPendingCookie(context, state, await sha256(token));
  if (name !== undefined) context.jar.set({ name, value: "", options: { ...state.options, maxAge: 0 } });
}

function bindingOf(context: FlowContext, provider: ResolvedEmailProvider) {
  const { salt } = context.cookies.state;
  return { secrets: context.config.secrets, purpose: "email-token", salt, provider: provider.id } as const;
}
