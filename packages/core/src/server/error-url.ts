import { AuthError, CredentialsSignin } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { errorUrlOf } from "../response/error-response.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";

/**
 * For a caller that follows URLs itself (`redirect: false`): turns a failed sign-in into the page that shows the failure,
 * the same page a form would have been redirected to.
 *
 * @returns a handler for a rejection of `startSignIn`. It rethrows `CredentialsSignin`, which the caller shows in its own
 *   form, and whatever is not an AuthError.
 */
export function errorUrl(
  config: ResolvedConfig,
  request: OperationRequest,
): (thrown: unknown) => WithCookies & { readonly url: string } {
  return (thrown) => {
    if (!(thrown instanceof AuthError) || thrown instanceof CredentialsSignin) throw thrown;
    return { url: errorUrlOf(thrown, openContext(config, request), null), cookies: [] };
  };
}
