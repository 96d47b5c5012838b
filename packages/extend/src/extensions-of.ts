import { AuthError, type ResolvedConfig } from "@cardea/core/extension-host";
import { CallbackRouteError, type Extension, toError } from "@cardea/core/extension-kit";

/** The extensions of a configuration, in order. */
export function extensionsOf({ extensions }: ResolvedConfig): readonly Extension[] {
  return extensions?.list ?? [];
}

/** Whether an action belongs to an extension. An extension may only redirect to its own actions. */
export function ownsAction({ actions = {} }: Extension, action: string): boolean {
  return Object.hasOwn(actions, `GET ${action}`);
}

/** Wraps an error thrown by an extension, for the log. Cardea errors are returned unchanged. */
export function extensionError({ id }: Extension, seam: string, thrown: unknown): AuthError {
  if (thrown instanceof AuthError) return thrown;
  const cause = { err: toError(thrown), extension: id };
  return new CallbackRouteError(`\`${seam}\` of the extension "${id}" failed.`, { cause });
}
