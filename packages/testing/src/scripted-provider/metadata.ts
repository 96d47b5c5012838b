/** The provider's metadata (OIDC Discovery §3, RFC 8414 §2), and which URL is which endpoint. */
import type { EndpointName } from "./calls.ts";
import { defined, type JsonObject, patchJson } from "./json.ts";
import type { ProviderState } from "./state.ts";

/** The issuer without the slash at its end: what paths are put after (OIDC Discovery §4.1). */
function baseOf(issuer: string): string {
  return issuer.replace(/\/$/, "");
}

/** Where endpoints are when no one says otherwise. */
export function resolveEndpoint(issuer: string, path: string): string {
  return new URL(path, `${baseOf(issuer)}/`).href;
}

function honestMetadata({ settings }: ProviderState): JsonObject {
  const { issuer, endpoints } = settings;
  const isOidc = settings.type === "oidc";
  return defined({
    issuer,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userinfo,
    jwks_uri: isOidc ? endpoints.jwks : undefined,
    scopes_supported: ["openid", "phone", "profile", "email", "address", "offline_access"],
    // In this order in the OpenID Foundation's suite: a client must not take the first for the only one.
    response_types_supported: ["code", "id_token code", "token code id_token", "id_token", "token id_token", "token"],
    response_modes_supported: ["query", "fragment", "form_post"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: settings.clientAuthentication,
    subject_types_supported: isOidc ? ["public", "pairwise"] : undefined,
    id_token_signing_alg_values_supported: isOidc ? [settings.signatureAlgorithm, "none"] : undefined,
    claims_parameter_supported: isOidc ? true : undefined,
    code_challenge_methods_supported: settings.pkce === "required" ? ["S256"] : undefined,
    authorization_response_iss_parameter_supported: settings.responseIss ? true : undefined,
  });
}

/** The metadata as the script has it. */
export function currentMetadata(state: ProviderState): JsonObject {
  return patchJson(honestMetadata(state), state.script.metadata);
}

function discoveryUrls({ issuer, type }: ProviderState["settings"]): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const oauth = `${origin}/.well-known/oauth-authorization-server${baseOf(pathname)}`;
  return type === "oauth2" ? [oauth] : [`${baseOf(issuer)}/.well-known/openid-configuration`, oauth];
}

const METADATA_MEMBERS = {
  authorize: "authorization_endpoint",
  token: "token_endpoint",
  jwks: "jwks_uri",
  userinfo: "userinfo_endpoint",
} as const;

/** The endpoints' URLs: the honest one, and where the script moved it within the issuer's origin. */
function urlsOf(state: ProviderState, name: keyof typeof METADATA_MEMBERS): readonly string[] {
  const honest = state.settings.endpoints[name];
  const moved = currentMetadata(state)[METADATA_MEMBERS[name]];
  const isOurs = typeof moved === "string" && moved.startsWith(`${new URL(state.settings.issuer).origin}/`);
  return isOurs ? [honest, moved] : [honest];
}

/** Which endpoint a URL is, its query aside; `undefined` if it is not one of this provider's. */
export function endpointAt(state: ProviderState, url: URL): EndpointName | "resource" | undefined {
  const place = `${url.origin}${url.pathname}`;
  if (discoveryUrls(state.settings).includes(place)) return "discovery";
  for (const name of ["jwks", "authorize", "token", "userinfo"] as const) {
    if (name === "jwks" && state.settings.type === "oauth2") continue;
    if (urlsOf(state, name).includes(place)) return name;
  }
  return state.settings.resources.has(place) ? "resource" : undefined;
}
