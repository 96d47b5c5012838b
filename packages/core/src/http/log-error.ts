import { toError } from "../model/auth-error.ts";
import type { LoggerInstance } from "../model/config.ts";
import { AuthError, CallbackRouteError, CredentialsSignin } from "../model/errors.ts";
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
export function logError(error: AuthError, logger: LoggerInstance, reference?: string): void {
  const { log } = errorOutcomeOf(error);
  const shown = reference === undefined ? {} : { reference };
  if (log === "error") logger.error(reference === undefined ? error : withReference(error, reference));
  else if (log === "warn") logger.warn(`${error.type}: ${error.message}${lineOf({ ...factsOf(error), ...shown })}`);
  else logger.debug(`${error.type}: ${error.message}${lineOf(shown)}`);
}

/** A copy for the log: the application may throw the same error again and again. */
function withReference(error: AuthError, reference: string): AuthError {
  const copy: AuthError = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error));
  Object.defineProperty(copy, "stack", { value: error.stack });
  return Object.defineProperty(copy, "cause", { value: { ...error.cause, reference } });
}

/** The facts in an error's cause, without nested errors. */
function factsOf(error: AuthError): Readonly<Record<string, unknown>> {
  const { err, ...given } = error.cause ?? {};
  const facts = error instanceof CredentialsSignin ? { ...given, code: error.code } : given;
  return err === undefined ? facts : { ...facts, reason: err.message };
}

/** The end of a line: ` {"provider":"github"}`. */
const lineOf = (facts: object): string => (Object.keys(facts).length === 0 ? "" : ` ${JSON.stringify(facts)}`);
