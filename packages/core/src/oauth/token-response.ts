import * as oauth from "oauth4webapi";
import type { FlowContext } from "../model/context.ts";
import { OAuthCallbackError } from "../model/errors.ts";
import type { TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isJsonObject } from "../protocol/received-json.ts";
import { clientOf } from "./client-authentication.ts";
import { conformAnswer, jsonOf, redactAnswer, withBody } from "./guarded-fetch.ts";

/** Members of a token response that it may lack (RFC 6749 §5.1, OIDC Core §3.1.3.3): an empty text stands for none. */
const OPTIONAL: readonly string[] = ["token_type", "refresh_token", "id_token", "scope", "expires_in"];

/**
 * Receives what the token endpoint or `token.request` returned, at sign-in and refresh, before anything reads it.
 *
 * 1. Its texts are registered for redaction, also those of what `conform` returns.
 * 2. `conform` corrects it.
 * 3. Members that say nothing are dropped: null, an empty text, or a lifetime that is not a positive number. The code or refresh token
 *    is consumed, so that the rest of the response cannot be obtained again.
 * 4. Without `token_type` the token is a bearer token, as it is with nearly every server.
 */
export async function receiveTokens(
  provider: ResolvedOAuthProvider,
  given: Response,
  redact: FlowContext["redact"],
): Promise<Response> {
  await redactAnswer(given, redact);
  const answer = await conformAnswer(given, provider.token.conform);
  if (answer !== given) await redactAnswer(answer, redact);
  const body = await jsonOf(answer);
  if (answer.status !== 200 || !isJsonObject(body)) return answer;
  const said = Object.fromEntries(Object.entries(body).filter(saysSomething));
  return withBody(answer, { token_type: "bearer", ...said });
}

function saysSomething([name, value]: readonly [string, unknown]): boolean {
  if (value === null || (value === "" && OPTIONAL.includes(name))) return false;
  if (name !== "expires_in") return true;
  return (
    (typeof value === "number" || typeof value === "string") && Number.isFinite(Number(value)) && Number(value) > 0
  );
}

/**
 * Validates an OAuth 2.0 response. It may contain an ID token that cannot be verified, which is kept as opaque text and proves
 * nothing.
 */
export async function readOAuthAnswer(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  now: EpochSeconds,
): Promise<TokenSet> {
  const body = await jsonOf(answer);
  if (!isJsonObject(body) || answer.status !== 200) {
    await oauth.processAuthorizationCodeResponse(server, clientOf(provider), answer);
    throw new OAuthCallbackError(`The token endpoint of provider "${provider.id}" did not return a JSON object.`);
  }
  const { id_token, ...plain } = body;
  const result = await oauth.processAuthorizationCodeResponse(server, clientOf(provider), withBody(answer, plain));
  return { ...toTokenSet(result, now), ...(typeof id_token === "string" ? { id_token } : {}) };
}

/** In 2038: the columns for `expires_at` are integers of 32 bits, and must not refuse an account for a long-lived token. */
const LATEST: EpochSeconds = 2 ** 31 - 1;

/**
 * The tokens of a response, with the time at which the access token expires. Some servers send that time, in seconds, instead of
 * the lifetime; anything else under its name is dropped, because a column for numbers would refuse the account.
 */
export function toTokenSet(result: oauth.TokenEndpointResponse, now: EpochSeconds): TokenSet {
  const { expires_in, expires_at: sent, token_type, ...rest } = result;
  const tokens = { ...rest, token_type, ...(expires_in === undefined ? {} : { expires_in }) };
  if (expires_in) return { ...tokens, expires_at: Math.min(Math.floor(now + expires_in), LATEST) };
  return /^\d{1,10}$/.test(String(sent)) ? { ...tokens, expires_at: Math.min(Number(sent), LATEST) } : tokens;
}
