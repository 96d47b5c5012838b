import { environmentPrefixOf } from "../config/env.ts";
import { loadOnce } from "../model/load-once.ts";
import type { Check, ClientFacts, EndpointHandler, OAuthProvider } from "../model/oauth-provider.ts";
import type { Profile, TokenSet, User } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { GivenProvider, ProviderResolution, SignInMethod } from "../model/sign-in-method.ts";
import type { ProviderProblem } from "../model/sign-in-method-spec.ts";
import { isSameAddress } from "../protocol/email-address.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import { insecureOriginsOf } from "../protocol/provider-reach.ts";
import { findOAuthProblems } from "./check-provider.ts";
import { readOAuthProvider } from "./read-provider.ts";

/** Sign-in with an account at an OAuth 2 or OpenID Connect provider. */
export const oauth: SignInMethod<ResolvedOAuthProvider> = {
  types: ["oidc", "oauth"],
  members: [
    ...(["issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"] as const),
    ...(["clientId", "clientSecret", "client", "checks", "profile", "verifiedEmail", "account"] as const),
    ...(["refuseCallbackUrl", "idTokenIssuer", "endSessionParams", "audiences", "insecureOrigins", "idToken"] as const),
    ...(["allowDangerousEmailAccountLinking", "ownsAddresses"] as const),
    ...(["redirectProxyUrl", "par", "dpop", "signedRequest"] as const),
  ] satisfies readonly (keyof OAuthProvider)[],
  resolve: resolveOAuthProvider,
  form: ({ baseUrl, providerId, query }, { id, name, style }) => {
    const action = `${baseUrl}/signin/${id}${id === providerId ? requestedParams(query) : ""}`;
    return { kind: "redirect", id, name, action, style };
  },
  load: loadOnce(async () => (await import("./finish.ts")).oauthMethod),
};

/** Parameters that a link to one provider's page may pass on to the provider. The page uses nothing else from the link. */
const REQUESTED = ["scope", "prompt"];

function requestedParams(query: URLSearchParams): string {
  const params = new URLSearchParams([...query].filter(([name]) => REQUESTED.includes(name)));
  return params.size === 0 ? "" : `?${params}`;
}

/** Resolves an OAuth 2 or OpenID Connect provider. */
function resolveOAuthProvider({ complete, isProduction }: GivenProvider): ProviderResolution<ResolvedOAuthProvider> {
  const provider = readOAuthProvider(complete);
  const { id, type, clientId, issuer } = provider;
  const problems = [...findMissingClient(provider), ...findOAuthProblems(provider)];
  if (problems.length > 0 || clientId === undefined) return { problems };
  const insecureOrigins = findInsecureOrigins(provider);
  const { checks, warnings: loose } = resolveChecks(provider);
  const warnings = [...loose, ...insecureWarnings(id, insecureOrigins)];
  const resolved: ResolvedOAuthProvider = {
    kind: "oauth",
    type,
    id,
    name: provider.name ?? id,
    issuer,
    wellKnown: provider.wellKnown,
    ...resolveAuthorization(provider, { clientId }),
    token: resolveTokenEndpoint(provider.token, { clientId }),
    userinfo: resolveEndpoint(provider.userinfo, { clientId }),
    jwksUri: provider.jwks_endpoint,
    clientId,
    audiences: provider.audiences ?? [],
    insecureOrigins,
    clientSecret: typeof provider.clientSecret === "string" ? provider.clientSecret : undefined,
    client: { ...Object(provider.client) },
    checks,
    idTokenIsProfile: provider.idToken !== false,
    profile: (profile, tokens) => (provider.profile ?? standardProfile)(profile, tokens),
    verifiedEmail: provider.verifiedEmail && ((profile) => provider.verifiedEmail?.(profile)),
    account: (tokens) => (provider.account ?? standardAccount)(tokens) ?? undefined,
    style: provider.style ?? {},
    redirectProxyUrl: provider.redirectProxyUrl?.replace(/\/+$/, ""),
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking === true,
    ownsAddresses: resolveOwnership(provider),
    fetch: fetchOf(provider),
    source: { ...provider, refuseCallbackUrl: isProduction ? provider.refuseCallbackUrl : undefined },
  };
  return { provider: resolved, warnings, secrets: [resolved.clientSecret] };
}

/** What the configuration spells with http, or allows by name. */
function findInsecureOrigins({ insecureOrigins = [], ...provider }: OAuthProvider): readonly string[] {
  const { issuer, wellKnown, authorization, token, userinfo, jwks_endpoint } = provider;
  const endpoints = [authorization, token, userinfo].map((endpoint) => urlOf(endpoint));
  return insecureOriginsOf([...insecureOrigins, issuer, wellKnown, jwks_endpoint, ...endpoints]);
}

function insecureWarnings(id: string, origins: readonly string[]): readonly string[] {
  return origins.map(
    (origin) =>
      `insecure-provider: provider "${id}" is requested over http at ${origin}. Anyone who controls the network in between can read its client secret and sign in as any user; use https, or a network that only your servers share.`,
  );
}

