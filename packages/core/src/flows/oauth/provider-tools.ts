import * as oauth from "oauth4webapi";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { ProviderMetadata, ProviderTools } from "../../model/provider-tools.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-config.ts";
import { toError } from "../../model/to-error.ts";
import { isSecureUrl } from "../../protocol/loopback.ts";
import { clientAuthentication, clientOf } from "./client-authentication.ts";
import { dropAnswer } from "./drop-answer.ts";
import { findServer, requestOptions, UNKNOWN_ISSUER } from "./find-server.ts";
import { type RefreshSurroundings, refreshTokens } from "./refresh-tokens.ts";
import { verifyJwt } from "./verify-jwt.ts";

/** What an extension may do at a configured provider. */
export function createProviderTools(provider: ResolvedOAuthProvider, surroundings: RefreshSurroundings): ProviderTools {
  const { id, name, type, clientId } = provider;
  const scope = provider.authorization.params.scope;
  return {
    ...{ id, name, type, clientId, scope },
    metadata: async () => toMetadata(await findServer(provider)),
    refresh: (request) => refreshTokens(provider, request, surroundings),
    revoke: (token, hint) => revokeToken(provider, token, hint, surroundings),
    verifyJwt: (token, expected) => verifyJwt(provider, token, expected, surroundings.now()),
  };
}

function toMetadata(server: oauth.AuthorizationServer): ProviderMetadata {
  return {
    issuer: server.issuer === UNKNOWN_ISSUER ? undefined : server.issuer,
    endSessionEndpoint: secureUrl(server.end_session_endpoint),
    revocationEndpoint: secureUrl(server.revocation_endpoint),
    backchannelLogout: server.backchannel_logout_supported === true,
    backchannelLogoutSession: server.backchannel_logout_session_supported === true,
  };
}

function secureUrl(url: unknown): string | undefined {
  return typeof url === "string" && isSecureUrl(url) ? url : undefined;
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
    const endpoint = secureUrl(server.revocation_endpoint);
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
