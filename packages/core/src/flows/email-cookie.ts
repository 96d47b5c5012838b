import { sha256 } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-config.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";

/**
 * The mark of the browser that asked for a link, so that the link signs in at once there and nowhere else: mail scanners open
 * links, too (contract 8, safety H171). It is named and counted like other pending sign-ins.
 */

const HASH_LENGTH = 8;

/** Puts the mark in the jar; it lasts as long as the link. */
export async function rememberEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<void> {
  const { name, options } = context.cookies.state;
  const hash = await sha256(token);
  const value = await sealCookie({ of: hash }, bindingOf(context, provider), provider.maxAge);
  const suffix = `${context.now().toString(36)}${hash.slice(0, HASH_LENGTH)}`;
  context.jar.set({ name: `${name}.${suffix}`, value, options: { ...options, maxAge: provider.maxAge } });
}

/** Whether this browser asked for the link with this token. */
export async function askedForLink(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<boolean> {
  const hash = await sha256(token);
  const name = findMark(context, hash);
  const value =
    name === undefined ? null : await openCookie(context.received.get(name) ?? "", bindingOf(context, provider));
  return value !== null && isEqualInConstantTime(value.of ?? "", hash);
}

/** Takes the mark away once the link was used. */
export async function forgetEmailSignIn(context: FlowContext, token: string): Promise<void> {
  const name = findMark(context, await sha256(token));
  if (name !== undefined)
    context.jar.set({ name, value: "", options: { ...context.cookies.state.options, maxAge: 0 } });
}

function findMark(context: FlowContext, hash: string): string | undefined {
  const prefix = `${context.cookies.state.name}.`;
  const ending = hash.slice(0, HASH_LENGTH);
  return [...context.received.keys()].find((name) => name.startsWith(prefix) && name.endsWith(ending));
}

function bindingOf(context: FlowContext, provider: ResolvedEmailProvider) {
  const { salt } = context.cookies.state;
  return { secrets: context.config.secrets, purpose: "email-token", salt, provider: provider.id } as const;
}
