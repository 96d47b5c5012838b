import { clearPending, type PendingKind, readPending, storePending } from "../../cookies/pending.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";

/**
 * The mark of the browser that asked for a link, so that the link signs in at once there and nowhere else: mail scanners open
 * links, too (docs/behaviour.md#e-mail). It lives as long as every pending sign-in; a link opened later asks for one more click.
 */

const REQUESTED_LINK: PendingKind<true> = {
  cookie: "state",
  purpose: "email-token",
  write: () => ({}),
  parse: () => true,
};

/** Puts the mark in the jar. */
export function rememberEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<void> {
  return storePending(context, REQUESTED_LINK, { provider, secret: token }, true);
}

/** Whether this browser asked for the link with this token. */
export async function isRequestingBrowser(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<boolean> {
  return (await readPending(context, REQUESTED_LINK, { provider, secret: token })) === true;
}

/** Removes the mark once the link was used. */
export async function forgetEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<void> {
  await clearPending(context, REQUESTED_LINK, { provider, secret: token });
}
