import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of Keycloak's ID tokens (https://www.keycloak.org/docs/latest/server_admin/). */
export interface KeycloakProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly locale?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Keycloak. Client id and secret come from the options, or from `AUTH_KEYCLOAK_ID` and `AUTH_KEYCLOAK_SECRET`.
 * The issuer is the realm's: the `issuer` option or `AUTH_KEYCLOAK_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Keycloak(options: OIDCUserConfig<KeycloakProfile> = {}): OIDCProvider<KeycloakProfile> {
  return {
    id: "keycloak",
    name: "Keycloak",
    type: "oidc",
    style: { bg: "#00537f", text: "#ffffff" },
    options,
  };
}

export default Keycloak;
