import type {
  Check,
  ClientFacts,
  CredentialsProvider,
  EmailProvider,
  EndpointHandler,
  OAuthProvider,
  Provider,
} from "../model/provider.ts";
import type { ResolvedCredentialsProvider, ResolvedOAuthProvider } from "../model/resolved-config.ts";
import { type Environment, readProviderEnvironment } from "./env.ts";
import { isPlainObject, mergeOptions } from "./merge-options.ts";
import { type ProviderResolution, problem } from "./resolution.ts";
import { resolveEmail } from "./resolve-email.ts";
import { resolveWebAuthn } from "./resolve-webauthn.ts";
import { standardAccount, standardProfile } from "./standard-profile.ts";

/** Ids become path segments and environment variables; names of actions would be ambiguous. */
const PROVIDER_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$/;
const ACTION_NAMES = [
  "csrf",
  "providers",
  "session",
  "signin",
  "signout",
  "callback",
  "error",
  "verify-request",
  "webauthn-options",
  "webauthn-script",
];

/**
 * Fills in a provider: a factory is called, `options` are laid over the defaults, client id, secret and issuer come from the
 * environment where they are missing, and every hook and endpoint gets one shape.
 */
export function resolveProvider(
  given: Provider,
  index: number,
  env: Environment,
  redirectProxyUrl: string | undefined,
): ProviderResolution {
  const option = `providers[${index}]`;
  const value = typeof given === "function" ? callFactory(parseFactory(given), env) : given;
  if (!isPlainObject(value)) return problem(option, "is not a provider object or a function that returns one");
  const options = isPlainObject(value.options) ? value.options : {};
  const merged = mergeOptions(value, options);
  const { id, type } = merged;
  if (typeof id !== "string" || !PROVIDER_ID.test(id) || ACTION_NAMES.includes(id)) {
    return problem(`${option}.id`, "must be letters, digits, `.`, `_`, `~` and `-`, and not the name of an action");
  }
  const { issuer, apiKey, ...environment } = readProviderEnvironment(env, id);
  const proxy = redirectProxyUrl === undefined ? {} : { redirectProxyUrl };
  // What the application says counts before the environment, the environment before the default of a provider's package.
  const isDefault = merged.issuer === undefined || (isPlainObject(value.options) && options.issuer === undefined);
  const home = issuer !== undefined && isDefault ? { issuer } : {};
  switch (type) {
    case "oauth":
    case "oidc":
      return resolveOAuthProvider(
        parseOAuth({ ...environment, ...proxy, ...definedMembers(merged), ...home }),
        option,
        env.NODE_ENV === "production",
      );
    case "credentials":
      return resolveCredentials(parseCredentials(merged), option);
    case "email":
      return resolveEmail(parseEmail(apiKey === undefined ? merged : { apiKey, ...definedMembers(merged) }), option);
    case "webauthn":
      return resolveWebAuthn(merged, option, env.NODE_ENV === "production");
    default:
      return problem(
        `${option}.type`,
        `of provider "${id}" must be one of "oidc", "oauth", "email", "credentials", "webauthn"`,
      );
  }
}

/** A factory may put what it gets into its URLs, so that it gets what the environment says; its id says where to look. */
function callFactory(factory: (options: object) => unknown, env: Environment): unknown {
  const value = factory({});
  if (!isPlainObject(value) || typeof value.id !== "string") return value;
  const { redirectProxyUrl: _ofAll, ...own } = readProviderEnvironment(env, value.id);
  return Object.keys(own).length === 0 ? value : factory(own);
}

function resolveOAuthProvider(provider: OAuthProvider, option: string, isProduction: boolean): ProviderResolution {
  const { id, type, clientId, issuer } = provider;
  const variable = `AUTH_${id.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
  if (typeof clientId !== "string" || clientId === "") {
    return problem(`${option}.clientId`, `of provider "${id}" is missing: pass it or set ${variable}_ID`);
  }
  const client = { token_endpoint_auth_method: "client_secret_basic", ...provider.client };
  const method = client.token_endpoint_auth_method;
  if (String(method).startsWith("client_secret_") && !provider.clientSecret) {
    const remedy = `pass it, set ${variable}_SECRET, or set \`client.token_endpoint_auth_method\` to "none" for a public client`;
    return problem(`${option}.clientSecret`, `of provider "${id}" is missing: ${remedy}`);
  }
  if (issuer !== undefined && !URL.canParse(issuer))
    return problem(`${option}.issuer`, `of provider "${id}" must be a URL`);
  const authorization = resolveAuthorization(provider, { clientId });
  const { checks, warnings } = resolveChecks(provider);
  const resolved: ResolvedOAuthProvider = {
    kind: "oauth",
    type,
    id,
    name: provider.name ?? id,
    issuer,
    wellKnown: provider.wellKnown,
    authorization,
    token: resolveEndpoint(provider.token, { clientId }),
    userinfo: resolveEndpoint(provider.userinfo, { clientId }),
    jwksUri: provider.jwks_endpoint,
    clientId,
    clientSecret: typeof provider.clientSecret === "string" ? provider.clientSecret : undefined,
    client,
    checks,
    formPost: authorization.params.response_mode === "form_post",
    idTokenIsProfile: provider.idToken !== false,
    profile: (profile, tokens) => (provider.profile ?? standardProfile)(profile, tokens),
    account: (tokens) => (provider.account ?? standardAccount)(tokens) ?? undefined,
    style: provider.style ?? {},
    redirectProxyUrl: provider.redirectProxyUrl?.replace(/\/+$/, ""),
    allowDangerousEmailAccountLinking: provider.allowDangerousEmailAccountLinking === true,
    fetch: fetchOf(provider),
    source: {
      ...provider,
      idTokenIssuer: provider.idTokenIssuer ?? tenantIssuerOf(provider),
      refuseCallbackUrl: isProduction ? provider.refuseCallbackUrl : undefined,
    },
  };
  return { provider: resolved, warnings };
}

