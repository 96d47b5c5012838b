import { contextOfRequest } from "../context/create-context.ts";
import { errorUrlOf } from "../http/error-response.ts";
import { AuthError, CredentialsSignin } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";

/**
 * For a caller that follows URLs itself (`redirect: false`): converts a failed sign-in to the URL of the page that shows
 * the failure, to which a form would have been redirected.
 *
 * @param fields those of the sign-in.
 * @returns a handler for a rejection of `startSignIn`. It rethrows `CredentialsSignin`, which the caller shows in its own
 *   form, and anything that is not an AuthError.
 */
export function errorUrl(
  config: ResolvedConfig,
  request: OperationRequest,
  fields: ReadonlyMap<string, unknown>,
): (thrown: unknown) => Promise<WithCookies & { readonly url: string }> {
  return async (thrown) => {
    if (!(thrown instanceof AuthError) || thrown instanceof CredentialsSignin) throw thrown;
    const context = contextOfRequest(config, request);
    const { destinationIn, findDestination } = await import("./destination.ts");
    const callbackUrl = await findDestination(context, destinationIn(fields));
    return { url: errorUrlOf(thrown, context, callbackUrl), cookies: [] };
  };
}
