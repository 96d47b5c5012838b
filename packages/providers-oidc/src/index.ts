import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of a provider's ID tokens (https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims). */
export interface OIDCProfile {
  /** The user's id at the issuer; never reassigned (OIDC Core §2). */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The name that the user signs in with or wants to be called; neither unique nor stable (OIDC Core §5.1). */
  readonly preferred_username?: string;
  /** Casual name, which may differ from the first name (OIDC Core §5.1). */
  readonly nickname?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with any OpenID Connect provider that has a discovery document. Client id and secret come from the options, or
 * from `AUTH_OIDC_ID` and `AUTH_OIDC_SECRET`; the issuer from the `issuer` option or `AUTH_OIDC_ISSUER`. Set `id` and
 * `name` to configure several providers; `id` is part of the callback URL and of the environment variables.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function OIDC(options: OIDCUserConfig<OIDCProfile> = {}): OIDCProvider<OIDCProfile> {
  return {
    id: "oidc",
    name: "Single sign-on",
    type: "oidc",
    style: { bg: "#1f2937", text: "#ffffff" },
    options: providerOptions("OIDC", options),
  };
}

export default OIDC;
