import type { AuthorizationServer } from "oauth4webapi";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied, AuthError, InvalidCheck, OAuthCallbackError, OAuthProfileParseError } from "../model/errors.ts";
import type { Account, Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { type AuthorizationResponse, parseAuthorizationResponse } from "../protocol/authorization-response.ts";
import { parseEmailAddress } from "../protocol/email-address.ts";
import { APPLICATION_TIMEOUT_MS, within } from "../session/within.ts";
import { type IdentifiedUser, type Identity, parseIdentifiedUser } from "./identity.ts";
import { findServer } from "./oauth-discovery.ts";
import { type PendingSignIn, takePending } from "./oauth-pending.ts";
import { redirectUriOf } from "./oauth-proxy.ts";
import { redeemCode } from "./oauth-server.ts";
import { fetchUserinfo } from "./oauth-userinfo.ts";

/** A finished authorization code flow. */
export interface OAuthFinished {
  readonly identity: Identity;
  /** Where the person wanted to go when the sign-in began. */
  readonly callbackUrl: string;
}

/**
 * Finishes an authorization code flow (RFC 6749 §4.1.2 to §4.1.4, OIDC Core §3.1.2.5 to §3.1.3.7).
 *
 * 1. The answer is well-formed; the pending sign-in of its `state` is taken, whatever comes next.
 * 2. An error from the provider ends the flow; the code, if any, is not redeemed.
 * 3. The code is redeemed and the tokens judged.
 * 4. The profile comes from the ID token, or from the userinfo endpoint.
 * 5. `profile()` turns it into a user with a non-empty id.
 *
 * @throws InvalidCheck, AccessDenied (`access_denied`), OAuthCallbackError, OAuthProfileParseError.
 */
export async function finishOAuth(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  params: URLSearchParams,
): Promise<OAuthFinished> {
  for (const name of ["code", "state"]) for (const value of params.getAll(name)) context.conceal(value);
  const response = parseAuthorizationResponse(params);
  const pending = response.state === null ? null : await takePending(context, provider, response.state);
  if (response.kind === "error") throw refusedByProvider(provider, response, pending !== null);
  if (response.kind === "invalid") throw malformed(provider, response.reason, pending !== null);
  if (pending === null) throw malformed(provider, 'the parameter "state" is missing', false);
  for (const secret of [pending.codeVerifier, pending.nonce]) context.conceal(secret);
  const { tokens, profile } = await learn(context, provider, response.params, pending);
  const user = await toUser(context, provider, profile, tokens);
  return { identity: toIdentity(provider, user, profile, tokens, pending), callbackUrl: pending.callbackUrl };
}

function toIdentity(
  provider: ResolvedOAuthProvider,
  user: IdentifiedUser & { emailVerified?: unknown },
  profile: Profile,
  tokens: TokenSet,
  pending: PendingSignIn,
): Identity {
  const { emailVerified, ...person } = user;
  const claim: unknown = emailVerified ?? profile.email_verified;
  return {
    user: person,
    account: toAccount(provider, user.id, tokens),
    profile,
    beganIn: pending.beganIn,
    emailClaim: readEmailClaim(claim, provider),
    linkByEmail: provider.allowDangerousEmailAccountLinking,
  };
}

/**
 * What the provider says of the e-mail address: `true` and, as some send it, `"true"` vouch for it (safety H150). OpenID
 * Connect has a claim for it (OIDC Core §5.1), so that its absence vouches for nothing; OAuth 2 has none.
 */
function readEmailClaim(claim: unknown, provider: ResolvedOAuthProvider): "verified" | "unverified" | "none" {
  if (claim === true || claim === "true" || claim instanceof Date) return "verified";
  return claim === undefined && provider.type === "oauth" ? "none" : "unverified";
}

async function learn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  response: URLSearchParams,
  pending: PendingSignIn,
): Promise<{ tokens: TokenSet; profile: Profile }> {
  try {
    const server = await findServer(provider);
    const call = { redirectUri: redirectUriOf(context, provider), now: context.now(), conceal: context.conceal };
    const { tokens, claims } = await redeemCode(server, provider, response, pending, call);
    concealTokens(context, tokens);
    const profile = await profileOf(server, provider, tokens, claims);
    return { tokens, profile: { ...nameInAnswer(provider, response), ...profile } };
  } catch (error) {
    if (error instanceof AuthError) throw error;
    const cause = { err: toError(error), provider: provider.id };
    throw new OAuthCallbackError(`The sign-in with provider "${provider.id}" failed.`, { cause });
  }
}

