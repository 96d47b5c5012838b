import { AdapterError, AuthError, isOfStore } from "@cardea/core/extension-host";
import { CallbackRouteError, SessionUnavailable, toError } from "@cardea/core/extension-kit";

/** How many causes are looked through; an extension adds one or two. */
const MAX_CAUSES = 8;

/**
 * The error that stands for an outage: the store or the database failed, whatever an extension put around it. Null for any other error, and
 * where an extension made a decision of it, such as `AccessDenied`. Never throws.
 */
export function outageOf(thrown: unknown): AuthError | null {
  if (!isOutage(thrown)) return null;
  if (thrown instanceof AdapterError || thrown instanceof SessionUnavailable) return thrown;
  const cause = { cause: { err: toError(thrown) } };
  return new SessionUnavailable("An extension is temporarily unavailable. Retry later.", cause);
}

function isOutage(thrown: unknown): boolean {
  let error = thrown;
  for (let n = 0; n < MAX_CAUSES && error !== undefined; n += 1) {
    if (error instanceof AdapterError || error instanceof SessionUnavailable || isOfStore(error)) return true;
    if (error instanceof AuthError && !(error instanceof CallbackRouteError)) return false;
    const { cause }: { readonly cause?: unknown } = Object(error);
    error = error instanceof AuthError ? error.cause?.err : cause;
  }
  return false;
}
