import { toError } from "../model/auth-error.ts";
import { AuthError, CallbackRouteError } from "../model/errors.ts";
import type { Extension } from "../model/extension.ts";

/** Wraps an error thrown by an extension, for the log. Cardea errors are returned unchanged. */
export function extensionError({ id }: Extension, seam: string, thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown;
  const cause = { err: toError(thrown), extension: id };
  return new CallbackRouteError(`\`${seam}\` of the extension "${id}" failed.`, { cause });
}
