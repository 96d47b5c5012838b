import { guardOf } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import type { Attempt } from "../model/attempt.ts";
import type { AttemptParams } from "../model/callbacks.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, CredentialsSignin, Verification, WebAuthnVerificationError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { callWrapped } from "../session/claims.ts";

/** Whether an attempt is allowed. */
type AttemptAnswer =
  /** `attempt`: whose result the extensions are told; undefined without extensions. */
  | { readonly allow: true; readonly attempt: Attempt | undefined }
  /** `retryAfter` is undefined if `callbacks.allowAttempt` denied it, because that callback returns no time. */
  | { readonly allow: false; readonly code: string; readonly retryAfter: Seconds | undefined };

/**
 * Default delay, because `callbacks.allowAttempt` returns none: one minute, so that programs do not retry immediately.
 */
const REFUSED_FOR: Seconds = 60;

/**
 * Asks every extension, then `callbacks.allowAttempt`, whether a sign-in may be attempted. Without any of them, it may.
 *
 * @throws CallbackRouteError if the callback throws: a failing limit denies the attempt.
 */
export function allowAttempt(
  context: FlowContext,
  { request, ...attempt }: AttemptParams,
  action = "signin",
): Promise<AttemptAnswer> {
  return ask(context, { action, ...attempt }, request);
}

/** Like {@link allowAttempt}; a refusal is thrown. @throws AccessDenied. */
export async function requireAttempt(
  context: FlowContext,
  params: AttemptParams,
  action?: string,
): Promise<Attempt | undefined> {
  const answer = await allowAttempt(context, params, action);
  if (answer.allow) return answer.attempt;
  const { code, retryAfter } = answer;
  throw new AccessDenied("Too many attempts.", { cause: { code, retryAfter } });
}

/** Like {@link allowAttempt}, for an attempt in an action of an extension. */
export async function requestAttempt(context: ActionContext, attempt: Attempt) {
  const answer = await ask(context, attempt, originalRequest(context.request));
  return answer.allow ? answer : { ...answer, retryAfter: answer.retryAfter ?? REFUSED_FOR };
}

/** @param request for `callbacks.allowAttempt`, which is not asked about the start at an OAuth or OpenID Connect provider. */
async function ask(context: FlowContext, attempt: Attempt, request: Request): Promise<AttemptAnswer> {
  const verdict = await allowStart(context, attempt);
  const { provider, type, identifier, credentials } = attempt;
  if (!verdict.allow || type === "oauth" || type === "oidc") return verdict;
  const { allowAttempt: callback } = context.config.callbacks;
  if (callback === undefined) return verdict;
  // A request can be read only once, and the next recipient is also application code.
  const params = { provider, type, identifier, credentials, request: request.clone() };
  const answer: unknown = await callWrapped("allowAttempt", () => callback(params));
  return answer === true ? verdict : { allow: false, code: "too_many_attempts", retryAfter: undefined };
}

/** Asks every extension about an attempt. */
export async function allowStart(context: FlowContext, attempt: Attempt): Promise<AttemptAnswer> {
  const verdict = await guardOf(context.config)?.attempt(context, attempt);
  return verdict?.allow === false ? verdict : { allow: true, attempt: verdict && attempt };
}

/** Checks the proof of an attempt, and notifies the extensions of a wrong one. An outage does not count as a failed attempt. */
export async function prove<T>(
  context: FlowContext,
  attempt: Attempt | undefined,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const isWrong =
      error instanceof CredentialsSignin || error instanceof Verification || error instanceof WebAuthnVerificationError;
    const isBusy = error instanceof CredentialsSignin && error.cause?.busy === true;
    if (isWrong && !isBusy) await report(context, attempt, "failure");
    throw error;
  }
}

/** Notifies the extensions of the result of an attempt. To be called once for each. Never throws. */
export async function report(
  context: FlowContext,
  attempt: Attempt | undefined,
  result: "success" | "failure",
): Promise<void> {
  if (attempt !== undefined) await guardOf(context.config)?.outcome(context, attempt, result);
}
