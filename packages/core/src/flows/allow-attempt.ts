import type { AttemptParams } from "../model/config.ts";
import type { FlowContext } from "../model/context.ts";
import { callWrapped } from "../session/claims.ts";

/**
 * Asks `callbacks.allowAttempt` whether somebody may try to sign in now; without the callback everybody may.
 *
 * @throws CallbackRouteError when it throws: a limit that fails lets nobody in.
 */
export async function isAttemptAllowed(context: FlowContext, attempt: AttemptParams): Promise<boolean> {
  const { allowAttempt } = context.config.callbacks;
  if (allowAttempt === undefined) return true;
  // A request can be read once, and the next one to get it is the application's as well.
  const request = attempt.request.clone();
  const verdict: unknown = await callWrapped("allowAttempt", () => allowAttempt({ ...attempt, request }));
  return verdict === true;
}
