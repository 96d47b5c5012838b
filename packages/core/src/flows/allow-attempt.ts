import { loadRunner } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import type { Attempt, AttemptVerdict } from "../model/attempt.ts";
import type { AttemptParams } from "../model/callbacks.ts";
import type { ActionContext, CookieJar, FlowContext } from "../model/context.ts";
import { CredentialsSignin, Verification, WebAuthnVerificationError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { callWrapped } from "../session/claims.ts";

/** A rejected attempt. */
export interface RefusedAttempt {
  readonly code: string;
  /** Undefined if `callbacks.allowAttempt` denied it, because that callback returns no time. */
  readonly retryAfter: Seconds | undefined;
}

const ACTIONS = { credentials: "signin", webauthn: "signin", email: "email" } as const;

/**
 * Default delay, because `callbacks.allowAttempt` returns none: one minute, so that programs do not retry immediately.
 */
const REFUSED_FOR: Seconds = 60;

/** The attempt of a request, by its cookie jar. Its result is reported later in the same request. */
const allowed = new WeakMap<CookieJar, Attempt>();

/**
 * Asks every extension, then `callbacks.allowAttempt`, whether a sign-in may be attempted. Without any of them, it may.
 *
 * @returns null if all agree.
 * @throws CallbackRouteError if the callback throws: a failing limit denies the attempt.
 */
export async function refuseAttempt(
  context: FlowContext,
  params: AttemptParams,
  action: string = ACTIONS[params.type],
): Promise<RefusedAttempt | null> {
  const { provider, type, identifier, credentials } = params;
  const verdict = await askExtensions(context, { action, provider, type, identifier, credentials });
  if (!verdict.allow) return verdict;
  return (await isAllowed(context, params)) ? null : { code: "too_many_attempts", retryAfter: undefined };
}

/** Like {@link refuseAttempt}, for an attempt in an action of an extension. */
export async function requestAttempt(context: ActionContext, attempt: Attempt): Promise<AttemptVerdict> {
  const verdict = await askExtensions(context, attempt);
  const { provider, type, identifier, credentials } = attempt;
  if (!verdict.allow || type === "oauth" || type === "oidc") return verdict;
  const params = { provider, type, identifier, credentials, request: originalRequest(context.request) };
  if (await isAllowed(context, params)) return verdict;
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
export async function askExtensions(context: FlowContext, attempt: Attempt): Promise<AttemptVerdict> {
  const runner = await loadRunner(context.config);
  if (runner === undefined) return { allow: true };
  const verdict = await runner.attempt(context, attempt);
  if (verdict.allow) allowed.set(context.jar, attempt);
  return verdict;
}

/** Checks a proof, and notifies the extensions of a wrong one. An outage does not count as a failed attempt. */
export async function proveOnce<T>(context: FlowContext, prove: () => Promise<T>): Promise<T> {
  try {
    return await prove();
  } catch (error) {
    const isWrong =
      error instanceof CredentialsSignin || error instanceof Verification || error instanceof WebAuthnVerificationError;
    const isBusy = error instanceof CredentialsSignin && error.cause?.busy === true;
    if (isWrong && !isBusy) await tellOutcome(context, "failure");
    throw error;
  }
}

/** The allowed attempt of this request, while its result is unknown. */
export function allowedAttempt({ jar }: FlowContext): Attempt | undefined {
  return allowed.get(jar);
}

/** Notifies the extensions of the result of this request's attempt, once. */
export async function tellOutcome(context: FlowContext, result: "success" | "failure"): Promise<void> {
  const attempt = allowed.get(context.jar);
  if (attempt === undefined) return;
  allowed.delete(context.jar);
  const runner = await loadRunner(context.config);
  await runner?.outcome(context, attempt, result);
}
