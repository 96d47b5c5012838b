import { loadRunner } from "../context/extension-runner.ts";
import { originalRequest } from "../context/original-request.ts";
import type { Attempt, AttemptVerdict } from "../model/attempt.ts";
import type { AttemptParams } from "../model/callbacks.ts";
import type { ActionContext, CookieJar, FlowContext } from "../model/context.ts";
import { CredentialsSignin, Verification, WebAuthnVerificationError } from "../model/errors.ts";
import type { Seconds } from "../model/units.ts";
import { callWrapped } from "../session/claims.ts";

/** An attempt that may not be made now. */
export interface RefusedAttempt {
  readonly code: string;
  /** Undefined where `callbacks.allowAttempt` refused: it names no time. */
  readonly retryAfter: Seconds | undefined;
}

const ACTIONS = { credentials: "signin", webauthn: "signin", email: "email" } as const;

/** `callbacks.allowAttempt` names no time: a minute, so that programs do not try again at once. */
const REFUSED_FOR: Seconds = 60;

/** The attempt of a request, by its jar: what comes of it is told later in the same request. */
const allowed = new WeakMap<CookieJar, Attempt>();

/**
 * Calls every extension, then `callbacks.allowAttempt`, to decide whether a sign-in may be attempted; without any of them it may.
 *
 * @returns null where they all agree.
 * @throws CallbackRouteError when the callback throws: a failing limit denies the attempt.
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

/** As {@link refuseAttempt}, for what an action of an extension names. */
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

/** Checks a proof; a wrong one is told to the extensions. An outage is no failed attempt. */
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

/** The attempt of this request that was allowed, while nothing is known of its outcome. */
export function allowedAttempt({ jar }: FlowContext): Attempt | undefined {
  return allowed.get(jar);
}

/** Tells the extensions what came of the attempt of this request, once. */
export async function tellOutcome(context: FlowContext, result: "success" | "failure"): Promise<void> {
  const attempt = allowed.get(context.jar);
  if (attempt === undefined) return;
  allowed.delete(context.jar);
  const runner = await loadRunner(context.config);
  await runner?.outcome(context, attempt, result);
}
