import * as oauth from "oauth4webapi";
import { decodeBase64url } from "../../crypto/base64url.ts";
import { verifyHmacSignature } from "../../crypto/hmac-signature.ts";
import { OAuthCallbackError } from "../../model/errors.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";
import { forgetKeys, requestOptions } from "./find-server.ts";

/** Maximum length of a remembered key id. */
const MAX_KEY_ID = 256;

/**
 * Requires the signature of an ID token: with a published key of the server, or, if the client registered an HMAC
 * algorithm, with the client's own secret (OIDC Core §10.1). The token never chooses: HMAC is never accepted from a
 * provider with keys (RFC 8725 §2.1).
 *
 * @param answer Response of the token endpoint, already processed by oauth4webapi.
 * @throws OAuthCallbackError, and errors of oauth4webapi.
 */
export async function requireIdTokenSignature(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  idToken = "",
): Promise<void> {
  const alg = provider.client.id_token_signed_response_alg;
  if (typeof alg === "string" && alg.startsWith("HS")) {
    if (await verifyHmacSignature(idToken, provider.clientSecret ?? "", alg)) return;
    throw new OAuthCallbackError(`The ID token of provider "${provider.id}" has an invalid signature.`);
  }
  await requirePublishedKey(server, provider, answer, idToken);
}

/**
 * Requires that the JWT in a response was signed with a published key of the server.
 *
 * @param answer Response with an ID token or signed userinfo, already processed by oauth4webapi.
 * @param token The JWT, if known. Its key id distinguishes a rotation from a token that is rejected repeatedly.
 * @throws errors of oauth4webapi.
 */
export async function requirePublishedKey(
  server: oauth.AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  token = "",
): Promise<void> {
  const options = requestOptions(provider, server.jwks_uri);
  try {
    await oauth.validateApplicationLevelSignature(server, answer, options);
  } catch (error) {
    const isKeyMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isKeyMissing) throw error;
    // The provider may have rotated its keys since they were fetched: retry once, then reject.
    const again = forgetKeys(provider, server, keyIdOf(token));
    if (again === null) throw error;
    await oauth.validateApplicationLevelSignature(again.server, answer, options);
    again.found();
  }
}

/** The key id of a JWT whose header was read before; empty for none. */
function keyIdOf(token: string): string {
  const header = decodeBase64url(token.split(".")[0] ?? "");
  if (header === null || header.length === 0) return "";
  const { kid } = Object(JSON.parse(new TextDecoder().decode(header)));
  return typeof kid === "string" ? kid.slice(0, MAX_KEY_ID) : "";
}
