import type { RequestedParams } from "../model/sign-in-method.ts";
import { decideParams } from "./authorization-params.ts";

/** The parts of an authorization request. */
export interface AuthorizationRequest {
  readonly endpoint: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** Parameters from the provider's configuration, which is trusted; they may set everything that the flow does not set. */
  readonly params: Readonly<Record<string, string>>;
  /** Additional parameters of this sign-in. */
  readonly requested: RequestedParams;
}

/**
 * Builds the URL of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OIDC Core §3.1.2.1).
 *
 * 1. The provider's parameters override the endpoint's own query: together they are the operator's policy.
 * 2. {@link decideParams} determines what the sign-in may add.
 * 3. The flow's own values override everything.
 */
export function buildAuthorizationUrl(request: AuthorizationRequest): string {
  const url = new URL(request.endpoint);
  // A separate object, because `url.searchParams` would serialise the URL again after each change.
  const query = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries(request.params)) query.set(name, value);
  for (const [name, value] of decideParams(query, request.requested)) query.set(name, value);
  // A scope has at least one value (RFC 6749 §3.3): an empty one means that no scope is requested.
  if (query.get("scope") === "") query.delete("scope");
  if (!query.has("response_type")) query.set("response_type", "code");
  query.set("client_id", request.clientId);
  query.set("redirect_uri", request.redirectUri);
  query.set("state", request.state);
  setOrDelete(query, "nonce", request.nonce);
  setOrDelete(query, "code_challenge", request.codeChallenge);
  setOrDelete(query, "code_challenge_method", request.codeChallenge === undefined ? undefined : "S256");
  url.search = query.toString();
  return url.href;
}

function setOrDelete(query: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) query.delete(name);
  else query.set(name, value);
}
