import { APPLICATION_TIMEOUT_MS, withTimeout } from "../../application/with-timeout.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { TokenEndpointHandler } from "../../model/provider.ts";
import { quoteInexactNumbers } from "../../protocol/exact-json.ts";
import { refuseRepeatedMembers } from "./guarded-fetch.ts";

/**
 * Lets a provider's `conform` rewrite an answer. The hook gets an answer whose long numbers are text already, so that what it
 * returns has none: one that it does has lost digits on the way (RFC 8259 §6).
 *
 * @returns the answer as it was when there is no hook, or it returns nothing.
 * @throws OAuthCallbackError when the answer names a member twice, or the hook returns
 *   something other than a response, or numbers that lost digits.
 */
export async function conformAnswer(given: Response, conform: TokenEndpointHandler["conform"]): Promise<Response> {
  await refuseRepeatedMembers(given);
  const conformed: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, conform?.(given.clone()));
  if (conformed === undefined || conformed === null) return given;
  if (!(conformed instanceof Response)) throw new OAuthCallbackError("`conform` must return a Response or undefined.");
  const text = await conformed.clone().text();
  if (quoteInexactNumbers(text) === text) return conformed;
  throw new OAuthCallbackError("The response returned by `conform` contains a number that lost digits.");
}
