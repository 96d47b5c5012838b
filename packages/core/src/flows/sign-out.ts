import { renewCsrfToken } from "../cookies/csrf.ts";
import { forgetSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import { SignOutError } from "../model/errors.ts";
import type { SessionStrategy } from "../session/strategy.ts";
import { forgetCallbackUrl } from "./redirect.ts";

/**
 * Ends the session. The cookie is always cleared; success is reported only if the record was deleted. The `signOut` event
 * is emitted only if there was a session.
 *
 * @throws SignOutError if the record could not be deleted; the cookies are in the jar already.
 */
export async function finishSignOut(context: FlowContext, strategy: SessionStrategy): Promise<void> {
  const { ended, error } = await strategy.revoke(context);
  await renewCsrfToken(context, "");
  forgetSignInTime(context);
  if (context.received.has(context.cookies.address.name)) {
    await (await import("../users/pending-address.ts")).voidPendingAddress(context);
  }
  forgetCallbackUrl(context);
  if (error !== undefined) {
    throw new SignOutError("The cookie was cleared, but the session could not be deleted from the database.", {
      cause: { err: error },
    });
  }
  if (ended !== null) await context.emit("signOut", ended);
}
