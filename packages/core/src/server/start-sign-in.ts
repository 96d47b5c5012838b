import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { RequestedParams } from "../protocol/authorization-params.ts";
import type { AuthorizationParams } from "./begin-sign-in.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";
import { runOperation } from "./run-operation.ts";

/**
 * Starts a sign-in; with a credentials provider it is completed.
 *
 * @param providerId absent or unknown: the URL is the sign-in page.
 * @param fields the fields of a credentials form; `redirectTo` is the destination afterwards.
 * @param by who chose the parameters: `visitor` if they were read from a form, so that they cannot replace those of the
 *   configuration (docs/behaviour.md#oauth).
 * @returns the URL to redirect the browser to.
 * @throws AuthError.
 */
export async function startSignIn(
  config: ResolvedConfig,
  request: OperationRequest,
  providerId: string | undefined,
  fields: ReadonlyMap<string, unknown>,
  params: AuthorizationParams = {},
  by: RequestedParams["by"] = "server",
): Promise<WithCookies & { readonly url: string }> {
  return runOperation(config, request, async (context) => {
    // Loaded with the first sign-in, like the corresponding actions (decisions/012).
    const { beginSignIn } = await import("./begin-sign-in.ts");
    return beginSignIn(context, request.headers, providerId, fields, params, by);
  });
}
