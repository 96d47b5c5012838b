import type { OAuthProvider, TokenEndpointHandler, UserinfoEndpointHandler } from "../model/oauth-provider.ts";
import type { CredentialsProvider, EmailProvider } from "../model/provider.ts";
import { findMisspelled } from "./find-unknown-options.ts";

/** Members of every provider object. */
const COMMON = [
  "id",
  "name",
  "type",
  "style",
  "options",
  "extension",
] as const satisfies readonly (keyof CredentialsProvider)[];

const OAUTH = [
  ...COMMON,
  ...(["issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"] as const),
  ...(["clientId", "clientSecret", "client", "checks", "profile", "verifiedEmail", "account"] as const),
  ...([
    "refuseCallbackUrl",
    "idTokenIssuer",
    "audiences",
    "insecureOrigins",
    "idToken",
    "allowDangerousEmailAccountLinking",
    "ownsAddresses",
  ] as const),
  ...(["redirectProxyUrl", "par", "dpop", "signedRequest"] as const),
] as const satisfies readonly (keyof OAuthProvider)[];

/** The known members by type of provider. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  oauth: OAUTH,
  oidc: OAUTH,
  credentials: [...COMMON, "credentials", "authorize"] satisfies readonly (keyof CredentialsProvider)[],
  email: [
    ...COMMON,
    ...(["server", "from", "apiKey", "maxAge", "code", "secret", "generateVerificationToken", "requires"] as const),
    ...(["normalizeIdentifier", "allowLocalDomains", "sendVerificationRequest", "ownsAddress"] as const),
    ...(["allowDangerousEmailAccountLinking", "rateLimit"] as const),
  ] satisfies readonly (keyof EmailProvider)[],
};

const ENDPOINT = [
  ...(["url", "params", "request", "conform", "body", "clientPrivateKey"] as const),
] satisfies readonly (keyof TokenEndpointHandler | keyof UserinfoEndpointHandler)[];

/**
 * Warns about members of a provider object whose names are almost those of known members. Other unknown members belong to
 * the provider.
 *
 * @param option the provider's place in the configuration, such as `providers[0]`.
 * @param own additional members of a provider that defines its own sign-in method.
 */
export function findMisspelledMembers(
  provider: Readonly<Record<PropertyKey, unknown>>,
  option: string,
  own: readonly string[] = [],
): string[] {
  const endpoints = ["authorization", "token", "userinfo"];
  return [
    ...findMisspelled(provider, MEMBERS[String(provider.type)] ?? [...COMMON, ...own], option),
    ...endpoints.flatMap((name) => findMisspelled(provider[name], ENDPOINT, `${option}.${name}`)),
  ];
}
