import * as oauth from "oauth4webapi";
import { withTimeout } from "../application/with-timeout.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AuthError, OAuthCallbackError } from "../model/errors.ts";
import type { RefreshRequest, RefreshResult } from "../model/provider-tools.ts";
import type { Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { EpochSeconds } from "../model/units.ts";
import { audienceOf } from "../protocol/id-token.ts";
import { isJsonObject, parseJwtSegment } from "../protocol/received-json.ts";
import { clientAuthentication, clientOf } from "./client-authentication.ts";
import type { KeyOwner } from "./dpop-key.ts";
import { requestTokensByHook, withTokenParams } from "./exchange-code.ts";
import { findServer, requestOptions } from "./find-server.ts";
import { callFacts, jsonOf } from "./guarded-fetch.ts";
import { type Protection, protectionOf } from "./protection.ts";
import { readIdToken } from "./read-id-token.ts";
import { readOAuthAnswer, receiveTokens, toTokenSet } from "./token-response.ts";

/** The context of a refresh. `config` owns the DPoP key, for a provider with `dpop`. */
export type RefreshSurroundings = Pick<FlowContext, "now" | "redact"> & { readonly config: KeyOwner };

/** The progress of a request. After the deadline it is no longer sent, even if it is still waiting for a connection. */
interface Progress {
  sent: boolean;
  readonly over: AbortController;
}

/** Thrown instead of sending. */
class Stopped extends Error {}

/**
 * Exchanges a refresh token (RFC 6749 §6).
 *
 * 1. The server is known and the client authentication is ready before `beforeSend` is called, which is the last step
 *    before the request.
 * 2. The response must arrive in time; otherwise it counts as missing.
 * 3. An error of RFC 6749 §5.2 is a refusal, regardless of the status.
 * 4. A new ID token must have the same user, issuer and audience (OIDC Core §12.2).
 *
 * Never throws.
 */
export async function refreshTokens(
  provider: ResolvedOAuthProvider,
  request: RefreshRequest,
  { now, redact, config }: RefreshSurroundings,
): Promise<RefreshResult> {
  redact(request.refreshToken);
  const progress: Progress = { sent: false, over: new AbortController() };
  try {
    const server = await findServer(provider);
    const protection = await protectionOf(config, provider);
    const work = requestRefresh(server, provider, request, { redact, protection }, progress);
    const answer = await receiveTokens(provider, await inTime(request.within, work, progress), redact);
    const refusal = await readRefusal(answer);
    if (refusal !== null) return refusal;
    const tokens = await (provider.type === "oidc"
      ? readRefreshedIdToken(server, provider, answer, request.idToken, now())
      : readOAuthAnswer(server, provider, answer, now()));
    protection.require(tokens);
    return { kind: "tokens", tokens };
  } catch (error) {
    if (error instanceof Stopped) return { kind: "stopped" };
    const facts = await callFacts(error);
    const cause = { err: toError(dropAnswer(error)), provider: provider.id, ...facts };
    const failure = new OAuthCallbackError(`The tokens of provider "${provider.id}" could not be refreshed.`, {
      cause,
    });
    return { kind: "failed", sent: progress.sent, error: error instanceof AuthError ? error : failure };
  }
}

async function inTime(limit: number | undefined, work: Promise<Response>, progress: Progress): Promise<Response> {
  try {
    return await (limit === undefined ? work : withTimeout(limit, work));
  } finally {
    progress.over.abort();
  }
}

async function requestRefresh(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  { refreshToken, scope, beforeSend }: RefreshRequest,
  { redact, protection }: { readonly redact: FlowContext["redact"]; readonly protection: Protection },
  progress: Progress,
): Promise<Response> {
  const asked = { grant_type: "refresh_token", refresh_token: refreshToken, ...(scope === undefined ? {} : { scope }) };
  const announce = async (): Promise<void> => {
    if (progress.sent) return;
    const goOn = (await beforeSend?.()) !== false;
    if (!goOn || progress.over.signal.aborted) throw new Stopped();
    progress.sent = true;
  };
  if (provider.token.request !== undefined) {
    await announce();
    return requestTokensByHook(server, provider, { params: asked, checks: {}, callbackUrl: "" });
  }
  const options = requestOptions(provider, server.token_endpoint);
  const send = options[oauth.customFetch];
  return protection.send(async () => {
    // A second request follows only a rejection of the proof's nonce, which does not consume the refresh token.
    progress.sent = false;
    return oauth.refreshTokenGrantRequest(
      withTokenParams(server, provider.token.params),
      clientOf(provider),
      await clientAuthentication(provider, redact),
      refreshToken,
      {
        ...options,
        ...protection.options,
        [oauth.customFetch]: async (url, init) => {
          await announce();
          return send(url, { ...init, signal: progress.over.signal });
        },
        additionalParameters: { ...provider.token.body, ...(scope === undefined ? {} : { scope }) },
      },
    );
  });
}

/** Errors about the client, the form of the request or the server, whatever their text (RFC 6749 §4.1.2.1, §5.2, RFC 8707, RFC 9449). */
const OF_OTHERS =
  /^(?:invalid_(?:client|scope|target)|unsupported_grant_type|temporarily_unavailable|server_error|slow_down|use_dpop_nonce)$/;

/**
 * How servers say that a refresh token is invalid, besides `invalid_grant`: Slack and others by a code, Microsoft Entra ID by those of OIDC
 * Core §3.1.2.6.
 */
const REJECTED =
  /^(?:invalid_token|token_(?:expired|revoked)|(?:interaction|consent|login|account_selection)_required)$/;

/** How GitHub, Atlassian and others say it, in a code or a description. */
const REJECTED_TOKEN =
  /\b(?:bad|invalid|expired|revoked|unknown)[_ ]["']?refresh[_ ]?token\b(?! (?:grant|type|parameter|request))|\brefresh[_ ]?token["']? (?:is |has |was )?(?:been )?(?:invalid|expired|revoked|unknown|not found)\b/i;

/** How servers say it whose sessions own their tokens, with `invalid_request`. */
const ENDED_SESSION = /\bsession (?:is |has |was )?(?:been )?(?:invalid|expired|revoked|not found)\b/i;

/**
 * Some servers report an error with status 200. A 5xx response is never a refusal, whatever its content. A refresh token that only a new
 * sign-in can replace is `invalid_grant` (RFC 6749 §5.2), whatever the server calls it.
 */
async function readRefusal(answer: Response): Promise<Extract<RefreshResult, { kind: "refused" }> | null> {
  const body = await jsonOf(answer);
  if (answer.status >= 500 || answer.status === 429) return null;
  if (!isJsonObject(body) || typeof body.error !== "string" || body.error === "") return null;
  const { error: code } = body;
  const description = typeof body.error_description === "string" ? body.error_description : undefined;
  const isRejected = REJECTED.test(code) || [code, description ?? ""].some((text) => REJECTED_TOKEN.test(text));
  const isEnded = code === "invalid_request" && ENDED_SESSION.test(description ?? "");
  const isOfToken = !OF_OTHERS.test(code) && (isRejected || isEnded);
  return { kind: "refused", error: isOfToken ? "invalid_grant" : code, description };
}

/**
 * Claims that must not change in a new ID token (OIDC Core §12.2); nor may the set of audiences, and `azp` if both tokens have it.
 * `auth_time` changes at some servers, such as Keycloak, when the user has signed in there again.
 */
const SAME = ["iss", "sub"] as const;

/**
 * Reads an OpenID Provider's response to a refresh. An ID token is optional; if present, it is verified as at sign-in
 * and must concern the same user as before (OIDC Core §12.2).
 *
 * @param former The previous ID token; absent if unknown.
 * @throws OAuthCallbackError for an ID token that is rejected, and errors of oauth4webapi.
 */
async function readRefreshedIdToken(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  former: string | undefined,
  now: EpochSeconds,
): Promise<TokenSet> {
  const hasIdToken = typeof Object(await answer.clone().json()).id_token === "string";
  const validate = (issuing: oauth.AuthorizationServer, judged: Response) =>
    oauth.processRefreshTokenResponse(issuing, clientOf(provider), judged);
  if (!hasIdToken) return toTokenSet(await validate(server, answer), now);
  const times = { now, authenticatedSince: undefined };
  const { result, claims } = await readIdToken(server, provider, answer, validate, times);
  const difference = findDifference(claims, former);
  if (difference === null) return toTokenSet(result, now);
  throw new OAuthCallbackError(`The refreshed ID token of provider "${provider.id}" was rejected: ${difference}.`);
}

function findDifference(claims: Profile, former: string | undefined): string | null {
  if (former === undefined) return null;
  const before: Profile = parseJwtSegment(former, 1);
  const other = SAME.find((name) => claims[name] !== before[name]);
  const isOther = claims.azp !== undefined && before.azp !== undefined && claims.azp !== before.azp;
  const [audience, audienceBefore] = [audienceOf(claims), audienceOf(before)];
  const isForSame =
    audience.every((entry) => audienceBefore.includes(entry)) &&
    audienceBefore.every((entry) => audience.includes(entry));
  const name = other ?? (isOther ? "azp" : isForSame ? undefined : "aud");
  return name === undefined ? null : `\`${name}\` differs from the previous ID token`;
}

/** Maximum depth of the cause chain. */
const MAX_DEPTH = 8;

/**
 * Removes the provider's response from an error and its causes. oauth4webapi stores the parsed response as `cause`. It
 * contains tokens, and errors thrown to an application end up in its log and, in development, on a page. Messages and
 * codes are kept.
 */
export function dropAnswer<E>(error: E, depth = 0): E {
  if (!(error instanceof Error) || error.cause === undefined) return error;
  const { cause } = error;
  const inner: unknown = cause instanceof Error ? cause : Object(cause).err;
  if (inner instanceof Error && depth < MAX_DEPTH) dropAnswer(inner, depth + 1);
  else Reflect.deleteProperty(error, "cause");
  return error;
}
