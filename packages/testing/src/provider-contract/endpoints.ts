import type { OAuthProvider } from "@cardea/core/providers";

type Endpoint = OAuthProvider["authorization"];

/** The URL of an endpoint without its query; undefined if it comes from discovery. */
export function locate(endpoint: Endpoint): string | undefined {
  const url = typeof endpoint === "object" ? endpoint.url : endpoint;
  return url === undefined ? undefined : String(url).replace(/[?#].*$/, "");
}

/** The configured endpoints of a provider. */
export function endpointsOf(provider: OAuthProvider): Record<string, string> {
  const places = {
    authorize: locate(provider.authorization),
    token: locate(provider.token),
    userinfo: locate(provider.userinfo),
    jwks: provider.jwks_endpoint,
  };
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
