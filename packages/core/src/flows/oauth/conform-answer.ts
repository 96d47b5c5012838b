import { APPLICATION_TIMEOUT_MS, withTimeout } from "../../application/with-timeout.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { TokenEndpointHandler } from "../../model/oauth-provider.ts";
import { quoteInexactNumbers } from "../../protocol/received-json.ts";
import { refuseRepeatedMembers } from "./guarded-fetch.ts";

/**
 * Lets a provider's `conform` correct a response. The hook receives a response whose long numbers are already strings.
 * If its result contains such a number, the hook has lost digits (RFC 8259 §6).
 *
 * @returns the original response if there is no hook, or if it returns nothing.
 * @throws OAuthCallbackError if the response has a duplicate member, or the hook returns something other than a response,
 *   or numbers that lost digits.
 */
export async function conformAnswer(given: Response, conform: TokenEndpointHandler["conform"]): Promise<Response> {
  await refuseRepeatedMembers(given);
  if (conform === undefined) return given;
  const conformed: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, conform(given.clone()));
  if (conformed === undefined || conformed === null) return given;
  if (!(conformed instanceof Response)) throw new OAuthCallbackError("`conform` must return a Response or undefined.");
  const text = await conformed.clone().text();
  if (quoteInexactNumbers(text) === text) return conformed;
  throw new OAuthCallbackError("The response returned by `conform` contains a number that lost digits.");
}
