import { clearPending, type PendingKind, readPending, storePending } from "../../cookies/pending.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";

/**
 * Marks the browser that requested a link, so that the link signs in directly only there: mail scanners also open links
 * (docs/behaviour.md#e-mail). The mark lasts as long as every pending sign-in; a link opened later requires one more click.
 */

const REQUESTED_LINK: PendingKind<true> = {
  cookie: "state",
  purpose: "email-token",
  write: () => ({}),
  parse: () => true,
};

/** Adds the mark to the jar. */
export function rememberEmailSignIn(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  token: string,
): Promise<void> {
  return storePending(context, REQUESTED_LINK, { provider, secret: token }, true);
}

/** Whether this browser requested the link with this token. */
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
