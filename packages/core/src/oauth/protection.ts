import * as oauth from "oauth4webapi";
import type { FlowContext } from "../model/context.ts";
import { InvalidEndpoints, OAuthCallbackError } from "../model/errors.ts";
import type { TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { clientAuthentication, clientOf, privateKeyOf } from "./client-authentication.ts";
import { dpopKeyOf, type KeyOwner } from "./dpop-key.ts";
import { requestOptions } from "./find-server.ts";
import { jsonOf } from "./guarded-fetch.ts";

/** What only some providers ask for: tokens bound to a key (RFC 9449), of which a copy is useless, and authorization requests that no browser can change. */

/** What protects requests to a provider beyond the authentication of the client; without effect unless the provider asks for it. */
export interface Protection {
  /** Options of an oauth4webapi call. */
  readonly options: ProofOptions;
  /** Sends a request, and repeats it with a nonce if the server requires one. */
  readonly send: (request: () => Promise<Response>) => Promise<Response>;
  /** @throws OAuthCallbackError for a token that is not bound to the key. */
  readonly require: (tokens: TokenSet) => void;
  /** The URL to send the browser to, for an authorization request. */
  readonly authorize: (
    server: oauth.AuthorizationServer,
    url: string,
    redact: FlowContext["redact"],
  ) => Promise<string> | string;
}

const NONE: Protection = {
  options: {},
  send: (request) => request(),
  require: () => undefined,
  authorize: (_server, url) => url,
};

/**
 * The protection of a provider with `dpop`, `signedRequest` or `par`, or whose server requires pushed requests; none for any other.
 *
 * @param server absent for a request that no authorization follows.
 */
export async function protectionOf(
  owner: KeyOwner,
  provider: ResolvedOAuthProvider,
  server?: Pick<oauth.AuthorizationServer, "require_pushed_authorization_requests">,
): Promise<Protection> {
  const { dpop, signedRequest, par } = provider.source;
  const isPushed = (par ?? server?.require_pushed_authorization_requests ?? false) !== false;
  if (!dpop && !signedRequest && !isPushed) return NONE;
  const options = await proofFor(owner, provider);
  return {
    options,
    send: (request) => withNonce(options, request),
    require: (tokens) => requireBound(provider, tokens),
    authorize: (server, url, redact) => protectRequest(options, provider, server, url, redact),
  };
}

/** Options of an oauth4webapi call; empty if the provider has no `dpop`. */
type ProofOptions = { readonly DPoP?: oauth.DPoPHandle };

const handles = new WeakMap<CryptoKeyPair, oauth.DPoPHandle>();

/** Proofs for requests to a provider. One handle per key, which remembers server nonces (RFC 9449 §8). */
async function proofFor(owner: KeyOwner, provider: ResolvedOAuthProvider): Promise<ProofOptions> {
  if (!provider.source.dpop) return {};
  const key = await dpopKeyOf(owner, provider);
  const handle = handles.get(key) ?? oauth.DPoP(clientOf(provider), key);
  handles.set(key, handle);
  return { DPoP: handle };
}

/**
 * Sends a request, and repeats it once if the server requires a nonce in the proof (RFC 9449 §8, §9), in which case it
 * has not processed the request.
 *
 * @param send Sends the whole request, including proof and client assertion.
 */
async function withNonce({ DPoP }: ProofOptions, send: () => Promise<Response>): Promise<Response> {
  const answer = await send();
  return DPoP !== undefined && (await wantsNonce(answer)) ? send() : answer;
}

/** Whether a server rejected a proof only because of its nonce. */
async function wantsNonce(answer: Response): Promise<boolean> {
  if (answer.status !== 400 && answer.status !== 401) return false;
  if (!answer.headers.has("dpop-nonce")) return false;
  if (answer.headers.get("www-authenticate")?.includes("use_dpop_nonce") === true) return true;
  return Object(await jsonOf(answer)).error === "use_dpop_nonce";
}

/** @throws OAuthCallbackError for a token that is not bound, because DPoP is configured (RFC 9449 §5). */
function requireBound(provider: ResolvedOAuthProvider, tokens: TokenSet): void {
  if (!provider.source.dpop || tokens.token_type?.toLowerCase() === "dpop") return;
  throw new OAuthCallbackError(
    `Provider "${provider.id}" has \`dpop: true\`, but its server returned a token that is not bound to the key (\`token_type\` is not DPoP).`,
    { cause: { provider: provider.id } },
  );
}

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
async function protectRequest(
  proof: ProofOptions,
  provider: ResolvedOAuthProvider,
  server: oauth.AuthorizationServer,
  url: string,
  redact: FlowContext["redact"],
): Promise<string> {
  const plain = new URL(url).searchParams;
  if (proof.DPoP !== undefined) plain.set("dpop_jkt", await proof.DPoP.calculateThumbprint());
  const params = provider.source.signedRequest ? await sign(provider, server, plain) : plain;
  if (!pushes(provider, server)) return withParams(server, params);
  requirePushEndpoint(provider, server);
  const answer = await withNonce(proof, async () =>
    oauth.pushedAuthorizationRequest(server, clientOf(provider), await clientAuthentication(provider, redact), params, {
      ...requestOptions(provider, server.pushed_authorization_request_endpoint),
      ...proof,
    }),
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
  const params = new URLSearchParams({
    client_id: provider.clientId,
    request: await oauth.issueRequestObject(server, clientOf(provider), plain, privateKeyOf(provider)),
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
