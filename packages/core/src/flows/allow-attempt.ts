import type { AttemptParams } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { callWrapped } from "../session/claims.ts";

/**
 * Calls `callbacks.allowAttempt` to decide whether a sign-in may be attempted; without the callback it may.
 *
 * @throws CallbackRouteError if it throws: a failing limit denies the attempt.
 */
export async function isAttemptAllowed(context: FlowContext, attempt: AttemptParams): Promise<boolean> {
  const { allowAttempt } = context.config.callbacks;
  if (allowAttempt === undefined) return true;
  // A request can be read only once, and the next recipient is also application code.
  const request = attempt.request.clone();
  const verdict: unknown = await callWrapped("allowAttempt", () => allowAttempt({ ...attempt, request }));
  return verdict === true;
}
