import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import type { ClaimedIdentity } from "../users/identity.ts";
import { resolveRedirect } from "./redirect.ts";

/**
 * Calls `callbacks.signIn` (docs/behaviour.md#sign-in). `true` continues, a string redirects there, any other result or an
 * exception denies the sign-in.
 *
 * @param known the user from the database, if there is one.
 * @param email set on the first call of the e-mail flow, before the e-mail is sent.
 * @returns null to continue, or where to redirect to, validated like every redirect.
 * @throws AccessDenied.
 */
export async function askSignInCallback(
  context: FlowContext,
  identity: ClaimedIdentity,
  known: AdapterUser | null,
  email?: { readonly verificationRequest: true },
): Promise<string | null> {
  const { account, profile, credentials } = identity;
  const callback = context.config.callbacks.signIn;
  if (callback === undefined) return null;
  let answer: unknown;
  try {
    const user = known ?? identity.user;
    const asking = callback({ user, account, profile, credentials, email, ...contextMember(identity.context) });
    answer = await withTimeout(APPLICATION_TIMEOUT_MS, asking);
  } catch (error) {
    // The original message is passed to the log and to a caller of `signIn()`, never to the browser
    // (docs/behaviour.md#sign-in).
    const err = toError(error);
    throw new AccessDenied(`callbacks.signIn threw: ${err.message}`, { cause: { err, provider: account.provider } });
  }
  if (typeof answer === "string") return resolveRedirect(context, answer);
  if (answer === true) return null;
  throw new AccessDenied("callbacks.signIn did not return true.", { cause: { provider: account.provider } });
}
