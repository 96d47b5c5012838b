import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of Keycloak's ID tokens (https://www.keycloak.org/docs/latest/server_admin/). */
export interface KeycloakProfile {
  /** The user's id in the realm. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The user name in the realm. */
  readonly preferred_username?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** Preferred language as a BCP 47 tag, such as `en-US` (OIDC Core §5.1). */
  readonly locale?: string;
  /** Any other member that the provider sends. */
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
    options: providerOptions("Keycloak", options),
  };
}

export default Keycloak;