/**
 * Apple's way: a person's name comes once, as JSON in the form that the browser posts. Nobody signed that, so nothing else is
 * taken from it, and what the provider says itself counts before it.
 */
function nameInAnswer(provider: ResolvedOAuthProvider, response: URLSearchParams): Profile {
  const posted = provider.formPost ? response.get("user") : null;
  if (posted === null) return {};
  try {
    const { name } = Object(JSON.parse(posted));
    return typeof name === "object" && name !== null ? { user: { name } } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

async function profileOf(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
  claims: Profile | undefined,
): Promise<Profile> {
  if (claims === undefined) return fetchUserinfo(server, provider, tokens, undefined);
  if (provider.idTokenIsProfile) return claims;
  return { ...claims, ...(await fetchUserinfo(server, provider, tokens, claims.sub ?? "")) };
}

async function toUser(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  profile: Profile,
  tokens: TokenSet,
): Promise<IdentifiedUser> {
  try {
    const user = parseIdentifiedUser(await within(APPLICATION_TIMEOUT_MS, provider.profile(profile, tokens)));
    if (user !== null) return normalizeEmail(user);
    throw new TypeError("profile() must return a user with a non-empty `id`");
  } catch (error) {
    context.logger.debug("profile() failed", { provider: provider.id, members: Object.keys(profile) });
    const cause = { err: toError(error), provider: provider.id };
    const said = `The profile from provider "${provider.id}" could not be read: ${cause.err.message}`;
    throw new OAuthProfileParseError(said, { cause });
  }
}

/** One form of an address on every way in (safety H202); an empty or malformed one is none. */
function normalizeEmail(user: IdentifiedUser): IdentifiedUser {
  if (!("email" in user)) return user;
  const email: unknown = user.email;
  return { ...user, email: typeof email === "string" ? parseEmailAddress(email) : null };
}

/** Who the account belongs to is said by the provider's profile, never by the token endpoint (safety H106). */
function toAccount(provider: ResolvedOAuthProvider, id: string, tokens: TokenSet): Account {
  const kept = Object.fromEntries(
    Object.entries(provider.account(tokens) ?? {}).filter(([, value]) => value !== undefined),
  );
  const { userId: _owner, id: _id, ...members } = kept;
  return { ...members, provider: provider.id, type: provider.type, providerAccountId: id };
}

/** Without a pending sign-in anybody may have made up the answer: that is no fault for the operator to mend. */
function refusedByProvider(
  provider: ResolvedOAuthProvider,
  { error, description }: Extract<AuthorizationResponse, { kind: "error" }>,
  isExpected: boolean,
): AuthError {
  const cause = { provider: provider.id, error, description };
  if (error === "access_denied") {
    return new AccessDenied(`The sign-in at provider "${provider.id}" was cancelled or denied.`, { cause });
  }
  const message = `Provider "${provider.id}" answered with an error.`;
  return isExpected ? new OAuthCallbackError(message, { cause }) : new InvalidCheck(message, { cause });
}

function malformed(provider: ResolvedOAuthProvider, reason: string, isExpected: boolean): AuthError {
  const message = `The answer of provider "${provider.id}" is refused: ${reason}.`;
  return isExpected ? new OAuthCallbackError(message) : new InvalidCheck(message);
}

function concealTokens(context: FlowContext, tokens: TokenSet): void {
  for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) context.conceal(token);
}
