import { guardOf } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import type { Attempt } from "../model/attempt.ts";
import type { AttemptParams } from "../model/callbacks.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, CredentialsSignin, Verification, WebAuthnVerificationError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { callWrapped } from "../session/claims.ts";

/** An allowed attempt. */
interface AllowedAttempt {
  readonly allow: true;
  /** The attempt whose result the extensions are told; undefined without extensions. */
  readonly attempt: Attempt | undefined;
}

/** A rejected attempt. */
interface RefusedAttempt {
  readonly allow: false;
  readonly code: string;
  /** Undefined if `callbacks.allowAttempt` denied it, because that callback returns no time. */
  readonly retryAfter: Seconds | undefined;
}

const ACTIONS = { credentials: "signin", webauthn: "signin", email: "email" } as const;

/**
 * Default delay, because `callbacks.allowAttempt` returns none: one minute, so that programs do not retry immediately.
 */
const REFUSED_FOR: Seconds = 60;

/**
 * Asks every extension, then `callbacks.allowAttempt`, whether a sign-in may be attempted. Without any of them, it may.
 *
 * @throws CallbackRouteError if the callback throws: a failing limit denies the attempt.
 */
export async function allowAttempt(
  context: FlowContext,
  params: AttemptParams,
  action: string = ACTIONS[params.type],
): Promise<AllowedAttempt | RefusedAttempt> {
  const { provider, type, identifier, credentials } = params;
  const answer = await askExtensions(context, { action, provider, type, identifier, credentials });
  if (!answer.allow || (await isAllowed(context, params))) return answer;
  return { allow: false, code: "too_many_attempts", retryAfter: undefined };
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
export async function requestAttempt(
  context: ActionContext,
  attempt: Attempt,
): Promise<AllowedAttempt | (RefusedAttempt & { readonly retryAfter: Seconds })> {
  const answer = await askExtensions(context, attempt);
  const { provider, type, identifier, credentials } = attempt;
  if (!answer.allow || type === "oauth" || type === "oidc") return answer;
  const params = { provider, type, identifier, credentials, request: originalRequest(context.request) };
  if (await isAllowed(context, params)) return answer;
  return { allow: false, code: "too_many_attempts", retryAfter: REFUSED_FOR };
}

async function isAllowed(context: FlowContext, params: AttemptParams): Promise<boolean> {
  const { allowAttempt } = context.config.callbacks;
  if (allowAttempt === undefined) return true;
  // A request can be read only once, and the next recipient is also application code.
  const request = params.request.clone();
  const answer: unknown = await callWrapped("allowAttempt", () => allowAttempt({ ...params, request }));
  return answer === true;
}

/** Asks every extension about an attempt. */
export async function askExtensions(
  context: FlowContext,
  attempt: Attempt,
): Promise<AllowedAttempt | (RefusedAttempt & { readonly retryAfter: Seconds })> {
  const verdict = await guardOf(context.config)?.attempt(context, attempt);
  if (verdict === undefined) return { allow: true, attempt: undefined };
  return verdict.allow ? { allow: true, attempt } : verdict;
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
