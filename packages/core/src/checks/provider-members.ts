import type { TokenEndpointHandler, UserinfoEndpointHandler } from "../model/oauth-provider.ts";
import type { CredentialsProvider } from "../model/provider.ts";
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

const ENDPOINT = [
  ...(["url", "params", "request", "conform", "body", "clientPrivateKey"] as const),
] satisfies readonly (keyof TokenEndpointHandler | keyof UserinfoEndpointHandler)[];

/**
 * Warns about members of a provider object whose names are almost those of known members. Other unknown members belong to
 * the provider.
 *
 * @param option the provider's place in the configuration, such as `providers[0]`.
 * @param known the members that the sign-in method knows.
 */
export function findMisspelledMembers(
  provider: Readonly<Record<PropertyKey, unknown>>,
  option: string,
  known: readonly string[],
): string[] {
  const endpoints = ["authorization", "token", "userinfo"];
  return [
    ...findMisspelled(provider, [...COMMON, ...known], option),
    ...endpoints.flatMap((name) => findMisspelled(provider[name], ENDPOINT, `${option}.${name}`)),
  ];
}
