import { carriedCallbackUrl } from "../actions/failed-form.ts";
import type { Route } from "../actions/index.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { type AuthError, MissingCSRF, UnknownAction } from "../model/errors.ts";
import type { AuthResult } from "../model/result.ts";
import { brokenResponse } from "../response/broken-response.ts";
import { errorResult, logError, toAuthError } from "../response/error-response.ts";
import { plainResponse } from "../response/plain-response.ts";
import { wantsUrl } from "./wants-url.ts";

/** What is loaded with the first request that fails (decisions/012). */

/**
 * The result of an action that threw; logged.
 *
 * @param onError is called with the error, after it was logged.
 */
export async function resultOfFailure(
  thrown: unknown,
  context: ActionContext,
  route: Route,
  onError: (error: AuthError) => void,
): Promise<AuthResult> {
  const error = toAuthError(thrown);
  logError(error, context.logger);
  onError(error);
  const confirmAgain = error instanceof MissingCSRF && error.reason === "stale" ? route.stale : undefined;
  const again = confirmAgain === undefined || wantsUrl(context) ? null : await confirmAgain(context);
  if (again !== null) return again;
  const callbackUrl = await carriedCallbackUrl(context, context.request.body);
  return errorResult(error, context, route.answers, callbackUrl);
}

/** The response to a request whose host is not trusted, or not valid; logged. */
export function answerWithoutOrigin(
  thrown: unknown,
  request: Request,
  { logger }: FlowContext,
  nonce: () => string,
): Response | Promise<Response> {
  const error = toAuthError(thrown);
  logError(error, logger);
  if (error.type === "InvalidHost") return plainResponse(400, "The host of this request is invalid.");
  return brokenResponse(request, nonce);
}

/**
 * The response to a request that no endpoint matches; logged.
 *
 * @param allow the methods that its path has; undefined for a path that is not ours.
 */
export function answerUnknown(request: Request, { logger }: FlowContext, allow: string | undefined): Response {
  logError(new UnknownAction(`No endpoint matches this ${request.method} request.`), logger);
  if (allow === undefined) return plainResponse(404, "Not found.");
  return plainResponse(405, "Method not allowed.", { allow });
}
