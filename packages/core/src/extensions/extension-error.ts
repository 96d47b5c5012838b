import { AuthError, CallbackRouteError } from "../model/errors.ts";
import type { Extension } from "../model/extension.ts";
import { toError } from "../model/to-error.ts";

/** What a function of an extension threw, for the log; our own errors stay as they are. */
export function extensionError({ id }: Extension, seam: string, thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown;
  const cause = { err: toError(thrown), extension: id };
  return new CallbackRouteError(`\`${seam}\` of the extension "${id}" failed.`, { cause });
}
