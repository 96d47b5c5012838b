import * as oauth from "oauth4webapi";
import { leftHalfHash } from "../../crypto/primitives.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { Profile, TokenSet } from "../../model/records.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";
import type { EpochSeconds } from "../../model/units.ts";
import { checkIdToken } from "../../protocol/id-token.ts";
import { parseJwtSegment } from "../../protocol/received-json.ts";
import { clientOf } from "./client-authentication.ts";
import { issuerFor, toTokenSet } from "./exchange-code.ts";
import { requireIdTokenSignature } from "./id-token-signature.ts";

/**
 * Claims that must not change in a new ID token (OIDC Core §12.2); also `auth_time` and `azp` if both tokens have them.
 */
const SAME = ["iss", "sub"] as const;
const SAME_WHERE_BOTH = ["auth_time", "azp"] as const;

/**
 * Reads an OpenID Provider's response to a refresh. An ID token is optional; if present, it is verified as at sign-in
 * and must concern the same user as before (OIDC Core §12.2).
 *
 * @param former The previous ID token; absent if unknown.
 * @throws OAuthCallbackError for an ID token that is rejected, and errors of oauth4webapi.
 */
export async function readRefreshedIdToken(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  former: string | undefined,
  now: EpochSeconds,
): Promise<TokenSet> {
  const hasIdToken = typeof Object(await answer.clone().json()).id_token === "string";
  const issuing = hasIdToken ? await issuerFor(server, provider, answer) : server;
  const result = await oauth.processRefreshTokenResponse(issuing, clientOf(provider), answer);
  const { id_token } = result;
  if (id_token === undefined) return toTokenSet(result, now);
  await requireIdTokenSignature(server, provider, answer, id_token);
  const header = parseJwtSegment(id_token, 0);
  const claims = parseJwtSegment(id_token, 1);
  const accessTokenHash = await leftHalfHash(result.access_token, typeof header.alg === "string" ? header.alg : "");
  const facts = { header, claims, clientId: provider.clientId, accessTokenHash, authenticatedSince: undefined, now };
  const fault = checkIdToken(facts) ?? findDifference(claims, former);
  if (fault === null) return toTokenSet(result, now);
  throw new OAuthCallbackError(`The refreshed ID token of provider "${provider.id}" was rejected: ${fault}.`);
}

/** `aud` needs no comparison: the previous checks only accept this client. */
function findDifference(claims: Profile, former: string | undefined): string | null {
  if (former === undefined) return null;
  const before: Profile = parseJwtSegment(former, 1);
  const other = SAME.find((name) => claims[name] !== before[name]);
  const changed = SAME_WHERE_BOTH.find((name) => {
    return claims[name] !== undefined && before[name] !== undefined && claims[name] !== before[name];
  });
  const name = other ?? changed;
  return name === undefined ? null : `\`${name}\` differs from the previous ID token`;
}
