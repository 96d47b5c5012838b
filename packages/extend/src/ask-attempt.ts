import { APPLICATION_TIMEOUT_MS, type FlowContext, withTimeout } from "@cardea/core/extension-host";
import type { Attempt, AttemptVerdict } from "@cardea/core/extension-kit";
import { createRequestTools } from "./create-tools.ts";
import { extensionError, extensionsOf } from "./extensions-of.ts";
import { parseAttemptVerdict } from "./laws.ts";

/**
 * Asks every extension whether an attempt is allowed. The first refusal wins, and a failure counts as a refusal. Never
 * throws.
 */
export async function askAttempt(context: FlowContext, attempt: Attempt): Promise<AttemptVerdict> {
  for (const extension of extensionsOf(context.config)) {
    if (extension.attempt === undefined) continue;
    const tools = createRequestTools(context, extension.id);
    let verdict = parseAttemptVerdict(undefined);
    try {
      verdict = parseAttemptVerdict(await withTimeout(APPLICATION_TIMEOUT_MS, extension.attempt(attempt, tools)));
    } catch (error) {
      context.logger.error(extensionError(extension, "attempt", error));
    }
    if (verdict.allow) continue;
    const { code, retryAfter } = verdict;
    tools.note({ kind: "attempt.refused", provider: attempt.provider, code, retryAfter });
    return verdict;
  }
  return { allow: true };
}

/** Notifies every extension of the result of an attempt. Never throws. */
export async function notifyOutcome(
  context: FlowContext,
  attempt: Attempt,
  result: "success" | "failure",
): Promise<void> {
  for (const extension of extensionsOf(context.config)) {
    if (extension.outcome === undefined) continue;
    try {
      await withTimeout(
        APPLICATION_TIMEOUT_MS,
        extension.outcome(attempt, result, createRequestTools(context, extension.id)),
      );
    } catch (error) {
      context.logger.error(extensionError(extension, "outcome", error));
    }
  }
}
