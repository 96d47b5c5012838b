import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { guardOf } from "../context/create-context.ts";
import { isPrefetch } from "../context/request-facts.ts";
import { toError } from "../model/auth-error.ts";
import type { Undo } from "../model/changes.ts";
import type { ActionContext, FlowContext } from "../model/context.ts";
import { AccessDenied, AuthError, InvalidCheck, OAuthCallbackError, OAuthProfileParseError } from "../model/errors.ts";
import type { OAuthIdentity } from "../model/identity.ts";
import type { Account, Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { SessionOrigin } from "../model/session-facts.ts";
import type { Finished, LoadedMethod } from "../model/sign-in-method.ts";
import {
  type AuthorizationResponse,
  nameInAnswer,
  parseAuthorizationResponse,
  requireOwnIssuer,
} from "../protocol/authorization-response.ts";
import { decideEmailClaim, parseEmailAddress, readEmailFacts } from "../protocol/email-address.ts";
import { type IdentifiedUser, parseIdentifiedUser } from "../protocol/same-id.ts";
import { requireAccounts } from "../session/accounts.ts";
import { rememberCallbackUrl } from "../sign-in/redirect.ts";
import { type CodeExchange, exchangeCode } from "./exchange-code.ts";
import { findServer } from "./find-server.ts";
import { callFacts } from "./guarded-fetch.ts";
import {
  consumePendingSignIn,
  forwardByProxy,
  type PendingOAuth,
  requireRestart,
  usesProxy,
} from "./pending-sign-in.ts";
import { isRepeated, readAnswer, urlToRepeat } from "./provider-answer.ts";
import { readClaims } from "./read-claims.ts";
import { startOAuth } from "./start.ts";

/** A company's own server may have addresses whose domain contains no dot. */
const LOCAL_DOMAINS = { allowLocalDomains: true } as const;

/** RFC 6749 §4.1.2.1: a later request may succeed. Keycloak wants it at once, after the user signed in there in another tab. */
const UNAVAILABLE = "temporarily_unavailable";

/**
 * Completes an authorization code flow (RFC 6749 §4.1.2 to §4.1.4, OIDC Core §3.1.2.5 to §3.1.3.7).
 *
 * 1. The response is well-formed; the pending sign-in of its `state` is consumed, whatever follows.
 * 2. An error from the provider ends the flow, and so does the response of another provider; a code is not exchanged. If the provider was
 *    unavailable, the sign-in starts again, once.
 * 3. The code is exchanged and the tokens validated. If it was already used, the sign-in starts again, once.
 * 4. The profile comes from the ID token, the userinfo endpoint or both, see {@link readClaims}.
 * 5. `profile()` converts it to a user with an id, see {@link parseIdentifiedUser}; {@link decideEmailClaim} decides
 *    whether the provider vouches for the address.
 *
 * @throws InvalidCheck, AccessDenied (`access_denied`, and the provider's `cancelled`), OAuthCallbackError, OAuthProfileParseError.
 */
async function finishOAuth(
  context: ActionContext,
  provider: ResolvedOAuthProvider,
  undo: Undo[],
): Promise<Finished<OAuthIdentity>> {
  const { request } = context;
  // The code and the pending sign-in can be used only once, so a prefetch must not consume them. The status is not 2xx,
  // because a browser would otherwise show this response for the actual visit (RFC 8470 §5.2: Too Early).
  if (isPrefetch(request)) return { result: { kind: "empty", status: 425 } };
  const params = await readAnswer(context, provider);
  const elsewhere = await forwardByProxy(context, provider, params);
  if (elsewhere !== null) return { result: { kind: "redirect", url: elsewhere } };
  for (const name of ["code", "state"]) for (const value of params.getAll(name)) context.redact(value);
  const response = parseAuthorizationResponse(params);
  const repeated = response.state === null ? null : await urlToRepeat(context, provider, response.state);
  if (repeated !== null) return { result: { kind: "redirect", url: repeated } };
  const pending = response.state === null ? null : await consumePendingSignIn(context, provider, response.state);
  // A sign-in that fails leads to its own destination when it is repeated, not to that of another tab.
  if (pending !== null) undo.push({ of: "record", run: () => rememberCallbackUrl(context, pending.callbackUrl) });
  const again = pending?.reauthentication;
  if (again !== undefined) return proveAgain(context, provider, response, pending, again);
  if (response.kind === "error" && response.error === UNAVAILABLE && pending?.requested !== undefined)
    return startAgain(context, provider, pending);
  if (response.kind === "error") throw rejectedByProvider(provider, response, pending !== null);
  if (response.kind === "invalid") throw malformed(provider, response.reason, pending !== null);
  if (pending === null) throw malformed(provider, 'the parameter "state" is missing', false);
  for (const secret of [pending.codeVerifier, pending.nonce]) context.redact(secret);
  const identity = pending.isConsumed ? null : await redeem(context, provider, response.params, pending);
  if (identity === null) return startAgain(context, provider, pending);
  return { identity, callbackUrl: pending.callbackUrl };
}

/** The identity; null if the provider rejected the code, as it does after another process used it, and the sign-in can start again. */
async function redeem(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  pending: PendingOAuth,
): Promise<OAuthIdentity | null> {
  try {
    return await identifyAccount(context, provider, response, pending);
  } catch (error) {
    const isRejected = error instanceof OAuthCallbackError && error.cause?.error === "invalid_grant";
    if (!isRejected || pending.requested === undefined) throw error;
    context.logger.warn(
      `rejected-code: provider "${provider.id}" rejected a code as used or expired (invalid_grant). The sign-in starts again, once. If that happens to every sign-in, compare the client and the callback URL with those at the provider.`,
    );
    return null;
  }
}

/** The same sign-in, with new secrets. */
async function startAgain(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  pending: PendingOAuth,
): Promise<Finished<OAuthIdentity>> {
  const requested = await requireRestart(context, provider, pending);
  context.logger.debug("the sign-in starts again", { provider: provider.id });
  const { callbackUrl, context: own } = pending;
  const start = { callbackUrl, context: own, requested, reauthentication: undefined, again: pending };
  return { result: { kind: "redirect", url: await startOAuth(context, provider, start) } };
}

async function identifyAccount(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  pending: PendingOAuth,
): Promise<OAuthIdentity> {
  requireOwnIssuer(provider, response.get("iss"), context.config.providers);
  const { tokens, claims, documents } = await exchangeCodeForProfile(context, provider, response, pending);
  const profile = { ...nameInAnswer(provider, response), ...documents.profile };
  const { user, spelling, emailClaim } = await toUser(context, provider, documents.sources, profile, tokens);
  return {
    kind: "oauth",
    user,
    spelling,
    ...toAccounts(provider, user.id, tokens),
    profile,
    startedIn: pending.startedIn,
    startedFor: pending.startedFor,
    startsFresh: pending.startsFresh,
    choice: pending.choice,
    context: pending.context,
    emailClaim,
    linkByEmail: provider.allowDangerousEmailAccountLinking,
    idToken: claims,
  };
}

/**
 * Re-authentication of a session's user. Creates no user, account or session, regardless of the provider's response.
 */
async function proveAgain(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  response: AuthorizationResponse,
  pending: PendingOAuth | null,
  sealed: string,
): Promise<Finished<OAuthIdentity>> {
  const guard = guardOf(context.config);
  if (guard === undefined || pending === null) throw malformed(provider, "no extension requested it", true);
  const prove = async () => {
    if (response.kind !== "code") throw malformed(provider, "the provider returned an error", true);
    const identity = await identifyAccount(context, provider, response.params, pending);
    const owner =
      context.config.adapter === undefined
        ? undefined
        : await requireAccounts(context.config).find.byAccount(identity.account);
    return { claims: identity.idToken, owner: owner === undefined ? undefined : (owner?.id ?? null) };
  };
  const { callbackUrl } = pending;
  const url = await guard.reauthenticated(context, { provider: provider.id, sealed, callbackUrl, prove });
  return { result: { kind: "redirect", url } };
}

async function exchangeCodeForProfile(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  pending: PendingOAuth,
): Promise<CodeExchange & { readonly documents: Awaited<ReturnType<typeof readClaims>> }> {
  try {
    const server = await findServer(provider);
    const exchange = await exchangeCode(context, server, provider, response, pending);
    context.step?.("code exchanged", { provider: provider.id });
    return { ...exchange, documents: await readClaims(context, server, provider, exchange) };
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const cause = { err: toError(error), provider: provider.id, ...(await callFacts(error)) };
    throw new OAuthCallbackError(`The sign-in with provider "${provider.id}" failed.`, { cause });
  }
}

/**
 * Calls `profile()`.
 *
 * @param sources the provider's documents; read before `profile()`, which may change them.
 * @param profile all claims, with the name from a posted response.
 */
async function toUser(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  sources: readonly [Profile, ...Profile[]],
  profile: Profile,
  tokens: TokenSet,
): Promise<Pick<OAuthIdentity, "spelling" | "emailClaim"> & { readonly user: IdentifiedUser }> {
  try {
    const vouched = provider.verifiedEmail === undefined ? undefined : { address: provider.verifiedEmail(sources[0]) };
    const facts = readEmailFacts(provider.type, sources, vouched);
    const mapped = parseIdentifiedUser(await withTimeout(APPLICATION_TIMEOUT_MS, provider.profile(profile, tokens)));
    if (mapped === null) throw new TypeError("profile() must return a user with a valid `id`");
    const { emailVerified, ...user }: IdentifiedUser & { emailVerified?: unknown } = mapped;
    const spelling = typeof user.email === "string" ? user.email : undefined;
    const email = spelling === undefined ? null : parseEmailAddress(spelling, LOCAL_DOMAINS);
    const emailClaim = decideEmailClaim(facts, email, emailVerified);
    // One form of an address for all sign-in methods; an empty or malformed address counts as absent.
    return { user: "email" in user ? { ...user, email } : user, spelling, emailClaim };
  } catch (error) {
    context.logger.debug("profile() failed", { provider: provider.id, members: Object.keys(profile) });
    throw unreadable(provider, "The profile", error);
  }
}

/** The whole response for callbacks, and what `account()` selects of it for the database. */
function toAccounts(
  provider: ResolvedOAuthProvider,
  id: string,
  tokens: TokenSet,
): Pick<OAuthIdentity, "account" | "stored"> {
  const account = accountOf(provider, id, tokens);
  try {
    const chosen: unknown = provider.account(tokens) ?? {};
    if (typeof chosen !== "object" || chosen === null || Array.isArray(chosen) || "then" in chosen) {
      throw new TypeError("account() must return an object, synchronously");
    }
    return { account, stored: accountOf(provider, id, chosen) };
  } catch (error) {
    throw unreadable(provider, "The account", error);
  }
}

/** The provider's profile determines the owner of the account, never the token endpoint. */
function accountOf({ id: provider, type }: ResolvedOAuthProvider, providerAccountId: string, given: object): Account {
  const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const { userId: _owner, id: _id, __proto__: _, ...members } = kept;
  return { ...members, provider, type, providerAccountId };
}

function unreadable(provider: ResolvedOAuthProvider, what: string, error: unknown): OAuthProfileParseError {
  const cause = { err: toError(error), provider: provider.id };
  return new OAuthProfileParseError(`${what} from provider "${provider.id}" could not be read.`, { cause });
}

/** Without a pending sign-in anyone may have invented the response: the operator has nothing to fix. */
function rejectedByProvider(
  provider: ResolvedOAuthProvider,
  { error, description }: Extract<AuthorizationResponse, { kind: "error" }>,
  isExpected: boolean,
): AuthError {
  const cause = { provider: provider.id, error, description };
  if (error === "access_denied" || provider.source.cancelled?.includes(error)) {
    return new AccessDenied(`The sign-in at provider "${provider.id}" was cancelled or denied.`, { cause });
  }
  const message = `Provider "${provider.id}" returned an error.`;
  return isExpected ? new OAuthCallbackError(message, { cause }) : new InvalidCheck(message, { cause });
}

function malformed(provider: ResolvedOAuthProvider, reason: string, isExpected: boolean): AuthError {
  const message = `The response of provider "${provider.id}" was rejected: ${reason}.`;
  return isExpected ? new OAuthCallbackError(message) : new InvalidCheck(message);
}

function originOf({ account, idToken }: Parameters<LoadedMethod["proof"]>[0]): SessionOrigin {
  const { iss, sub, sid }: Record<string, unknown> = { ...idToken };
  return {
    provider: account.provider,
    sub: typeof sub === "string" ? sub : account.providerAccountId,
    ...(typeof iss === "string" ? { iss } : {}),
    ...(typeof sid === "string" ? { sid } : {}),
  };
}

/** What signs in with an account at a provider. */
export const oauthMethod: LoadedMethod<ResolvedOAuthProvider> = {
  start: startOAuth,
  // The response must use the requested mode (OAuth 2.0 Form Post Response Mode §2).
  method: (context, provider) =>
    provider.formPost && !usesProxy(context, provider) && !isRepeated(context, provider) ? "POST" : "GET",
  secret: async (context, provider) => (await readAnswer(context, provider)).get("state"),
  finish: finishOAuth,
  proof: (given) => ({ method: "federated", idp: originOf(given) }),
};
