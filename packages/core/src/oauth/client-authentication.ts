import * as oauth from "oauth4webapi";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { ID_TOKEN_CLOCK_TOLERANCE } from "../protocol/id-token.ts";
import { UNKNOWN_ISSUER } from "./find-server.ts";

/** The client, as oauth4webapi expects it. */
export function clientOf(provider: ResolvedOAuthProvider): oauth.Client {
  return { [oauth.clockTolerance]: ID_TOKEN_CLOCK_TOLERANCE, ...provider.client, client_id: provider.clientId };
}

/**
 * The client authentication at the token endpoint (RFC 6749 §2.3, RFC 7523 §2.2).
 *
 * @param redact registers the secret for redaction.
 */
export async function clientAuthentication(
  provider: ResolvedOAuthProvider,
  redact: FlowContext["redact"],
): Promise<oauth.ClientAuth> {
  const given = provider.source.clientSecret;
  const making = typeof given === "function" ? given({ clientId: provider.clientId }) : given;
  const clientSecret = (await withTimeout(APPLICATION_TIMEOUT_MS, making)) ?? "";
  // A newly created secret is not among those registered at startup.
  redact(clientSecret);
  const method = provider.client.token_endpoint_auth_method;
  switch (method) {
    case "none":
      return oauth.None();
    case "client_secret_post":
      return oauth.ClientSecretPost(clientSecret);
    case "client_secret_jwt":
      return addressed(provider, oauth.ClientSecretJwt(clientSecret));
    case "private_key_jwt":
      return addressed(provider, oauth.PrivateKeyJwt(privateKeyOf(provider)));
    case "client_secret_basic":
      return basicOf(clientSecret);
    default:
      return announced(provider, clientSecret);
  }
}

/** Without a configured method: the first of these that the server announces (RFC 8414 §2), otherwise the first of all. */
function announced(provider: ResolvedOAuthProvider, clientSecret: string): oauth.ClientAuth {
  return (server, ...request) => {
    const methods: unknown = server.token_endpoint_auth_methods_supported;
    const supports = (method: string) => Array.isArray(methods) && methods.includes(method);
    const basic = basicOf(clientSecret);
    const post = supports("client_secret_post") ? oauth.ClientSecretPost(clientSecret) : undefined;
    const jwt = supports("client_secret_jwt") ? addressed(provider, oauth.ClientSecretJwt(clientSecret)) : undefined;
    const authenticate = supports("client_secret_basic") ? basic : (post ?? jwt ?? basic);
    return authenticate(server, ...request);
  };
}

/**
 * Id and secret in HTTP Basic, encoded as little as RFC 6749 §2.3.1 allows: servers that compare the pair without decoding it read `-`, `_`,
 * `.` and `~` as they are; those that decode it read both spellings.
 */
function basicOf(clientSecret: string): oauth.ClientAuth {
  return (_server, { client_id }, _body, headers) =>
    headers.set("authorization", `Basic ${btoa([client_id, clientSecret].map(encodeURIComponent).join(":"))}`);
}

/**
 * The assertion is for the issuer only (draft-ietf-oauth-security-topics-update §2.1), or without a known one for the configured
 * token endpoint (RFC 7523 §3).
 */
function addressed({ token }: ResolvedOAuthProvider, authenticate: oauth.ClientAuth): oauth.ClientAuth {
  return (server, ...request) => {
    const issuer = server.issuer === UNKNOWN_ISSUER ? (token.url ?? "") : server.issuer;
    return authenticate({ ...server, issuer }, ...request);
  };
}

/** The key that signs for the client. */
export function privateKeyOf({ token }: ResolvedOAuthProvider): CryptoKey | oauth.PrivateKey {
  // `findOAuthProblems` requires one where it is used.
  return token.clientPrivateKey as CryptoKey | oauth.PrivateKey;
}