function findMissingClient(provider: OAuthProvider): ProviderProblem[] {
  const { id, clientId, clientSecret } = provider;
  const variable = environmentPrefixOf(id);
  const { token_endpoint_auth_method: method = "client_secret_basic" } = Object(provider.client);
  const problems: ProviderProblem[] = [];
  if (typeof clientId !== "string" || clientId === "")
    problems.push({ member: "clientId", message: `is missing: pass it or set ${variable}_ID` });
  if (String(method).startsWith("client_secret_") && !clientSecret) {
    const remedy = `pass it, set ${variable}_SECRET, or set \`client.token_endpoint_auth_method\` to "none" for a public client`;
    problems.push({ member: "clientSecret", message: `is missing: ${remedy}` });
  }
  return problems;
}

/** Requests `openid profile email` unless the provider sets a scope (OIDC Core §3.1.2.1), also for OAuth 2 providers. */
function resolveAuthorization(
  provider: OAuthProvider,
  client: ClientFacts,
): Pick<ResolvedOAuthProvider, "authorization" | "formPost"> {
  const { url, params } = resolveEndpoint(provider.authorization, client);
  // Parameters of the configuration override the query of the URL.
  const sent: Record<string, string> = { ...Object.fromEntries(parseUrl(url ?? "")?.searchParams ?? []), ...params };
  return {
    authorization: { url, params: "scope" in sent ? params : { scope: "openid profile email", ...params } },
    formPost: sent.response_mode === "form_post",
  };
}

/** Found by the symbol's description, so that the symbol of another package, or of another copy of this one, also works. */
function fetchOf(provider: OAuthProvider): () => typeof fetch {
  const symbol = Object.getOwnPropertySymbols(provider).find((candidate) => candidate.description === "custom-fetch");
  const own: unknown = symbol === undefined ? undefined : Reflect.get(provider, symbol);
  return typeof own === "function" ? () => assumeFetch(own) : () => globalThis.fetch;
}

function resolveEndpoint<H extends EndpointHandler>(endpoint: string | H | undefined, client: ClientFacts) {
  const handler = endpointHandlerOf(endpoint);
  return { ...handler, url: urlOf(endpoint), params: resolveParams(handler.params ?? {}, client) };
}

function resolveTokenEndpoint(endpoint: OAuthProvider["token"], client: ClientFacts): ResolvedOAuthProvider["token"] {
  const { body = {}, ...handler } = resolveEndpoint(endpoint, client);
  return { ...handler, body: resolveParams(body, client) };
}

/** Absent values are omitted; functions are called; objects become JSON (`claims`, OIDC Core §5.5). */
function resolveParams(given: Readonly<Record<string, unknown>>, client: ClientFacts): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const made: unknown = typeof value === "function" ? value(client) : value;
    if (made === undefined || made === null) continue;
    params[name] = typeof made === "object" && !(made instanceof URL) ? JSON.stringify(made) : String(made);
  }
  return params;
}

function endpointHandlerOf<H extends EndpointHandler>(endpoint: string | H | undefined): Partial<H> {
  return typeof endpoint === "object" ? endpoint : {};
}

function urlOf(endpoint: string | EndpointHandler | undefined): string | undefined {
  const url = typeof endpoint === "string" ? endpoint : endpoint?.url;
  return url === undefined ? undefined : String(url);
}

function assumeFetch(own: unknown): typeof fetch {
  return own as typeof fetch;
}

/** A domain does not include its subdomains, which may belong to others. */
function resolveOwnership(provider: OAuthProvider): ResolvedOAuthProvider["ownsAddresses"] {
  const { ownsAddresses: owned } = provider;
  if (owned === undefined) return undefined;
  if (typeof owned === "function") return (address, profile) => owned.call(provider, address, profile);
  return (address) => owned.some((domain) => isSameAddress(address, `${address.split("@")[0]}@${domain}`));
}

/** The standard claims (OIDC Core §5.1). A missing id causes an error later; it is never invented. */
function standardProfile(profile: Profile, _tokens: TokenSet): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = profile;
  return {
    id: sub ?? id ?? "",
    name: name ?? nickname ?? preferred_username ?? null,
    email: email ?? null,
    image: typeof picture === "string" ? picture : null,
  };
}

/** The tokens that are stored unless the provider selects others. */
function standardAccount(tokens: TokenSet): Partial<TokenSet> {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state: state } = tokens;
  const session_state = typeof state === "string" ? state : undefined;
  return { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state };
}

/**
 * Absent and `[]` mean the defaults. `state` is always used, and for OpenID Connect without PKCE also `nonce`. Some
 * providers, such as LinkedIn, support neither PKCE nor nonce: if a provider object requests neither, a missing nonce is
 * accepted.
 */
function resolveChecks(provider: OAuthProvider): {
  readonly checks: ResolvedOAuthProvider["checks"];
  readonly warnings: readonly string[];
} {
  const given: readonly Check[] = provider.checks ?? [];
  const listed = new Set<Check>(given.length === 0 ? ["pkce", "state", "nonce"] : given);
  const pkce = listed.has("pkce");
  const none = `checks-none: provider "${provider.id}" disables all checks. PKCE is off; state is still checked, and so is a nonce that an OpenID Connect provider returns.`;
  const isOpenId = provider.type === "oidc";
  const allowsMissingNonce = isOpenId && !pkce && !listed.has("nonce");
  const loose = `nonce-optional: the checks of provider "${provider.id}" include neither "pkce" nor "nonce", so ID tokens without a nonce are accepted. Add one of them if the provider supports it.`;
  return {
    checks: { pkce, nonce: isOpenId && (listed.has("nonce") || !pkce), allowsMissingNonce },
    warnings: listed.has("none") ? [none] : allowsMissingNonce ? [loose] : [],
  };
}
