import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of authentik's ID tokens (https://docs.goauthentik.io/add-secure-apps/providers/oauth2/). */
export interface AuthentikProfile {
  /** The user's id, as the provider's subject mode in authentik defines it. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The user name in authentik. */
  readonly preferred_username?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** The user name, as in `preferred_username`. */
  readonly nickname?: string;
  /** Names of the groups that the user is a member of. */
  readonly groups?: readonly string[];
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with authentik. Client id and secret come from the options, or from `AUTH_AUTHENTIK_ID` and
 * `AUTH_AUTHENTIK_SECRET`. The issuer is the application's, including the trailing slash: the `issuer` option or
 * `AUTH_AUTHENTIK_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Authentik(options: OIDCUserConfig<AuthentikProfile> = {}): OIDCProvider<AuthentikProfile> {
  return {
    id: "authentik",
    name: "authentik",
    type: "oidc",
    style: { bg: "#fd4b2d", text: "#000000" },
    options: providerOptions("Authentik", options),
  };
}

export default Authentik;
