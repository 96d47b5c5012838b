import * as oauth from "oauth4webapi";
import { InvalidEndpoints, OAuthProfileParseError } from "../model/errors.ts";
import type { Profile, TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-config.ts";
import { APPLICATION_TIMEOUT_MS, within } from "../session/within.ts";
import { clientOf } from "./oauth-client.ts";
import { requestOptions } from "./oauth-discovery.ts";
import { hookFetch } from "./oauth-fetch.ts";
import { requirePublishedKey } from "./oauth-signature.ts";

/**
 * Fetches what the provider says of the person (OIDC Core §5.3): a 200 with a JSON object, and nothing else (safety H108).
 * For OpenID Connect also a JWT, signed with a published key and by an announced algorithm (OIDC Core §5.3.2).
 *
 * @param expectedSubject for OpenID Connect the `sub` of the ID token, which must be the same (OIDC Core §5.3.2).
 */
export async function fetchUserinfo(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  tokens: TokenSet,
  expectedSubject: string | undefined,
): Promise<Profile> {
  if (provider.userinfo.request !== undefined) {
    const asking = provider.userinfo.request({ tokens, provider: provider.source, fetch: hookFetch(provider) });
    return requireProfile(provider, await within(APPLICATION_TIMEOUT_MS, asking));
  }
  if (server.userinfo_endpoint === undefined) {
    throw new InvalidEndpoints(`Provider "${provider.id}" has no \`userinfo\` endpoint to read the profile from.`, {
      cause: { provider: provider.id },
    });
  }
  const url = new URL(server.userinfo_endpoint);
  for (const [name, value] of Object.entries(provider.userinfo.params)) url.searchParams.set(name, value);
  const there = { ...server, userinfo_endpoint: url.href };
  const options = requestOptions(provider, url.href);
  const client = clientOf(provider);
  const given = await oauth.userInfoRequest(there, client, tokens.access_token ?? "", options);
  const answer = (await within(APPLICATION_TIMEOUT_MS, provider.userinfo.conform?.(given.clone()))) ?? given;
  if (expectedSubject !== undefined) {
    const profile = await oauth.processUserInfoResponse(there, client, expectedSubject, answer);
    // oauth4webapi reads the claims of signed userinfo and leaves its signature to us.
    const mediaType = answer.headers.get("content-type")?.split(";")[0];
    if (mediaType === "application/jwt") await requirePublishedKey(server, provider, answer);
    return { ...profile };
  }
  const body: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null;
  return requireProfile(provider, body, answer.status);
}

function requireProfile(provider: ResolvedOAuthProvider, profile: unknown, status = 200): Profile {
  if (isObject(profile)) return profile;
  throw new OAuthProfileParseError(
    `The userinfo of provider "${provider.id}" is not a JSON object (status ${status}).`,
    {
      cause: { provider: provider.id, status },
    },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
