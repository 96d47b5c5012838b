import { sha256 } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { OAuthSignInError } from "../model/errors.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { SignInStart } from "../model/sign-in-method.ts";
import type { EpochSeconds } from "../model/units.ts";
import { parseMaxAge } from "../protocol/authorization-params.ts";
import { buildAuthorizationUrl } from "../protocol/authorization-url.ts";
import { addressesOf } from "../session/accounts.ts";
import { identifySession } from "../session/identify-session.ts";
import { allowStart } from "../sign-in/allow-attempt.ts";
import { readChoice } from "../sign-in/two-users.ts";
import { findServer } from "./find-server.ts";
import { callFacts } from "./guarded-fetch.ts";
import { newPendingSignIn, newState, type PendingOAuth, redirectUriOf, storePendingSignIn } from "./pending-sign-in.ts";
import { protectionOf } from "./protection.ts";
import { hasOtherCookies } from "./provider-answer.ts";

type Origin = Pick<PendingOAuth, "startedIn" | "hasCookies" | "startedFor" | "startsFresh" | "choice">;

/** What a sign-in starts with. */
type OAuthStart = Omit<SignInStart, "fields" | "request"> & {
  readonly fields?: SignInStart["fields"];
  /** Where a sign-in that starts again was started. It does not start again itself. */
  readonly again?: Origin;
};

/**
 * Starts an authorization code flow (RFC 6749 §4.1.1, OIDC Core §3.1.2.1).
 *
 * 1. The server's endpoints are known and https before anything is stored.
 * 2. `state` always; PKCE with S256 and, for OpenID Connect, `nonce` as the provider's checks say. A server that does
 *    not announce S256 may ignore PKCE, so `nonce` is also used (RFC 9700 §2.1.1).
 * 3. The pending sign-in goes into an encrypted cookie.
 *
 * @returns the URL at the provider to send the browser to.
 * @throws OAuthSignInError.
 */
export async function startOAuth(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  start: OAuthStart,
): Promise<string> {
  const attempt = { action: "oauth", provider: provider.id, type: provider.type } as const;
  const verdict = await allowStart(context, attempt);
  if (!verdict.allow) {
    const { code, retryAfter } = verdict;
    throw new OAuthSignInError("Too many attempts.", { cause: { provider: provider.id, code, retryAfter } });
  }
  try {
    const server = await findServer(provider);
    const redirectUri = redirectUriOf(context, provider);
    const objection = provider.source.refuseCallbackUrl?.(redirectUri);
    if (objection !== undefined) context.logger.warn(`callback-url: ${objection}`);
    const { pkce, nonce } = provider.checks;
    const methods: unknown = server.code_challenge_methods_supported;
    const announced = Array.isArray(methods) && methods.includes("S256");
    const { callbackUrl, reauthentication, context: own, again } = start;
    const origin = again ?? (await originOf(context, provider, start));
    const requested = again === undefined && reauthentication === undefined ? start.requested : undefined;
    const useNonce = provider.type === "oidc" && (nonce || !pkce || !announced);
    const pending = newPendingSignIn(
      await newState(context, provider),
      { ...origin, callbackUrl, reauthentication, context: own, requested },
      { pkce, nonce: useNonce },
    );
    const url = buildAuthorizationUrl({
      endpoint: server.authorization_endpoint ?? "",
      clientId: provider.clientId,
      redirectUri,
      state: pending.state,
      nonce: pending.nonce,
      codeChallenge: pending.codeVerifier === undefined ? undefined : await sha256(pending.codeVerifier),
      params: provider.authorization.params,
      requested: start.requested,
    });
    const authenticatedSince = earliestAuthentication(url, context.now());
    const protection = await protectionOf(context.config, provider, server);
    const sent = await protection.authorize(server, url, context.redact);
    await storePendingSignIn(context, provider, { ...pending, authenticatedSince });
    context.step?.("authorization started", { provider: provider.id });
    return sent;
  } catch (error) {
    const facts = await callFacts(error);
    const cause = { err: toError(error), provider: provider.id, issuer: provider.issuer, ...facts };
    throw new OAuthSignInError(`The sign-in with provider "${provider.id}" could not be started.`, { cause });
  }
}

/** Where a sign-in was started. */
async function originOf(
  context: FlowContext,
  { formPost }: ResolvedOAuthProvider,
  { fields = new Map(), startsFresh = false, choice }: OAuthStart,
): Promise<Origin> {
  const startedFor = await addressesOf(context)?.startedFor(context, fields);
  // The owner of an address decides whose it is, and not whose session this browser has.
  const isRelevant = startedFor === undefined && context.config.adapter !== undefined;
  const startedIn = isRelevant ? (await identifySession(context))?.fingerprint : undefined;
  const chosen = choice ?? (await readChoice(context, fields, startedIn));
  return { startedIn, hasCookies: formPost && hasOtherCookies(context), startedFor, startsFresh, choice: chosen };
}

/** The earliest acceptable time of the user's authentication. */
function earliestAuthentication(authorizationUrl: string, now: EpochSeconds): EpochSeconds | undefined {
  // Most requests have no such parameter, and the URL was parsed already.
  if (!authorizationUrl.includes("max_age")) return undefined;
  const maxAge = parseMaxAge(new URL(authorizationUrl).searchParams.get("max_age"));
  return maxAge === undefined ? undefined : now - maxAge;
}
