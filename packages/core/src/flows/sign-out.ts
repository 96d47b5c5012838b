import type { FlowContext } from "../model/context.ts";
import { SignOutError } from "../model/errors.ts";
import type { SessionStrategy } from "../session/strategy.ts";
import { renewCsrfToken } from "./csrf.ts";
import { forgetCallbackUrl } from "./redirect.ts";

/**
 * Ends the session (spec 5.4). The cookie goes in any case; success is claimed only when the record is gone, too
 * (safety R49, P12).
 *
 * @throws SignOutError when the record could not be deleted; the cookies are in the jar already.
 */
export async function finishSignOut(context: FlowContext, strategy: SessionStrategy): Promise<void> {
  const { ended, error } = await strategy.revoke(context);
  await renewCsrfToken(context);
  forgetCallbackUrl(context);
  if (error !== undefined) {
    throw new SignOutError("The cookie is cleared, but the session could not be deleted from the database.", {
      cause: { err: error },
    });
  }
  await context.emit("signOut", ended);
}
