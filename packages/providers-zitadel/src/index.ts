import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of ZITADEL's ID tokens (https://zitadel.com/docs/apis/openidoauth/claims). */
export interface ZITADELProfile {
  /** The user's id in the ZITADEL instance. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The login name, with the organization's domain if that is needed to be unique. */
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
 * Sign-in with ZITADEL. Client id and secret come from the options, or from `AUTH_ZITADEL_ID` and `AUTH_ZITADEL_SECRET`.
 * The issuer is your instance's: the `issuer` option or `AUTH_ZITADEL_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function ZITADEL(options: OIDCUserConfig<ZITADELProfile> = {}): OIDCProvider<ZITADELProfile> {
  return {
    id: "zitadel",
    name: "ZITADEL",
    type: "oidc",
    // Unless the project is configured otherwise, the ID token contains only the id.
    idToken: false,
    style: { bg: "#0e1931", text: "#ffffff" },
    options: providerOptions("ZITADEL", options),
  };
}

export default ZITADEL;
