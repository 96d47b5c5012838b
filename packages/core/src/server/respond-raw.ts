import { handleRequest } from "../http/handle-request.ts";
import { toParts } from "../http/to-parts.ts";
import type { AuthError } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { ResponseInternal } from "../model/result.ts";

/**
 * Handles one request and returns the parts of the response, for a framework adapter that sets cookies and redirects
 * itself.
 *
 * @throws AuthError if the action failed, unless the request has `X-Auth-Return-Redirect`.
 */
export async function respondRaw(request: Request, config: ResolvedConfig): Promise<ResponseInternal> {
  const failures: AuthError[] = [];
  const response = await handleRequest(request, config, "", (error) => failures.push(error));
  const [failure] = failures;
  if (failure !== undefined && !request.headers.has("x-auth-return-redirect")) throw failure;
  return toParts(response);
}
