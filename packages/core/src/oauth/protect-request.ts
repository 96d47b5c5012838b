import * as oauth from "oauth4webapi";
import type { FlowContext } from "../model/context.ts";
import { InvalidEndpoints } from "../model/errors.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { clientAuthentication, clientOf } from "./client-authentication.ts";
import { proofFor, withNonce } from "./dpop.ts";
import { requestOptions, UNKNOWN_ISSUER } from "./find-server.ts";

/**
 * Protects an authorization request against modification in the browser, if the provider is configured for it
 * (docs/oauth.md#protected-requests).
 *
 * 1. With `dpop`, the code is bound to the key (`dpop_jkt`, RFC 9449 §10).
 * 2. With `signedRequest`, all parameters go into a signed request object (RFC 9101 §4).
 * 3. With `par`, or if the server requires it, the parameters are sent directly to the server, and the browser carries
 *    a reference (RFC 9126 §4).
 *
 * @param url The unprotected request.
 * @throws InvalidEndpoints, and errors of oauth4webapi.
 */
export async function protectRequest(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  server: oauth.AuthorizationServer,
  url: string,
): Promise<string> {
  const plain = new URL(url).searchParams;
  const proof = await proofFor(context.config, provider);
  if (proof.DPoP !== undefined) plain.set("dpop_jkt", await proof.DPoP.calculateThumbprint());
  const params = provider.source.signedRequest ? await sign(provider, server, plain) : plain;
  if (!pushes(provider, server)) return withParams(server, params);
  requirePushEndpoint(provider, server);
  const answer = await withNonce(proof, async () =>
    oauth.pushedAuthorizationRequest(
      server,
      clientOf(provider),
      await clientAuthentication(provider, context.redact),
      params,
      { ...requestOptions(provider, server.pushed_authorization_request_endpoint), ...proof },
    ),
  );
  const pushed = await oauth.processPushedAuthorizationResponse(server, clientOf(provider), answer);
  return withParams(server, new URLSearchParams({ client_id: provider.clientId, request_uri: pushed.request_uri }));
}

function pushes({ source: { par } }: ResolvedOAuthProvider, server: oauth.AuthorizationServer): boolean {
  if (par === "auto") return server.pushed_authorization_request_endpoint !== undefined;
  return par ?? server.require_pushed_authorization_requests === true;
}

function requirePushEndpoint(provider: ResolvedOAuthProvider, server: oauth.AuthorizationServer): void {
  const { pushed_authorization_request_endpoint: endpoint } = server;
  if (endpoint !== undefined) return;
  const message = `Provider "${provider.id}" has \`par: true\`, but its metadata contains no \`pushed_authorization_request_endpoint\`.`;
  throw new InvalidEndpoints(message, { cause: { provider: provider.id } });
}

/**
 * RFC 9101 §5: only `client_id` stays outside of the request object. OpenID Connect also requires `response_type` and
 * `scope`, for servers without RFC 9101 (OIDC Core §6.1); with RFC 9101 they are ignored.
 */
async function sign(
  provider: ResolvedOAuthProvider,
  server: oauth.AuthorizationServer,
  plain: URLSearchParams,
): Promise<URLSearchParams> {
  const key = provider.token.clientPrivateKey;
  if (key === undefined || server.issuer === UNKNOWN_ISSUER) {
    const message = `Provider "${provider.id}" has \`signedRequest: true\`, which requires \`token.clientPrivateKey\` and \`issuer\`.`;
    throw new InvalidEndpoints(message, { cause: { provider: provider.id } });
  }
  const params = new URLSearchParams({
    client_id: provider.clientId,
    request: await oauth.issueRequestObject(server, clientOf(provider), plain, key),
  });
  if (pushes(provider, server) || provider.type !== "oidc") return params;
  for (const name of ["response_type", "scope"]) params.set(name, plain.get(name) ?? "");
  return params;
}

/** Keeps the endpoint's own query (RFC 6749 §3.1). */
function withParams(server: oauth.AuthorizationServer, params: URLSearchParams): string {
  const url = new URL(server.authorization_endpoint ?? "");
  for (const [name, value] of params) url.searchParams.set(name, value);
  return url.href;
}
