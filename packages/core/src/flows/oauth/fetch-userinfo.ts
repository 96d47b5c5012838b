import * as oauth from "oauth4webapi";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../../application/with-timeout.ts";
import { InvalidEndpoints, OAuthProfileParseError } from "../../model/errors.ts";
import type { Profile, TokenSet } from "../../model/records.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";
import { findInexactNumber, parseJwtSegment } from "../../protocol/received-json.ts";
import { clientOf } from "./client-authentication.ts";
import type { KeyOwner } from "./dpop-key.ts";
import { requestOptions } from "./find-server.ts";
import { conformAnswer, endpointUrl, hookFetch, hookProvider, jsonOf, textOf } from "./guarded-fetch.ts";
import { requirePublishedKey } from "./id-token-signature.ts";
import { proofOf } from "./proof-of.ts";

/**
 * Fetches the profile (OIDC Core §5.3): a 200 with a JSON object, and nothing else. For OpenID Connect also a JWT, signed
 * with a published key and an announced algorithm (OIDC Core §5.3.2).
 *
 * @param owner Owner of the DPoP key, for a provider with `dpop`.
 * @param expectedSubject For OpenID Connect, the `sub` of the ID token, which must be the same (OIDC Core §5.3.2).
 */
export async function fetchUserinfo(
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
  const proof = await proofOf(owner, provider);
  const options = { ...requestOptions(provider, url.href), ...proof.options };
  const client = clientOf(provider);
  const given = await proof.send(() => oauth.userInfoRequest(there, client, tokens.access_token ?? "", options));
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
  const body: unknown = answer.status === 200 ? await jsonOf(answer) : null;
  return requireProfile(provider, body, answer.status);
}

/** The same rule applies to a profile fetched by an application's hook (OIDC Core §5.3.2). */
function requireSubject(provider: ResolvedOAuthProvider, profile: Profile, subject: string | undefined): Profile {
  if (subject === undefined || profile.sub === subject) return profile;
  throw new OAuthProfileParseError(
    `\`userinfo.request\` of provider "${provider.id}" returned a \`sub\` that differs from the ID token.`,
    { cause: { provider: provider.id } },
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

function requireProfile(provider: ResolvedOAuthProvider, profile: unknown, status = 200): Profile {
  if (isObject(profile)) return profile;
  throw new OAuthProfileParseError(
    `The userinfo response of provider "${provider.id}" is not a JSON object (status ${status}).`,
    {
      cause: { provider: provider.id, status },
    },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
