import { toError } from "../model/auth-error.ts";
import type { RedactingLogger } from "../model/callbacks.ts";
import { AccessDenied, AuthError, CallbackRouteError, CredentialsSignin } from "../model/errors.ts";
import { errorOutcomeOf } from "./error-outcome.ts";

/** Converts any thrown value to one of our errors. Foreign errors come from code that the application supplied. */
export function toAuthError(thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown;
  return new CallbackRouteError("Unexpected error.", { cause: { err: toError(thrown) } });
}

/**
 * Logs an error at the level of its table entry: in full for the operator, as one line for a client's mistake.
 *
 * @param reference what the error page shows; undefined if no page does.
 */
export function logError(error: AuthError, logger: RedactingLogger, reference?: string): void {
  const { log } = errorOutcomeOf(error);
  const { type, message } = error;
  const shown = reference === undefined ? {} : { reference };
  if (log === "error") logger.error(reference === undefined ? error : withReference(error, reference));
  else if (log === "debug")
    logger.debug(`${type}: ${message}${reference === undefined ? "" : ` {"reference":"${reference}"}`}`);
  else if (error instanceof CredentialsSignin)
    logger.warn(`${type}:`, message, factsOf(error, { code: error.code, ...shown }));
  else if (isMessageOfOthers(error)) logger.warn(`${type}:`, message, factsOf(error, shown));
  else logger.warn(`${type}: ${message}`, factsOf(error, shown));
}

/** Whether the message is what `callbacks.signIn` threw, as that of a `CredentialsSignin` is what `authorize()` threw. */
function isMessageOfOthers(error: AuthError): boolean {
  return error instanceof AccessDenied && error.cause?.callback === "signIn";
}

/** A copy for the log: the application may throw the same error again and again. */
function withReference(error: AuthError, reference: string): AuthError {
  const copy: AuthError = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  Object.defineProperty(copy, "stack", { value: error.stack });
  return Object.defineProperty(copy, "cause", { value: factsOf(error, { reference }) });
}

/** The facts of an error and more. The redactor reads them: a getter of the application may throw. */
function factsOf({ cause }: AuthError, more: object): object {
  const facts = { ...Object.getOwnPropertyDescriptors(Object(cause)), ...Object.getOwnPropertyDescriptors(more) };
  return Object.defineProperties({}, facts);
}
