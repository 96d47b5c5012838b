import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of Okta's ID tokens (https://developer.okta.com/docs/reference/api/oidc/#id-token). */
export interface OktaProfile {
  /** The user's id in the Okta organization. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** The name that the user signs in with, usually an e-mail address. */
  readonly preferred_username?: string;
  /** Preferred language as a BCP 47 tag, such as `en-US` (OIDC Core §5.1). */
  readonly locale?: string;
  /** Time zone by its IANA name, such as `Europe/Paris` (OIDC Core §5.1). */
  readonly zoneinfo?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Okta. Client id and secret come from the options, or from `AUTH_OKTA_ID` and `AUTH_OKTA_SECRET`. The issuer
 * is your organisation's or an authorization server's: the `issuer` option or `AUTH_OKTA_ISSUER`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Okta(options: OIDCUserConfig<OktaProfile> = {}): OIDCProvider<OktaProfile> {
  return {
    id: "okta",
    name: "Okta",
    type: "oidc",
    style: { bg: "#000000", text: "#ffffff" },
    options: providerOptions("Okta", options),
  };
}

export default Okta;
