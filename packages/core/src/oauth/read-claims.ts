import * as oauth from "oauth4webapi";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { FlowContext } from "../model/context.ts";
import { InvalidEndpoints, OAuthProfileParseError } from "../model/errors.ts";
import type { Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { findInexactNumber, isJsonObject, parseJwtSegment } from "../protocol/received-json.ts";
import { clientOf } from "./client-authentication.ts";
import type { KeyOwner } from "./dpop-key.ts";
import type { CodeExchange } from "./exchange-code.ts";
import { requestOptions } from "./find-server.ts";
import {
  answerFacts,
  type CallFacts,
  conformAnswer,
  endpointUrl,
  hookFetch,
  hookProvider,
  jsonOf,
  textOf,
} from "./guarded-fetch.ts";
import { protectionOf } from "./protection.ts";
import { requirePublishedKey } from "./read-id-token.ts";

/** What a provider states about a user. */
interface ClaimsOfUser {
  /** All claims, for `profile()`. */
  readonly profile: Profile;
  /** The documents; first the one that contains the e-mail address: another one can deny that it is verified, never state it. */
  readonly sources: readonly [Profile, ...Profile[]];
}

/** The claims that a scope requests (OIDC Core §5.4); of `profile`, those that name the user: any of them is sufficient. */
const REQUESTED = {
  profile: ["name", "nickname", "preferred_username", "given_name", "family_name"],
  email: ["email"],
} as const;

/**
 * Reads the claims of the user who signed in.
 *
 * 1. For OAuth 2, and with `idToken: false`, the userinfo response alone.
 * 2. If the ID token has the claims of the requested scopes, the ID token alone. `email_verified` counts if the metadata
 *    announce it.
 * 3. Otherwise the userinfo response adds those that the ID token lacks, because servers may return them only there (OIDC
 *    Core §5.4). Its `sub` must be that of the ID token (§5.3.2).
 * 4. If there is no userinfo response, or it lacks the claims too, a warning says what to do: the ID token suffices for a
 *    sign-in.
 *
 * @throws errors of {@link fetchUserinfo} for rule 1, and for the response of another user.
 */
export async function readClaims(
  context: FlowContext,
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  { tokens, claims }: CodeExchange,
): Promise<ClaimsOfUser> {
  const ask = () => fetchUserinfo(server, provider, tokens, claims && (claims.sub ?? ""), context.config);
  if (claims === undefined || !provider.idTokenIsProfile) return ofOne(await ask());
  if (findMissing(provider, tokens, claims).length === 0 && !lacksVerification(server, claims)) return ofOne(claims);
  const isKnown = server.userinfo_endpoint !== undefined || provider.userinfo.request !== undefined;
  const userinfo = isKnown ? await ask().catch(unlessOtherSubject) : new Error("there is no userinfo endpoint");
  const read = userinfo instanceof Error ? ofOne(claims) : complete(claims, userinfo);
  const missing = findMissing(provider, tokens, read.profile);
  if (missing.length > 0 && !warned.has(provider)) {
    const [reason, ...others] =
      userinfo instanceof Error ? [userinfo.message, userinfo.cause] : ["so does the userinfo response"];
    context.logger.warn(
      `missing-claims: ID tokens of provider "${provider.id}" lack the claims of the scope "${missing.join(" ")}", and ${reason}. Have the provider add them to ID tokens or userinfo, or remove the scope.`,
      ...others,
    );
    warned.add(provider);
  }
  return read;
}

/** Providers for which a warning was logged. */
const warned = new WeakSet<ResolvedOAuthProvider>();

const ofOne = (document: Profile): ClaimsOfUser => ({ profile: document, sources: [document] });

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The requested and granted scopes of which the claims are missing. The response has `scope` if the user granted others (RFC 6749 §5.1). */
function findMissing({ authorization }: ResolvedOAuthProvider, { scope }: TokenSet, claims: Profile) {
  const { url = "", params } = authorization;
  const sent = params.scope ?? parseUrl(url)?.searchParams.get("scope") ?? "";
  const [requested, granted] = [sent, scope ?? sent].map((list) => list.split(/[\s,]+/));
  return (["profile", "email"] as const).filter(
    (name) =>
      requested?.includes(name) && granted?.includes(name) && !REQUESTED[name].some((claim) => isGiven(claims[claim])),
  );
}

/** Some servers, such as Okta's, put an address into ID tokens, and whether it is verified only into userinfo. */
function lacksVerification(
  { claims_supported }: oauth.AuthorizationServer,
  { email, email_verified }: Profile,
): boolean {
  const announced: unknown = claims_supported;
  return Array.isArray(announced) && announced.includes("email_verified") && isGiven(email) && !isGiven(email_verified);
}

/**
 * The ID token's claims take precedence. A claim such as `email_verified` comes from the document that has its `email`; if
 * both have the same one, from the document that has the claim.
 */
function complete(claims: Profile, userinfo: Profile): ClaimsOfUser {
  const isOfIdToken = (name: string) => {
    const about = name.replace(/_verified$/, "");
    const isSame = claims[about] === userinfo[about] && !isGiven(claims[`${about}_verified`]);
    return !isGiven(userinfo[about]) || (isGiven(claims[about]) && !isSame);
  };
  const added = Object.entries(userinfo).filter(([name]) => !isOfIdToken(name));
  const own = Object.entries(claims).filter(([name]) => isOfIdToken(name));
  const sources = isOfIdToken("email") ? ([claims, userinfo] as const) : ([userinfo, claims] as const);
  return { profile: Object.fromEntries([...added, ...own]), sources };
}

/** A response about another user shows a mix-up or an attack. Any other failure is returned. */
function unlessOtherSubject(error: unknown): Error {
  if (Object(Object(error).cause).attribute === "sub") throw error;
  return new Error("the userinfo response could not be read", { cause: error });
}

/**
 * Fetches the profile (OIDC Core §5.3): a 200 with a JSON object, and nothing else. For OpenID Connect also a JWT, signed
 * with a published key and an announced algorithm (OIDC Core §5.3.2).
 *
 * @param owner Owner of the DPoP key, for a provider with `dpop`.
 * @param expectedSubject For OpenID Connect, the `sub` of the ID token, which must be the same (OIDC Core §5.3.2).
 */
async function fetchUserinfo(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
  expectedSubject: string | undefined,
  owner: KeyOwner,
): Promise<Profile> {
  if (provider.userinfo.request !== undefined) {
    const described = hookProvider(provider, server);
    const asking = provider.userinfo.request({ tokens, provider: described, fetch: hookFetch(provider) });
    const profile = requireProfile(provider, await withTimeout(APPLICATION_TIMEOUT_MS, asking));
    return requireExact(provider, requireSubject(provider, profile, expectedSubject));
  }
  if (server.userinfo_endpoint === undefined) {
    throw new InvalidEndpoints(`Provider "${provider.id}" has no \`userinfo\` endpoint to read the profile from.`, {
      cause: { provider: provider.id },
    });
  }
  const url = endpointUrl(server.userinfo_endpoint, provider.userinfo.params);
  const there = { ...server, userinfo_endpoint: url.href };
  const protection = await protectionOf(owner, provider);
  const options = { ...requestOptions(provider, url.href, "redirected"), ...protection.options };
  const client = clientOf(provider);
  const given = await protection.send(() => oauth.userInfoRequest(there, client, tokens.access_token ?? "", options));
  const answer = await conformAnswer(given, provider.userinfo.conform);
  if (expectedSubject !== undefined) {
    const text = await textOf(answer);
    const profile = await oauth.processUserInfoResponse(there, client, expectedSubject, answer);
    // oauth4webapi reads the claims of signed userinfo but does not verify its signature.
    const mediaType = answer.headers.get("content-type")?.split(";")[0];
    if (mediaType !== "application/jwt") return { ...profile };
    await requirePublishedKey(server, provider, answer);
    return parseJwtSegment(text, 1);
  }
  if (answer.status === 200) return requireProfile(provider, await jsonOf(answer));
  // Every API has its own form of errors; the beginning of the text is logged.
  throw unusable(provider, { ...(await answerFacts(answer)), description: (await textOf(answer)).slice(0, 300) });
}

/** The same rule applies to a profile fetched by an application's hook (OIDC Core §5.3.2). */
function requireSubject(provider: ResolvedOAuthProvider, profile: Profile, subject: string | undefined): Profile {
  if (subject === undefined || profile.sub === subject) return profile;
  throw new OAuthProfileParseError(
    `\`userinfo.request\` of provider "${provider.id}" returned a \`sub\` that differs from the ID token.`,
    { cause: { provider: provider.id, attribute: "sub" } },
  );
}

/** A hook with its own JSON parser may have lost digits of an id (RFC 8259 §6). */
function requireExact(provider: ResolvedOAuthProvider, profile: Profile): Profile {
  const member = findInexactNumber(profile);
  if (member === null) return profile;
  throw new OAuthProfileParseError(
    `\`userinfo.request\` of provider "${provider.id}" returned a number that lost digits: ${member}.`,
    { cause: { provider: provider.id, member } },
  );
}

function requireProfile(provider: ResolvedOAuthProvider, profile: unknown): Profile {
  if (isJsonObject(profile)) return profile;
  throw unusable(provider, { status: 200 });
}

function unusable({ id }: ResolvedOAuthProvider, facts: CallFacts): OAuthProfileParseError {
  const message = `The userinfo response of provider "${id}" is not a JSON object (status ${facts.status}).`;
  return new OAuthProfileParseError(message, { cause: { provider: id, ...facts } });
}