function resolveCredentials(provider: CredentialsProvider, option: string): ProviderResolution {
  const { id, name, authorize, credentials, style } = provider;
  if (typeof authorize !== "function") {
    return problem(`${option}.authorize`, `of provider "${id}" must be a function that returns a user or null`);
  }
  const resolved: ResolvedCredentialsProvider = {
    kind: "credentials",
    type: "credentials",
    id,
    name: name ?? "Credentials",
    credentials: credentials ?? {},
    authorize: (fields, request) => provider.authorize(fields, request),
    style: style ?? {},
  };
  return { provider: resolved, warnings: [] };
}

/** OpenID Connect asks for `openid profile email` unless the provider says otherwise (OIDC Core §3.1.2.1). */
function resolveAuthorization(provider: OAuthProvider, client: ClientFacts): ResolvedOAuthProvider["authorization"] {
  const { url, params } = resolveEndpoint(provider.authorization, client);
  const hasScope =
    "scope" in params || (url !== undefined && URL.canParse(url) && new URL(url).searchParams.has("scope"));
  return { url, params: provider.type === "oidc" && !hasScope ? { scope: "openid profile email", ...params } : params };
}

/** Absent and `[]` mean the defaults; `state` is always used, `nonce` too for OpenID Connect without PKCE (contract 7). */
function resolveChecks(provider: OAuthProvider): { checks: ResolvedOAuthProvider["checks"]; warnings: string[] } {
  const given: readonly Check[] = provider.checks ?? [];
  const listed = new Set<Check>(given.length === 0 ? ["pkce", "state", "nonce"] : given);
  const pkce = listed.has("pkce");
  const warning = `checks-none: provider "${provider.id}" asks for no checks; PKCE is off, state (and nonce for OpenID Connect) are kept.`;
  return {
    checks: { pkce, nonce: provider.type === "oidc" && (listed.has("nonce") || !pkce) },
    warnings: listed.has("none") ? [warning] : [],
  };
}

/**
 * Packages for Auth.js v5 mark with a symbol what its core treats specially. One such thing is a Microsoft issuer that stands
 * for every tenant: an ID token names the tenant that its claim `tid` says.
 */
function tenantIssuerOf(provider: OAuthProvider): OAuthProvider["idTokenIssuer"] {
  const { type, issuer = "" } = provider;
  const isMarked = Object.getOwnPropertySymbols(provider).some(({ description }) => description === "conform-internal");
  const [, tenant] = /^https:\/\/[^/]+\/(common|organizations|consumers)\/v2\.0$/.exec(issuer) ?? [];
  if (type !== "oidc" || !isMarked || tenant === undefined) return undefined;
  return ({ tid }) => (typeof tid === "string" ? issuer.replace(tenant, tid) : issuer);
}

/** Looked up by the symbol's description: the symbol of another package, or of another copy of this one, is as good. */
function fetchOf(provider: OAuthProvider): () => typeof fetch {
  const symbol = Object.getOwnPropertySymbols(provider).find((candidate) => candidate.description === "custom-fetch");
  const own: unknown = symbol === undefined ? undefined : Reflect.get(provider, symbol);
  return typeof own === "function" ? () => parseFetch(own) : () => globalThis.fetch;
}

function resolveEndpoint<H extends EndpointHandler>(endpoint: string | H | undefined, client: ClientFacts) {
  const handler = handlerOf(endpoint);
  return { ...handler, url: urlOf(endpoint), params: resolveParams(handler.params ?? {}, client) };
}

/** Absent values are left out; functions are asked; objects become JSON (`claims`, OIDC Core §5.5). */
function resolveParams(given: Readonly<Record<string, unknown>>, client: ClientFacts): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const made: unknown = typeof value === "function" ? value(client) : value;
    if (made === undefined || made === null) continue;
    params[name] = typeof made === "object" && !(made instanceof URL) ? JSON.stringify(made) : String(made);
  }
  return params;
}

function handlerOf<H extends EndpointHandler>(endpoint: string | H | undefined): Partial<H> {
  return typeof endpoint === "object" ? endpoint : {};
}

function urlOf(endpoint: string | EndpointHandler | undefined): string | undefined {
  const url = typeof endpoint === "string" ? endpoint : endpoint?.url;
  return url === undefined ? undefined : String(url);
}

function definedMembers(members: Record<PropertyKey, unknown>): Record<PropertyKey, unknown> {
  return mergeOptions({}, members);
}

function parseOAuth(members: Record<PropertyKey, unknown>): OAuthProvider {
  return members as unknown as OAuthProvider;
}

function parseEmail(members: Record<PropertyKey, unknown>): EmailProvider {
  return members as unknown as EmailProvider;
}

function parseCredentials(members: Record<PropertyKey, unknown>): CredentialsProvider {
  return members as unknown as CredentialsProvider;
}

function parseFactory(given: (...options: never[]) => unknown): (options: object) => unknown {
  return given as (options: object) => unknown;
}

function parseFetch(own: unknown): typeof fetch {
  return own as typeof fetch;
}
