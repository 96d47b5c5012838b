/** Parameters that a sign-in request may never replace: they carry the flow's own security (safety H101, contract 7). */
const RESERVED: ReadonlySet<string> = new Set([
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
]);

/** What an authorization request is made of. */
export interface AuthorizationRequest {
  readonly endpoint: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: string | undefined;
  /** From the provider's configuration: trusted, may set everything but what the flow sets. */
  readonly params: Readonly<Record<string, string>>;
  /** From the sign-in request: untrusted, may not touch {@link RESERVED}. */
  readonly extra: Iterable<readonly [string, string]>;
}

/**
 * Builds the URL of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OIDC Core §3.1.2.1). The order of precedence
 * is: the flow's own values, the sign-in request's extra parameters, the provider's parameters, the endpoint's own query.
 */
export function buildAuthorizationUrl(request: AuthorizationRequest): string {
  const url = new URL(request.endpoint);
  const query = url.searchParams;
  for (const [name, value] of Object.entries(request.params)) query.set(name, value);
  for (const [name, value] of request.extra) {
    if (!RESERVED.has(name)) query.set(name, value);
  }
  if (!query.has("response_type")) query.set("response_type", "code");
  query.set("client_id", request.clientId);
  query.set("redirect_uri", request.redirectUri);
  query.set("state", request.state);
  setOrDelete(query, "nonce", request.nonce);
  setOrDelete(query, "code_challenge", request.codeChallenge);
  setOrDelete(query, "code_challenge_method", request.codeChallenge === undefined ? undefined : "S256");
  return url.href;
}

function setOrDelete(query: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined) query.delete(name);
  else query.set(name, value);
}
