import * as oauth from "oauth4webapi";
import { toError } from "../model/auth-error.ts";
import { OAuthCallbackError } from "../model/errors.ts";
import type { PresentedRequest, ProviderMetadata, ProviderTools } from "../model/provider-tools.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { isSecureUrl } from "../protocol/parse-url.ts";
import { clientAuthentication, clientOf } from "./client-authentication.ts";
import { findServer, requestOptions, UNKNOWN_ISSUER } from "./find-server.ts";
import { protectionOf } from "./protection.ts";
import { dropAnswer, type RefreshSurroundings, refreshTokens } from "./refresh-tokens.ts";
import { verifyJwt } from "./verify-jwt.ts";

/** The operations of a configured provider that extensions may use. */
export function createProviderTools(provider: ResolvedOAuthProvider, surroundings: RefreshSurroundings): ProviderTools {
  const { id, name, type, clientId } = provider;
  const scope = provider.authorization.params.scope;
  return {
    ...{ id, name, type, clientId, scope },
    metadata: async () => toMetadata(await findServer(provider)),
    endSessionParams: (returnTo) => provider.source.endSessionParams?.({ clientId, returnTo }),
    refresh: (request) => refreshTokens(provider, request, surroundings),
    revoke: (token, hint) => revokeToken(provider, token, hint, surroundings),
    present: (accessToken, request) => presentToken(provider, accessToken, request, surroundings),
    verifyJwt: (token, expected) => verifyJwt(provider, token, expected, surroundings.now()),
  };
}

function toMetadata(server: oauth.AuthorizationServer): ProviderMetadata {
  return {
    issuer: server.issuer === UNKNOWN_ISSUER ? undefined : server.issuer,
    endSessionEndpoint: server.end_session_endpoint,
    revocationEndpoint: server.revocation_endpoint,
    backchannelLogout: server.backchannel_logout_supported === true,
    backchannelLogoutSession: server.backchannel_logout_session_supported === true,
  };
}

/** RFC 6750 §2.1, RFC 9449 §7.1. */
async function presentToken(
  provider: ResolvedOAuthProvider,
  accessToken: string,
  { url, headers: given, method, send }: PresentedRequest,
  { config }: RefreshSurroundings,
): Promise<Response> {
  const headers = new Headers(given);
  // Headers of these names set by the caller are replaced.
  for (const name of ["authorization", "dpop"]) headers.delete(name);
  const protection = await protectionOf(config, provider);
  return protection.send(async () => {
    let answer: Response | undefined;
    const options = {
      ...protection.options,
      [oauth.allowInsecureRequests]: url.protocol === "http:" && isSecureUrl(url.href),
      [oauth.customFetch]: async (_url: string, init: { readonly headers: Record<string, string> }) => {
        answer = await send(init.headers);
        return answer;
      },
    };
    try {
      return await oauth.protectedResourceRequest(accessToken, method, url, headers, null, options);
    } catch (error) {
      // A challenge is the API's response, which the caller handles.
      if (answer !== undefined && error instanceof oauth.WWWAuthenticateChallengeError) return answer;
      throw error;
    }
  });
}

/** RFC 7009 §2.1, §2.2. */
async function revokeToken(
  provider: ResolvedOAuthProvider,
  token: string,
  hint: string,
  { redact }: RefreshSurroundings,
): Promise<boolean> {
  redact(token);
  try {
    const server = await findServer(provider);
    const endpoint = server.revocation_endpoint;
    if (endpoint === undefined) return false;
    const answer = await oauth.revocationRequest(
      server,
      clientOf(provider),
      await clientAuthentication(provider, redact),
      token,
      { ...requestOptions(provider, endpoint), additionalParameters: { token_type_hint: hint } },
    );
    await oauth.processRevocationResponse(answer);
    return true;
  } catch (error) {
    const cause = { err: toError(dropAnswer(error)), provider: provider.id };
    throw new OAuthCallbackError(`A token of provider "${provider.id}" could not be revoked.`, { cause });
  }
}
